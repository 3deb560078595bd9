// Which pieces hold the points of a page, and the points in them.

import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { Points } from '../points.ts'
import { fromSegment } from '../segments.ts'

export interface SeriesRow {
  id: string
  source: string
}

export async function seriesOf(db: Database, individualId: string, type: string): Promise<SeriesRow[]> {
  const { rows } = await sql<SeriesRow>`select id, source from metric_series
    where individual_id = ${individualId} and type = ${type} order by source collate "C"`.execute(db)
  return rows
}

/** A piece as it is found in the index, without what it holds. */
export interface Outline {
  kind: 'segment' | 'loose' | 'replaced'
  seriesId: string
  firstTime: number
  lastTime: number
  count: number
  /** Of a replaced point. */
  id: string | null
}

export interface Bounds {
  from: number
  to: number
  /** With what points said before they were changed. */
  includeDeleted: boolean
}

type OutlineRow = [Outline['kind'], string, number, number, number, string | null]

/** Everything in one statement: a point that is just being moved is seen once. */
export async function outlinesWithin(
  db: Database,
  individualId: string,
  seriesIds: string[],
  { from, to, includeDeleted }: Bounds,
): Promise<Outline[]> {
  const whose = sql`individual_id = ${individualId} and series_id = any(${seriesIds}::int8[])`
  const isWithin = sql`time between to_timestamp(${from}) and to_timestamp(${to})`
  const replaced = sql`union all
    select 'replaced', series_id, extract(epoch from time)::float8, extract(epoch from time)::float8, 1, id
    from metric_replaced_points where ${whose} and ${isWithin}`
  const { rows } = await sql<OutlineRow>`
    select 'segment' as "0", series_id as "1", extract(epoch from first_time)::float8 as "2",
      extract(epoch from last_time)::float8 as "3", point_count as "4", null::uuid as "5"
    from metric_segments where ${whose} and first_time <= to_timestamp(${to}) and last_time >= to_timestamp(${from})
    union all
    select 'loose', series_id, extract(epoch from time)::float8, extract(epoch from time)::float8, 1, null
    from metric_points where ${whose} and ${isWithin}
    ${includeDeleted ? replaced : sql``}`.execute(db.withoutPlugins())
  return rows.map((row) => ({
    kind: row[0],
    seriesId: row[1],
    firstTime: row[2],
    lastTime: row[3],
    count: row[4],
    id: row[5],
  }))
}

interface HeldRow {
  seriesId: string
  firstTime: number
  steps: number[]
  numbers: number[]
  texts: string[] | null
  tags: number[] | null
  offsets: number[] | null
  replacedAt: Date | null
  replacedBy: string | null
}

export interface Held extends Pick<HeldRow, 'seriesId' | 'replacedAt' | 'replacedBy'> {
  points: Points
}

/** What pieces hold. One that was moved since its outline was read is not found; the caller then reads again. */
export async function piecesAt(db: Database, individualId: string, outlines: Outline[]): Promise<Held[]> {
  const some = (kind: Outline['kind']) => outlines.filter((one) => one.kind === kind)
  const at = (kind: Outline['kind']) => sql`unnest(${some(kind).map(({ seriesId }) => seriesId)}::int8[],
      ${some(kind).map(({ firstTime }) => firstTime)}::float8[]) w (id, at)`
  const ofOne = sql`'{0}'::int4[], numbers, texts, case when tag is not null then array[tag] end,
    case when utc_offset is not null then array[utc_offset] end`
  const parts = [
    sql`select series_id as "seriesId", extract(epoch from first_time)::float8 as "firstTime", steps, numbers, texts,
        tags, offsets, null::timestamptz as "replacedAt", null::uuid as "replacedBy"
      from ${at('segment')} join metric_segments on individual_id = ${individualId} and series_id = w.id
        and first_time = to_timestamp(w.at)`,
    ...(some('loose').length > 0
      ? [
          sql`select series_id, extract(epoch from time)::float8, ${ofOne}, null, null
            from ${at('loose')} join metric_points on individual_id = ${individualId} and series_id = w.id
              and time = to_timestamp(w.at)`,
        ]
      : []),
    ...(some('replaced').length > 0
      ? [
          sql`select series_id, extract(epoch from time)::float8, ${ofOne}, replaced_at, replaced_by
            from metric_replaced_points where individual_id = ${individualId}
              and series_id = any(${some('replaced').map(({ seriesId }) => seriesId)}::int8[])
              and id = any(${some('replaced').map(({ id }) => id)}::uuid[])`,
        ]
      : []),
  ]
  const { rows } = await sql<HeldRow>`${sql.join(parts, sql` union all `)}`.execute(db.withoutPlugins())
  return rows.map(({ seriesId, replacedAt, replacedBy, ...row }) => ({
    seriesId,
    replacedAt,
    replacedBy,
    points: fromSegment(row),
  }))
}
