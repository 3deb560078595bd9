// When a delivery that failed is attempted again.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const DELAYS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE].concat(
  [1, 2, 4, 8, 8].map((hours) => hours * HOUR),
)
/** Of each delay, at random, so that what failed together does not come back together. */
const JITTER = 0.2
/** A receiver may ask for more time, but not for so much that it would not be asked again within the day. */
const LONGEST_WAIT_ASKED_FOR = 4 * HOUR

/** The first one and one after each delay; within a day even without jitter. */
export const MOST_ATTEMPTS = DELAYS.length + 1

interface Round {
  /** Attempts made, and when the first of them was. */
  count: number
  startedAt: Date
}

/** Milliseconds from now, or null when it is given up. */
export function nextDelay({ count, startedAt }: Round, askedMs: number, now: Date): number | null {
  const planned = DELAYS[count - 1]
  if (planned === undefined) return null
  const delay = Math.max(planned * (1 - Math.random() * JITTER), Math.min(askedMs, LONGEST_WAIT_ASKED_FOR))
  return now.getTime() + delay - startedAt.getTime() > DAY ? null : Math.round(delay)
}

/** Of a Retry-After header: seconds, or a date; 0 when it says nothing that can be read. */
export function retryAfterMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND
  const moment = Date.parse(header)
  return Number.isNaN(moment) ? 0 : Math.max(0, moment - now.getTime())
}
