// Late readings and corrections, and what they mean for a run inside a range.

import type { Database } from '../../platform/db/database.ts'
import { columnOf, newestBefore, pointsWithin, type Written } from '../metrics/index.ts'
import type { Terms } from './evaluator.ts'

type Range = Extract<Terms, { kind: 'range' }>

/**
 * Since when every stored reading lies inside, looking no further back than it can matter: a run that is as long as
 * the period already may be longer. Of what this push brought only the late part counts; the rest is judged in turn.
 */
export async function insideSince(
  db: Database,
  { from, to, period }: Range,
  { individualId, type, seriesId, horizon }: Written,
  field: string,
  effectiveFrom: number,
): Promise<number | null> {
  const key = { individualId, seriesId }
  const last = await newestBefore(db, key, horizon + 1)
  if (last === null || last < effectiveFrom) return null
  const start = Math.max(effectiveFrom, last - period)
  const isInside = (value: number) => value >= from && value < to
  let since: number | null = null
  const stored = await pointsWithin(db, key, start, last)
  const values = columnOf(type, stored, field)
  for (let at = stored.times.length - 1; at >= 0; at--) {
    const value = values[at] as number
    if (Number.isNaN(value)) continue
    if (!isInside(value)) return since
    since = stored.times[at] as number
  }
  // All of the period lies inside; whether the reading before it does as well decides if that is long enough.
  let earlier = await newestBefore(db, key, start)
  while (earlier !== null && earlier >= effectiveFrom) {
    const [value = Number.NaN] = columnOf(type, await pointsWithin(db, key, earlier, earlier), field)
    if (isInside(value)) return earlier
    if (!Number.isNaN(value)) return since
    earlier = await newestBefore(db, key, earlier)
  }
  return since
}
