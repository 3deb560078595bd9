// Segments and loose points, in and out of the database.

import { sql } from 'kysely'
import { v7 } from 'uuid'
import { float8Array, int2Array, int4Array } from '../../../platform/db/arrays.ts'
import type { Database } from '../../../platform/db/database.ts'
import { offsetOf, type Points, tagOf } from '../points.ts'
import { fromSegment, type Segment, type StoredSegment } from '../segments.ts'

export interface SeriesKey {
  individualId: string
  seriesId: string
}

const moment = (seconds: number) => sql`to_timestamp(${seconds})`

export async function insertSegments(db: Database, segments: (Segment & SeriesKey)[]): Promise<void> {
  if (segments.length === 0) return
  const rows = segments.map(
    (one) => sql`(${one.individualId}, ${one.seriesId}, ${moment(one.firstTime)}, ${moment(one.lastTime)}, ${one.count},
      ${int4Array(one.steps)}::int4[], ${one.wholes && int2Array(one.wholes)}::int2[],
      ${one.numbers && float8Array(one.numbers)}::float8[], ${one.texts}::text[],
      ${one.tags && float8Array(one.tags)}::float8[], ${one.offsets && float8Array(one.offsets)}::float8[],
      ${one.hours && int4Array(one.hours.starts)}::int4[], ${one.hours && float8Array(one.hours.figures)}::float8[])`,
  )
  await sql`insert into metric_segments (individual_id, series_id, first_time, last_time, point_count, steps, wholes,
    numbers, texts, tags, offsets, hour_starts, hour_figures) values ${sql.join(rows)}`.execute(db)
}

/** One point as it is stored on its own. */
interface LoosePoint extends SeriesKey {
  time: number
  numbers: number[]
  texts: string[]
  tag: number | null
  offset: number | null
}

/** A single point carries only the texts it speaks of. */
export function loosePoint(key: SeriesKey, points: Points, at: number, isText: boolean[]): LoosePoint {
  const texts: string[] = []
  const numbers = points.columns.map((values, column) => {
    const value = values[at] as number
    if (!isText[column] || Number.isNaN(value)) return value
    return texts.push(points.texts[value] as string) - 1
  })
  const tag = tagOf(points, at)
  const tagPlace = tag === null ? null : texts.push(tag) - 1
  return { ...key, time: points.times[at] as number, numbers, texts, tag: tagPlace, offset: offsetOf(points, at) }
}

const literal = (numbers: number[]) => `{${numbers.join(',')}}`

const columnsOf = (points: LoosePoint[]) => sql`unnest(${points.map(({ individualId }) => individualId)}::uuid[],
    ${points.map(({ seriesId }) => seriesId)}::int8[], ${points.map(({ time }) => time)}::float8[],
    ${points.map(({ numbers }) => literal(numbers))}::text[],
    ${points.map(({ texts }) => (texts.length > 0 ? JSON.stringify(texts) : null))}::text[],
    ${points.map(({ tag }) => tag)}::float8[], ${points.map(({ offset }) => offset)}::float8[])
    with ordinality p (individual_id, series_id, time, numbers, texts, tag, utc_offset, place)`
const looseValues = sql`p.individual_id, p.series_id, to_timestamp(p.time), p.numbers::float8[],
  case when p.texts is not null then array(select jsonb_array_elements_text(p.texts::jsonb)) end, p.tag, p.utc_offset`

export async function insertLoose(db: Database, points: LoosePoint[]): Promise<void> {
  if (points.length === 0) return
  await sql`insert into metric_points (individual_id, series_id, time, numbers, texts, tag, utc_offset)
    select ${looseValues} from ${columnsOf(points)}`.execute(db)
}

/** What points said until now, with when that ended and by whom. */
export async function keepReplaced(db: Database, points: LoosePoint[], by: string, now: Date): Promise<void> {
  if (points.length === 0) return
  await sql`insert into metric_replaced_points
      (individual_id, series_id, time, numbers, texts, tag, utc_offset, id, replaced_at, replaced_by)
    select ${looseValues}, (${points.map(() => v7())}::uuid[])[p.place], ${now}, ${by} from ${columnsOf(points)}`.execute(
    db,
  )
}

/** A stored piece: a segment, or a loose point, which is read as a segment of one. */
export interface Piece {
  isLoose: boolean
  /** Which version of the row this is: whoever changes it must find the same. */
  version: string
  firstTime: number
  lastTime: number
  points: Points
}

interface PieceRow extends Omit<StoredSegment, 'firstTime'> {
  isLoose: boolean
  version: string
  firstTime: string
  lastTime: string
}

/**
 * Everything that is stored of a time, in one statement: a point that is just being moved into a segment is seen once.
 */
export async function piecesWithin(db: Database, key: SeriesKey, from: number, to: number): Promise<Piece[]> {
  const { rows } = await sql<PieceRow>`
    select false as is_loose, xmin::text as version, extract(epoch from first_time)::int8 as first_time,
      extract(epoch from last_time)::int8 as last_time, point_count as count, steps, wholes, numbers, texts, tags,
      offsets
    from metric_segments where individual_id = ${key.individualId} and series_id = ${key.seriesId}
      and first_time <= ${moment(to)} and last_time >= ${moment(from)}
    union all
    select true, xmin::text, extract(epoch from time)::int8, extract(epoch from time)::int8, 1, '{0}', null, numbers, texts,
      case when tag is not null then array[tag] end, case when utc_offset is not null then array[utc_offset] end
    from metric_points where individual_id = ${key.individualId} and series_id = ${key.seriesId}
      and time between ${moment(from)} and ${moment(to)}
    order by first_time`.execute(db)
  return rows.map(({ isLoose, version, firstTime, lastTime, ...arrays }) => ({
    isLoose,
    version,
    firstTime: Number(firstTime),
    lastTime: Number(lastTime),
    points: fromSegment({ firstTime: Number(firstTime), ...arrays }),
  }))
}

/** By whoever has locked the series. */
export async function removePieces(db: Database, key: SeriesKey, pieces: Piece[]): Promise<void> {
  const remove = async (table: 'metric_segments' | 'metric_points', column: string, some: Piece[]) => {
    if (some.length === 0) return
    await sql`delete from ${sql.table(table)} where individual_id = ${key.individualId} and series_id = ${key.seriesId}
      and ${sql.ref(column)} = any(array(select to_timestamp(at) from unnest(${some.map(({ firstTime }) => firstTime)}::float8[]) at))`.execute(
      db,
    )
  }
  await remove(
    'metric_segments',
    'first_time',
    pieces.filter(({ isLoose }) => !isLoose),
  )
  await remove(
    'metric_points',
    'time',
    pieces.filter(({ isLoose }) => isLoose),
  )
}

/** The time of the newest point before another; null when there is none. */
export async function newestBefore(db: Database, key: SeriesKey, time: number): Promise<number | null> {
  const isOwn = sql`individual_id = ${key.individualId} and series_id = ${key.seriesId}`
  const { rows } = await sql<{ newest: number | null }>`
    select greatest(
      (select extract(epoch from max(time))::float8 from metric_points where ${isOwn} and time < ${moment(time)}),
      (select case when last_time < ${moment(time)} then extract(epoch from last_time)::float8 else (
          select max(at) from (select extract(epoch from first_time)::float8 + seconds as at
            from segment_seconds(steps, point_count)) times where at < ${time}) end
        from metric_segments where ${isOwn} and first_time < ${moment(time)} order by first_time desc limit 1)
    ) as newest`.execute(db)
  return rows[0]?.newest ?? null
}

/** Numbers of points in the order of time, without their texts. */
export async function pointsWithin(
  db: Database,
  key: SeriesKey,
  from: number,
  to: number,
): Promise<Pick<Points, 'times' | 'columns'>> {
  const pieces = await piecesWithin(db, key, from, to)
  const places = pieces.flatMap(({ points }) =>
    points.times.flatMap((time, at) => (time >= from && time <= to ? [{ time, at, points }] : [])),
  )
  places.sort((a, b) => a.time - b.time)
  const width = pieces[0]?.points.columns.length ?? 0
  return {
    times: places.map(({ time }) => time),
    columns: Array.from({ length: width }, (_, column) =>
      places.map(({ at, points }) => points.columns[column]?.[at] as number),
    ),
  }
}
