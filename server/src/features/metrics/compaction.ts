// Putting loose points and short segments together, in the background. What is to be written is made ready without any
// lock; only the exchange itself locks the series, for no longer than a push does.

import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { job, task } from '../../platform/queue/queue.ts'
import { append, columnsOf, emptyPoints, numericColumns, type Points, typeNamed } from './points.ts'
import { insertSegments, type Piece, piecesWithin, removePieces, type SeriesKey } from './queries/segments.ts'
import { cuts, DENSE_DAY, toSegment } from './segments.ts'

export const seriesToCompact = job<SeriesKey>('compact-series')

export const compactSeries = task<SeriesKey>({
  ...seriesToCompact,
  async run(key, { db }) {
    await compact(db, key)
  },
})

/** How far back from its end a series is looked through for short segments. */
const RECENT_SECONDS = 14 * 86_400
const LEAST_OF_SEGMENT = 16
const MOST_TRIES = 5

export async function compact(db: Database, key: SeriesKey): Promise<void> {
  // Who writes meanwhile is not waited for: what was made ready is then made anew.
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) if (await exchanged(db, key)) return
}

/** False when what was read has been changed before it could be exchanged. */
async function exchanged(db: Database, key: SeriesKey): Promise<boolean> {
  const series = await seriesAt(db, key)
  if (!series) return true
  const pieces = await piecesWithin(db, key, series.from, series.to)
  const runs = runsOf(pieces)
  if (runs.length === 0) return true
  const type = typeNamed(series.type)
  const isText = columnsOf(type).map((column) => column.isText)
  const numeric = numericColumns(type).map(({ column }) => column)
  const segments = runs.flatMap((run) => {
    const points = merged(run, isText)
    return cuts(points.times).map(([start, end]) => ({ ...key, ...toSegment(points, start, end, isText, numeric) }))
  })
  return db.transaction().execute(async (trx) => {
    await sql`select from metric_series where individual_id = ${key.individualId} and id = ${key.seriesId} for update`.execute(
      trx,
    )
    const versions = await versionsWithin(trx, key, series.from, series.to)
    if (versions !== versionsOf(pieces)) return false
    await removePieces(trx, key, runs.flat())
    await insertSegments(trx, segments)
    return true
  })
}

/** Where there is something to put together: from the first loose point, or from a while ago, to the end. */
async function seriesAt(
  db: Database,
  { individualId, seriesId }: SeriesKey,
): Promise<{ type: string; from: number; to: number } | undefined> {
  const { rows } = await sql<{ type: string; from: string; to: string }>`
    select s.type, extract(epoch from least(s.last_time - make_interval(secs => ${RECENT_SECONDS}),
        (select min(time) from metric_points p where p.individual_id = s.individual_id and p.series_id = s.id)))::int8 as "from",
      extract(epoch from s.last_time)::int8 as "to"
    from metric_series s where s.individual_id = ${individualId} and s.id = ${seriesId}`.execute(db)
  const [row] = rows
  return row && { type: row.type, from: Number(row.from), to: Number(row.to) }
}

const versionsOf = (pieces: Piece[]) =>
  pieces
    .map(({ isLoose, firstTime, version }) => `${isLoose} ${firstTime} ${version}`)
    .sort()
    .join()

async function versionsWithin(db: Database, key: SeriesKey, from: number, to: number): Promise<string> {
  const pieces = await piecesWithin(db, key, from, to)
  return versionsOf(pieces)
}

/**
 * Pieces that become one, in the order of time: loose points and short segments that follow each other, and long
 * segments with the loose points between their own.
 */
export function runsOf(pieces: Piece[]): Piece[][] {
  const runs: Piece[][] = []
  let run: Piece[] = []
  let inside: Piece[] | null = null
  let insideUntil = 0
  const close = () => {
    runs.push(run)
    run = []
  }
  for (const piece of pieces.toSorted((a, b) => a.firstTime - b.firstTime || Number(a.isLoose) - Number(b.isLoose))) {
    const isShort = piece.isLoose || piece.points.times.length < DENSE_DAY
    if (inside && piece.isLoose && piece.firstTime < insideUntil) inside.push(piece)
    else if (isShort) run.push(piece)
    else {
      close()
      inside = [piece]
      insideUntil = piece.lastTime
      runs.push(inside)
    }
  }
  close()
  return runs.filter((some) => {
    const points = some.reduce((sum, piece) => sum + piece.points.times.length, 0)
    return some.length > 1 && points >= LEAST_OF_SEGMENT
  })
}

function merged(run: Piece[], isText: boolean[]): Points {
  const all = emptyPoints(isText.length)
  const places = run
    .flatMap(({ points }) => points.times.map((time, at) => ({ time, points, at })))
    .sort((a, b) => a.time - b.time)
  for (const { points, at } of places) append(all, points, at, at + 1, isText)
  return all
}
