// Which pieces hold the points of a page, and the points in them.

import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { Points } from '../points.ts'
import { fromSegment, type StoredSegment } from '../segments.ts'

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

export interface SeriesOutlines {
  source: string
  seriesId: string
  outlines: Outline[]
}

export interface Bounds {
  from: number
  to: number
  /** With what points said before they were changed. */
  includeDeleted: boolean
}

interface OutlinesRow {
  id: string
  source: string
  firsts: number[] | null
  lasts: number[] | null
  counts: number[] | null
  loose: number[] | null
  replaced: number[] | null
  replacedIds: string[] | null
}

/** The pieces of a metric by its sources, in one statement: a point that is just being moved is seen once. */
export async function outlinesWithin(
  db: Database,
  individualId: string,
  type: string,
  { from, to, includeDeleted }: Bounds,
): Promise<SeriesOutlines[]> {
  const isOwn = sql`p.individual_id = s.individual_id and p.series_id = s.id`
  const isWithin = sql`p.time between to_timestamp(${from}) and to_timestamp(${to})`
  // As arrays: a year of days is one row, not hundreds.
  const { rows } = await sql<OutlinesRow>`
    select s.id, s.source, g.firsts, g.lasts, g.counts, l.loose, r.replaced, r."replacedIds" from metric_series s
    left join lateral (
      select array_agg(extract(epoch from p.first_time)::float8 order by p.first_time) as firsts,
        array_agg(extract(epoch from p.last_time)::float8 order by p.first_time) as lasts,
        array_agg(p.point_count order by p.first_time) as counts
      from metric_segments p where ${isOwn} and p.first_time <= to_timestamp(${to})
        and p.last_time >= to_timestamp(${from})) g on true
    left join lateral (select array_agg(extract(epoch from p.time)::float8 order by p.time) as loose
      from metric_points p where ${isOwn} and ${isWithin}) l on true
    left join lateral (select array_agg(extract(epoch from p.time)::float8 order by p.id) as replaced,
        array_agg(p.id::text order by p.id) as "replacedIds"
      from metric_replaced_points p where ${includeDeleted} and ${isOwn} and ${isWithin}) r on true
    where s.individual_id = ${individualId} and s.type = ${type} order by s.source collate "C"`.execute(
    db.withoutPlugins(),
  )
  return rows.map(({ id, source, firsts, lasts, counts, loose, replaced, replacedIds }) => ({
    source,
    seriesId: id,
    outlines: [
      ...(firsts ?? []).map((firstTime, place): Outline => {
        const [lastTime, count] = [lasts?.[place] as number, counts?.[place] as number]
        return { kind: 'segment', seriesId: id, firstTime, lastTime, count, id: null }
      }),
      ...(loose ?? []).map((time): Outline => single('loose', id, time, null)),
      ...(replaced ?? []).map((time, place): Outline => single('replaced', id, time, replacedIds?.[place] as string)),
    ],
  }))
}

const single = (kind: Outline['kind'], seriesId: string, time: number, id: string | null): Outline => ({
  kind,
  seriesId,
  firstTime: time,
  lastTime: time,
  count: 1,
  id,
})

interface HeldRow extends StoredSegment {
  seriesId: string
  replacedAt: Date | null
  replacedBy: string | null
  replacedId: string | null
}

export interface Held extends Pick<HeldRow, 'seriesId' | 'replacedAt' | 'replacedBy' | 'replacedId'> {
  points: Points
}

/** What pieces hold. One that was moved since its outline was read is not found; the caller then reads again. */
export async function piecesAt(db: Database, individualId: string, outlines: Outline[]): Promise<Held[]> {
  const some = (kind: Outline['kind']) => outlines.filter((one) => one.kind === kind)
  const at = (kind: Outline['kind']) => sql`unnest(${some(kind).map(({ seriesId }) => seriesId)}::int8[],
      ${some(kind).map(({ firstTime }) => firstTime)}::float8[]) w (id, at)`
  const ofOne = sql`1, '{0}'::int4[], null, numbers, texts, case when tag is not null then array[tag] end,
    case when utc_offset is not null then array[utc_offset] end`
  const parts = [
    sql`select series_id as "seriesId", extract(epoch from first_time)::float8 as "firstTime", point_count as count, steps,
        wholes, numbers, texts, tags, offsets, null::timestamptz as "replacedAt", null::uuid as "replacedBy", null::uuid as "replacedId"
      from ${at('segment')} join metric_segments on individual_id = ${individualId} and series_id = w.id
        and first_time = to_timestamp(w.at)`,
    ...(some('loose').length > 0
      ? [
          sql`select series_id, extract(epoch from time)::float8, ${ofOne}, null, null, null
            from ${at('loose')} join metric_points on individual_id = ${individualId} and series_id = w.id
              and time = to_timestamp(w.at)`,
        ]
      : []),
    ...(some('replaced').length > 0
      ? [
          sql`select series_id, extract(epoch from time)::float8, ${ofOne}, replaced_at, replaced_by, id
            from metric_replaced_points where individual_id = ${individualId}
              and series_id = any(${some('replaced').map(({ seriesId }) => seriesId)}::int8[])
              and id = any(${some('replaced').map(({ id }) => id)}::uuid[])`,
        ]
      : []),
  ]
  const { rows } = await sql<HeldRow>`${sql.join(parts, sql` union all `)}`.execute(db.withoutPlugins())
  return rows.map(({ seriesId, replacedAt, replacedBy, replacedId, ...row }) => ({
    seriesId,
    replacedAt,
    replacedBy,
    replacedId,
    points: fromSegment(row),
  }))
}
