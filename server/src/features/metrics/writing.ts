// Storing what arrived. Most of it comes after everything its series has and is simply added. The rest is compared with
// what is there: what is the same is left alone, what differs takes its place, and what was there is kept aside.

import type { Database } from '../../platform/db/database.ts'
import type { Arrival } from './arrival.ts'
import { append as appendPoints, emptyPoints, isSame, type Points } from './points.ts'
import {
  insertLoose,
  insertSegments,
  keepReplaced,
  loosePoint,
  type Piece,
  piecesWithin,
  removePieces,
  type SeriesKey,
} from './queries/segments.ts'
import { appendToSeries, changeSeries, type LockedSeries, lockSeries, pointOf } from './queries/series.ts'
import { cuts, toSegment } from './segments.ts'

export interface Outcome {
  stored: number
  updated: number
  unchanged: number
  /** Loose points of the series by now, for whoever puts them together. */
  loose: number
  seriesId: string
  /** The newest time that counted before. */
  horizon: number
  /** Which of the points come after that, from here to before there. What follows is of a wrong clock. */
  newFrom: number
  newTo: number
  /** Whether something up to the horizon was added or changed. */
  isLate: boolean
}

/** Clocks may be a little ahead. What is further in the future is of a wrong one, and hides nothing that comes later. */
const AHEAD_SECONDS = 3600

/** Fewer points than these are kept on their own. */
const LEAST_OF_SEGMENT = 16
/** So many new points inside a segment are worth writing it anew. */
const LEAST_TO_REWRITE = 32

interface Writer {
  by: string
  now: Date
}

/** Points that come after everything their series has, which is locked, and who sent them. */
interface Added {
  arrival: Arrival
  key: SeriesKey
  writer: Writer
}

export interface Taken {
  /** In the order of the arrivals. */
  outcomes: Outcome[]
  /** What is still to be added; nothing else depends on it. */
  added: Added[]
}

type WriterOf = (arrival: Arrival) => Writer
/** The series that arrivals were put at the end of, by their keys. */
type Appended = Map<string, Awaited<ReturnType<typeof appendToSeries>>[number]>

/** The first step, in one statement. No two arrivals are of one series. */
export async function append(db: Database, arrivals: Arrival[], writerOf: WriterOf): Promise<Appended> {
  const trustedTimes = arrivals.map(
    (arrival) => arrival.points.times[countOfTrusted(arrival, writerOf(arrival)) - 1] ?? null,
  )
  const rows = await appendToSeries(db, arrivals, { leastOfSegment: LEAST_OF_SEGMENT, trustedTimes })
  return new Map(rows.map((row) => [keyOf(row), row]))
}

/** The second: what is to be compared with what is there is stored, and the rest is ready to be added. */
export async function take(db: Database, arrivals: Arrival[], writerOf: WriterOf, appended: Appended): Promise<Taken> {
  const outcomes = new Map<Arrival, Outcome>()
  const added: Added[] = []
  for (const arrival of arrivals) {
    const series = appended.get(keyOf(arrival))
    if (!series) continue
    const writer = writerOf(arrival)
    added.push({ arrival, key: { individualId: arrival.individualId, seriesId: series.id }, writer })
    const { points, overwritten, unchanged } = arrival
    const counts = { stored: points.times.length, updated: overwritten.times.length, unchanged }
    const place = { horizon: -Infinity, newFrom: 0, newTo: countOfTrusted(arrival, writer), isLate: false }
    outcomes.set(arrival, { ...counts, seriesId: series.id, loose: series.loose, ...place })
  }
  const others = arrivals.filter((arrival) => !outcomes.has(arrival))
  const locked = others.length > 0 ? await lockSeries(db, others) : []
  for (const series of locked) {
    const arrival = others.find((one) => keyOf(one) === keyOf(series)) as Arrival
    outcomes.set(arrival, await merge(db, series, arrival, writerOf(arrival)))
  }
  return { outcomes: arrivals.map((arrival) => outcomes.get(arrival) as Outcome), added }
}

/** All steps, where nothing else happens beside. */
export async function store(db: Database, arrivals: Arrival[], writerOf: WriterOf): Promise<Outcome[]> {
  const { outcomes, added } = await take(db, arrivals, writerOf, await append(db, arrivals, writerOf))
  await add(db, added)
  return outcomes
}

/** They are in the order of time. */
function countOfTrusted({ points: { times } }: Arrival, { now }: Writer): number {
  const ahead = now.getTime() / 1000 + AHEAD_SECONDS
  const first = (times.at(-1) as number) <= ahead ? -1 : times.findIndex((time) => time > ahead)
  return first === -1 ? times.length : first
}

const keyOf = ({ individualId, type, source }: { individualId: string; type: string; source: string }) =>
  `${individualId}${type} ${source}`

const allLoose = (key: SeriesKey, points: Points, isText: boolean[]) =>
  points.times.map((_, at) => loosePoint(key, points, at, isText))

/** Sends all of it at once. */
export async function add(db: Database, added: Added[]): Promise<void> {
  const isLong = ({ arrival }: Added) => arrival.points.times.length >= LEAST_OF_SEGMENT
  await Promise.all([
    insertSegments(
      db,
      added.filter(isLong).flatMap(({ arrival, key }) => segmentsOf(key, arrival.points, arrival)),
    ),
    insertLoose(
      db,
      added.filter((one) => !isLong(one)).flatMap(({ arrival, key }) => allLoose(key, arrival.points, arrival.isText)),
    ),
    ...added.map(({ arrival, key, writer }) =>
      keepReplaced(db, allLoose(key, arrival.overwritten, arrival.isText), writer.by, writer.now),
    ),
  ])
}

const segmentsOf = (key: SeriesKey, points: Points, { isText, numeric }: Pick<Arrival, 'isText' | 'numeric'>) =>
  cuts(points.times).map(([start, end]) => ({ ...key, ...toSegment(points, start, end, isText, numeric) }))

/** What becomes of one stored piece. */
interface Change {
  piece: Piece
  /** What its changed points say now, and where they are in the arrival. */
  changed: { at: number; arrivedAt: number }[]
  /** New points between its own. */
  inner: number[]
}

async function merge(db: Database, series: LockedSeries, arrival: Arrival, writer: Writer): Promise<Outcome> {
  const { by, now } = writer
  const { points, isText, type } = arrival
  const key = { individualId: series.individualId, seriesId: series.id }
  const [first, last] = [points.times[0] as number, points.times.at(-1) as number]
  const pieces = await piecesWithin(db, key, first, last)
  const { changes, outer, unchanged } = compare(arrival, pieces)
  // What came twice and ends as it was before changed nothing either.
  const overwritten = allLoose(key, arrival.overwritten, isText).filter(({ time }) => !unchanged.has(time))
  const replaced = changes.flatMap(({ piece, changed }) =>
    changed.map(({ at }) => loosePoint(key, piece.points, at, isText)),
  )
  await keepReplaced(db, [...replaced, ...overwritten], by, now)

  const loose: number[] = []
  const whole: Points[] = []
  const rewritten: Change[] = []
  for (const change of changes) {
    if (change.changed.length > 0 || change.inner.length >= LEAST_TO_REWRITE) rewritten.push(change)
    else loose.push(...change.inner)
  }
  for (const group of outer) {
    if (group.length < LEAST_OF_SEGMENT) loose.push(...group)
    else whole.push(pick(points, group, isText))
  }
  await removePieces(
    db,
    key,
    rewritten.map(({ piece }) => piece),
  )
  const again = rewritten.map((change) => ({ change, points: rewrittenPoints(change, points, isText) }))
  await insertSegments(db, [
    ...whole.flatMap((some) => segmentsOf(key, some, arrival)),
    ...again.filter(({ change }) => !change.piece.isLoose).flatMap((one) => segmentsOf(key, one.points, arrival)),
  ])
  await insertLoose(db, [
    ...loose.map((at) => loosePoint(key, points, at, isText)),
    ...again.filter(({ change }) => change.piece.isLoose).flatMap((one) => allLoose(key, one.points, isText)),
  ])

  const updated = replaced.length
  const stored = points.times.length - updated - unchanged.size
  const horizon = series.trustedTime
  const newTo = countOfTrusted(arrival, writer)
  const newFrom = points.times.slice(0, newTo).filter((time) => time <= horizon).length
  if (stored + updated > 0 || newFrom < newTo)
    await changeSeries(db, {
      ...key,
      id: series.id,
      added: stored,
      loose: loose.length,
      firstTime: Math.min(series.firstTime, first),
      lastTime: Math.max(series.lastTime, last),
      trustedTime: newFrom < newTo ? (points.times[newTo - 1] as number) : horizon,
      lastPoint: last >= series.lastTime ? pointOf(type, points, points.times.length - 1) : null,
    })
  const came = arrival.overwritten.times.length
  return {
    seriesId: series.id,
    stored,
    updated: updated + overwritten.length,
    unchanged: arrival.unchanged + unchanged.size + came - overwritten.length,
    loose: series.loose + loose.length,
    horizon,
    newFrom,
    newTo,
    isLate: points.times.slice(0, newFrom).some((time) => !unchanged.has(time)),
  }
}

/** Sorts the arrived points by what they meet: the same, something else, a place inside a segment, or nothing. */
function compare({ points, isText }: Arrival, pieces: Piece[]) {
  const segments = pieces.filter(({ isLoose }) => !isLoose)
  const changes = new Map<Piece, Change>()
  const changeOf = (piece: Piece): Change => {
    let change = changes.get(piece)
    if (!change) {
      change = { piece, changed: [], inner: [] }
      changes.set(piece, change)
    }
    return change
  }
  const placed = new Map<number, { piece: Piece; at: number }>()
  for (const piece of pieces) for (const [at, time] of piece.points.times.entries()) placed.set(time, { piece, at })
  const outer: number[][] = []
  const unchanged = new Set<number>()
  let gap = -1
  let segment = 0
  for (const [arrivedAt, time] of points.times.entries()) {
    while (segment < segments.length && (segments[segment] as Piece).lastTime < time) segment++
    const there = placed.get(time)
    const within = segments[segment]
    if (there) {
      if (isSame(there.piece.points, there.at, points, arrivedAt, isText)) unchanged.add(time)
      else changeOf(there.piece).changed.push({ at: there.at, arrivedAt })
    } else if (within && within.firstTime < time) changeOf(within).inner.push(arrivedAt)
    else if (gap === segment) (outer.at(-1) as number[]).push(arrivedAt)
    else {
      // Points between the same two segments can become a segment; a segment never reaches over another.
      outer.push([arrivedAt])
      gap = segment
    }
  }
  return { changes: [...changes.values()], outer, unchanged }
}

function pick(points: Points, places: number[], isText: boolean[]): Points {
  const some = emptyPoints(isText.length)
  for (const at of places) appendPoints(some, points, at, at + 1, isText)
  return some
}

function rewrittenPoints({ piece, changed, inner }: Change, arrived: Points, isText: boolean[]): Points {
  const changedAt = new Map(changed.map(({ at, arrivedAt }) => [at, arrivedAt]))
  const { times } = piece.points
  const all = emptyPoints(isText.length)
  let next = 0
  for (let at = 0; at < times.length; at++) {
    while (next < inner.length && (arrived.times[inner[next] as number] as number) < (times[at] as number)) {
      appendPoints(all, arrived, inner[next] as number, (inner[next] as number) + 1, isText)
      next++
    }
    const arrivedAt = changedAt.get(at)
    if (arrivedAt === undefined) appendPoints(all, piece.points, at, at + 1, isText)
    else appendPoints(all, arrived, arrivedAt, arrivedAt + 1, isText)
  }
  return all
}
