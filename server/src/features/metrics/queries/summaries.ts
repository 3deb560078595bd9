import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { Points } from '../points.ts'
import { fromSegment, type Hours } from '../segments.ts'

interface Row {
  firstTime: number
  lastTime: number
  count: number
  steps: number[] | null
  wholes: number[] | null
  numbers: number[] | null
  starts: number[] | null
  figures: number[] | null
}

/** Before and after, the hours of zones may not have been whole ones. */
const [HOURS_FROM, HOURS_TO] = [0, Date.parse('2040-01-01T00:00:00Z') / 1000]

/** A piece as a summary needs it: the figures of its hours, or its points. */
export interface Part {
  firstTime: number
  lastTime: number
  hours: Hours | null
  points: Points | null
}

/**
 * Points are read only where the figures of hours do not do: at the edges of the time, where none are kept, and in
 * zones whose hours are not those of UTC.
 */
export async function partsWithin(
  db: Database,
  individualId: string,
  seriesIds: string[],
  { from, to, byHours }: { from: number; to: number; byHours: boolean },
): Promise<Part[]> {
  const needsPoints = sql`(not ${byHours} or hour_starts is null or first_time < to_timestamp(${Math.max(from, HOURS_FROM)})
    or last_time > to_timestamp(${Math.min(to, HOURS_TO)}))`
  const { rows } = await sql<Row>`
    select extract(epoch from first_time)::float8 as "firstTime", extract(epoch from last_time)::float8 as "lastTime",
      point_count as count, case when ${needsPoints} then steps end as steps,
      case when ${needsPoints} then wholes end as wholes, case when ${needsPoints} then numbers end as numbers,
      case when not ${needsPoints} then hour_starts end as starts, case when not ${needsPoints} then hour_figures end as figures
    from metric_segments where individual_id = ${individualId} and series_id = any(${seriesIds}::int8[])
      and first_time <= to_timestamp(${to}) and last_time >= to_timestamp(${from})
    union all
    select extract(epoch from time)::float8, extract(epoch from time)::float8, 1, '{0}', null, numbers, null, null
    from metric_points where individual_id = ${individualId} and series_id = any(${seriesIds}::int8[])
      and time between to_timestamp(${from}) and to_timestamp(${to})
    order by 1`.execute(db.withoutPlugins())
  return rows.map(({ firstTime, lastTime, count, steps, wholes, numbers, starts, figures }) => ({
    firstTime,
    lastTime,
    hours: starts && figures ? { starts, figures } : null,
    points: steps && fromSegment({ firstTime, count, steps, wholes, numbers, texts: null, tags: null, offsets: null }),
  }))
}
