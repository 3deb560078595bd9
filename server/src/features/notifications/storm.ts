// A storm of notices becomes a few messages: the first of them go out one by one, what follows goes out together.

import { SEVERITIES, type Severity } from '@almoner/contract'

/** Messages to one person by one way. */
export const MOST_MESSAGES = 5
export const WINDOW_MS = 10 * 60_000

interface Waiting {
  organizationId: string
  severity: Severity
  createdAt: Date
  /** Held back before: by quiet hours, a digest or a storm. */
  isGathered: boolean
}

export interface Plan<Item> {
  /** Each is one message, of one organization: administrators may read what their organization sends. */
  messages: Item[][]
  /** What is held back, and until when. */
  held: Item[]
  heldUntil: Date
}

/**
 * What to do with all that waits for one person by one way. `recent` has the times of the messages that went out within
 * the window before now.
 */
export function planMessages<Item extends Waiting>(waiting: Item[], recent: Date[], now: Date): Plan<Item> {
  const ordered = waiting.toSorted(bySeverity)
  const gathered = [...Map.groupBy(ordered.filter(isGathered), ({ organizationId }) => organizationId).values()]
  const single = ordered.filter((item) => !item.isGathered)
  const free = Math.max(0, MOST_MESSAGES - recent.length - gathered.length)
  const messages = [...gathered, ...single.slice(0, free).map((item) => [item])]
  // The next may go when fewer than the most are in the window again.
  const sent = [...recent.map((time) => time.getTime()), ...messages.map(() => now.getTime())].toSorted(ascending)
  const heldUntil = new Date((sent.at(-MOST_MESSAGES) ?? now.getTime()) + WINDOW_MS)
  return { messages, held: single.slice(free), heldUntil }
}

const isGathered = (item: Waiting): boolean => item.isGathered
const ascending = (one: number, other: number): number => one - other

/** The most severe first, then the oldest. */
function bySeverity(one: Waiting, other: Waiting): number {
  const difference = SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity)
  return difference || one.createdAt.getTime() - other.createdAt.getTime()
}
