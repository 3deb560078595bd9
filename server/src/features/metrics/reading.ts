// A page of points, without reading those before it. The outlines of pieces say how many points each has and of which
// time; pieces that overlap in time form a cluster, and whole clusters are passed over by their counts.

import { type Page, printDatetime } from '@almoner/contract'
import type { Database } from '../../platform/db/database.ts'
import { type Points, typeNamed } from './points.ts'
import { pointPrinter } from './printing.ts'
import { type Held, type Outline, outlinesWithin, piecesAt, seriesOf } from './queries/reading.ts'

export interface Wanted {
  individualId: string
  type: string
  /** Seconds since 1970, both included. */
  from: number
  to: number
  /** With what points said before they were changed. */
  includeDeleted: boolean
  isSource: (source: string) => boolean
  descending: boolean
  page: { limit: number; offset: number }
}

interface Cluster {
  outlines: Outline[]
  firstTime: number
  lastTime: number
  count: number
}

/** Compaction moves points between the two statements of a read, so it may have to look again. */
const MOST_TRIES = 10

export async function readPoints(db: Database, wanted: Wanted): Promise<Page<Record<string, unknown>>> {
  const series = (await seriesOf(db, wanted.individualId, wanted.type)).filter(({ source }) => wanted.isSource(source))
  if (series.length === 0) return { items: [], total: 0 }
  const sources = new Map(series.map(({ id, source }) => [id, source]))
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const page = await tryToRead(db, wanted, sources)
    if (page) return page
  }
  throw new Error(`The points of ${wanted.individualId} were moved ${MOST_TRIES} times while they were read.`)
}

async function tryToRead(
  db: Database,
  wanted: Wanted,
  sources: Map<string, string>,
): Promise<Page<Record<string, unknown>> | null> {
  const { individualId, from, to, descending, page } = wanted
  const clusters = clustersOf(await outlinesWithin(db, individualId, [...sources.keys()], wanted))
  const isCut = ({ firstTime, lastTime }: Cluster) => firstTime < from || lastTime > to
  // Those at the edges of the time that is asked for are counted by looking.
  const edges = clusters.filter(isCut)
  const held = new Map<Cluster, Point[]>()
  const hold = async (some: Cluster[]): Promise<boolean> => {
    const missing = some.filter((cluster) => !held.has(cluster))
    const outlines = missing.flatMap((cluster) => cluster.outlines)
    if (outlines.length === 0) return true
    const pieces = await piecesAt(db, individualId, outlines)
    if (pieces.length !== outlines.length) return false
    for (const cluster of missing) held.set(cluster, pointsOf(cluster, pieces, sources, from, to))
    return true
  }
  if (!(await hold(edges))) return null
  const sizeOf = (cluster: Cluster) => held.get(cluster)?.length ?? cluster.count
  const total = clusters.reduce((sum, cluster) => sum + sizeOf(cluster), 0)
  const onPage: { cluster: Cluster; skip: number }[] = []
  let passed = 0
  for (const cluster of descending ? clusters.toReversed() : clusters) {
    const size = sizeOf(cluster)
    if (passed + size > page.offset && passed < page.offset + page.limit)
      onPage.push({ cluster, skip: Math.max(0, page.offset - passed) })
    passed += size
  }
  if (!(await hold(onPage.map(({ cluster }) => cluster)))) return null
  const print = pointPrinter(typeNamed(wanted.type))
  const items: Record<string, unknown>[] = []
  for (const { cluster, skip } of onPage) {
    const points = held.get(cluster) as Point[]
    for (let at = skip; at < points.length && items.length < page.limit; at++) {
      const point = points[descending ? points.length - 1 - at : at] as Point
      const printed = print(point.points, point.place, point.source)
      const { replacedAt, replacedBy } = point.held
      if (replacedAt) Object.assign(printed, { 'deleted-at': printDatetime(replacedAt), 'deleted-by': replacedBy })
      items.push(printed)
    }
  }
  return { items, total }
}

function clustersOf(outlines: Outline[]): Cluster[] {
  const clusters: Cluster[] = []
  for (const outline of outlines.sort((a, b) => a.firstTime - b.firstTime)) {
    const last = clusters.at(-1)
    if (last && outline.firstTime <= last.lastTime) {
      last.outlines.push(outline)
      last.count += outline.count
      last.lastTime = Math.max(last.lastTime, outline.lastTime)
    } else {
      const { firstTime, lastTime, count } = outline
      clusters.push({ outlines: [outline], firstTime, lastTime, count })
    }
  }
  return clusters
}

interface Point {
  time: number
  source: string
  points: Points
  place: number
  held: Held
}

/** In the order of time, then of source. */
function pointsOf(
  { outlines, firstTime, lastTime }: Cluster,
  pieces: Held[],
  sources: Map<string, string>,
  from: number,
  to: number,
): Point[] {
  const all: Point[] = []
  for (const held of pieces) {
    const { seriesId, points } = held
    const start = points.times[0] as number
    if (start < firstTime || start > lastTime) continue
    const source = sources.get(seriesId) as string
    for (const [place, time] of points.times.entries())
      if (time >= from && time <= to) all.push({ time, source, points, place, held })
  }
  // A single piece is in order already.
  if (outlines.length > 1) all.sort(byTime)
  return all
}

/** At the same time by source, and what a point said before in the order it was said. */
function byTime(a: Point, b: Point): number {
  if (a.time !== b.time) return a.time - b.time
  if (a.source !== b.source) return a.source < b.source ? -1 : 1
  return (a.held.replacedAt?.getTime() ?? Number.MAX_VALUE) - (b.held.replacedAt?.getTime() ?? Number.MAX_VALUE)
}
