// What is asked anew when something happened: one line for each kind of event or area of kinds.

import type { Almoner, HappenedEvent } from '@almoner/client'
import { queries } from '../frame/queries.ts'

type Kind = HappenedEvent['kind']
/** A kind, or an area with all its kinds: `group.*`. */
export type KindPattern = Kind | `${Kind extends `${infer Area}.${string}` ? Area : never}.*`

const ASKED_ANEW: Partial<Record<KindPattern, (keyof Almoner | 'patientsNamed')[]>> = {
  'group.*': ['listGroups', 'getGroup'],
  'individual.*': ['listIndividuals', 'getIndividual', 'patientsNamed', 'getPopulationSummary'],
  'metric.*': ['listAlerts', 'getAlert', 'getPopulationSummary'],
  'notification.*': ['listNotifications', 'countUnreadNotifications'],
  'webhook.disabled': ['listWebhooks'],
}

/** Events that come together are answered by asking once. */
const GATHERED_MS = 250
/** What costs the service more is asked less often. */
const SELDOM: Record<string, number> = { getPopulationSummary: 3000 }
const due = new Set<string>()
const askedAt = new Map<string, number>()

export const isMeant = (pattern: KindPattern, kind: Kind): boolean =>
  pattern === kind || (pattern.endsWith('.*') && kind.startsWith(pattern.slice(0, -1)))

export function askAnew({ kind }: HappenedEvent): void {
  for (const [pattern, names] of Object.entries(ASKED_ANEW)) {
    if (isMeant(pattern as KindPattern, kind)) for (const name of names) askSoon(name)
  }
}

function askSoon(name: string): void {
  if (due.has(name)) return
  due.add(name)
  // The first is answered at once, and only those that follow soon after it wait.
  const wait = (askedAt.get(name) ?? 0) + (SELDOM[name] ?? 0) - Date.now()
  setTimeout(
    () => {
      due.delete(name)
      askedAt.set(name, Date.now())
      queries.invalidateQueries({ queryKey: [name] })
    },
    Math.max(GATHERED_MS, wait),
  )
}
