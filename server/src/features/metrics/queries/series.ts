import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { Arrival } from '../arrival.ts'
import { columnsOf, type Points, typeNamed } from '../points.ts'

export interface LockedSeries {
  individualId: string
  type: string
  source: string
  id: string
  firstTime: number
  lastTime: number
  /** The newest that was not of a wrong clock. */
  trustedTime: number
  loose: number
}

const keysOf = (arrivals: Arrival[]) => sql`unnest(${arrivals.map(({ individualId }) => individualId)}::uuid[],
  ${arrivals.map(({ type }) => type)}::text[], ${arrivals.map(({ source }) => source)}::text[]`

/**
 * Takes up those arrivals that come after everything their series has, or begin one, and locks these series. The others
 * are not answered: they are to be compared with what is there, or of nobody. In the order of keys, so that two who write
 * to the same series wait for each other instead of both waiting.
 */
export async function appendToSeries(
  db: Database,
  arrivals: Arrival[],
  { leastOfSegment, trustedTimes }: { leastOfSegment: number; trustedTimes: (number | null)[] },
) {
  const { rows } = await sql<Pick<LockedSeries, 'individualId' | 'type' | 'source' | 'id' | 'loose'>>`
    insert into metric_series as s (individual_id, type, source, point_count, first_time, last_time, last_point, loose,
      trusted_time)
    select a.individual_id, a.type, a.source, a.count, to_timestamp(a.first), to_timestamp(a.last), a.point, a.loose,
      to_timestamp(a.trusted)
    from ${keysOf(arrivals)}, ${arrivals.map(({ points }) => points.times.length)}::int8[],
      ${arrivals.map(({ points }) => points.times[0])}::float8[],
      ${arrivals.map(({ points }) => points.times.at(-1))}::float8[],
      ${arrivals.map(({ type, points }) => JSON.stringify(pointOf(type, points, points.times.length - 1)))}::jsonb[],
      ${arrivals.map(({ points }) => (points.times.length < leastOfSegment ? points.times.length : 0))}::int4[],
      ${trustedTimes}::float8[]) a (individual_id, type, source, count, first, last, point, loose, trusted)
    where exists (select from individuals i where i.id = a.individual_id)
    order by 1, 2, 3
    on conflict (individual_id, type, source) do update set point_count = s.point_count + excluded.point_count,
      last_time = excluded.last_time, last_point = excluded.last_point, loose = s.loose + excluded.loose,
      trusted_time = coalesce(excluded.trusted_time, s.trusted_time)
      where s.last_time < excluded.first_time
    returning individual_id, type, source, id, loose`.execute(db)
  return rows
}

export async function lockSeries(db: Database, arrivals: Arrival[]): Promise<LockedSeries[]> {
  const { rows } = await sql<
    Omit<LockedSeries, 'firstTime' | 'lastTime' | 'trustedTime'> &
      Record<'firstTime' | 'lastTime', string> & {
        trustedTime: string | null
      }
  >`
    select s.individual_id, s.type, s.source, s.id, s.loose, extract(epoch from s.first_time)::int8 as first_time,
      extract(epoch from s.last_time)::int8 as last_time, extract(epoch from s.trusted_time)::int8 as trusted_time
    from ${keysOf(arrivals)}) a (individual_id, type, source) join metric_series s using (individual_id, type, source)
    order by 1, 2, 3 for update of s`.execute(db)
  return rows.map((row) => ({
    ...row,
    firstTime: Number(row.firstTime),
    lastTime: Number(row.lastTime),
    trustedTime: row.trustedTime === null ? -Infinity : Number(row.trustedTime),
  }))
}

interface SeriesChange {
  individualId: string
  id: string
  added: number
  loose: number
  firstTime: number
  lastTime: number
  trustedTime: number
  /** The newest point, when this change made or changed it. */
  lastPoint: Record<string, unknown> | null
}

export const changeSeries = (db: Database, change: SeriesChange) =>
  sql`update metric_series set point_count = point_count + ${change.added}, loose = loose + ${change.loose},
      first_time = to_timestamp(${change.firstTime}), last_time = to_timestamp(${change.lastTime}),
      trusted_time = to_timestamp(nullif(${change.trustedTime}::float8, '-Infinity')),
      last_point = coalesce(${change.lastPoint && JSON.stringify(change.lastPoint)}::jsonb, last_point)
    where individual_id = ${change.individualId} and id = ${change.id}`.execute(db)

/** The values of a point by the names of their fields, as they are answered. */
export function pointOf(typeName: string, points: Points, at: number): Record<string, unknown> {
  const type = typeNamed(typeName)
  const said: Record<string, unknown> = {}
  for (const [column, { name, isText, values }] of columnsOf(type).entries()) {
    const value = points.columns[column]?.[at] as number
    if (Number.isNaN(value)) continue
    if (type.isOpen) return JSON.parse(points.texts[value] as string)
    said[name] = values ? values[value] : isText ? points.texts[value] : value
  }
  return said
}

/** Loose points that someone was asked to put together are counted from the beginning again. */
export const settleSeries = (db: Database, keys: { individualId: string; seriesId: string }[]) =>
  sql`update metric_series s set loose = 0
    from unnest(${keys.map(({ individualId }) => individualId)}::uuid[], ${keys.map(({ seriesId }) => seriesId)}::int8[])
      k (individual_id, id)
    where s.individual_id = k.individual_id and s.id = k.id`.execute(db)
