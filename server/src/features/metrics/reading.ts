// A page of points, without reading those before it. The outlines of pieces say how many points each has and of which
// time; pieces that overlap in time form a cluster, and whole clusters are passed over by their counts.

import { type Page, printDatetime } from '@almoner/contract'
import type { Database } from '../../platform/db/database.ts'
import { type Points, typeNamed } from './points.ts'
import { pointPrinter } from './printing.ts'
import { type Held, type Outline, outlinesWithin, piecesAt, type SeriesOutlines } from './queries/reading.ts'

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

/** `outlines` are those of what is wanted, asked for just before. */
export async function readPoints(
  db: Database,
  wanted: Wanted,
  outlines: SeriesOutlines[],
): Promise<Page<Record<string, unknown>>> {
  let found = outlines
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const page = await tryToRead(db, wanted, found)
    if (page) return page
    found = await outlinesWithin(db, wanted.individualId, wanted.type, wanted)
  }
  throw new Error(`The points of ${wanted.individualId} were moved ${MOST_TRIES} times while they were read.`)
}

async function tryToRead(
  db: Database,
  wanted: Wanted,
  found: SeriesOutlines[],
): Promise<Page<Record<string, unknown>> | null> {
  const { individualId, from, to, descending, page } = wanted
  const series = found.filter(({ source }) => wanted.isSource(source))
  const sources = new Map(series.map(({ seriesId, source }) => [seriesId, source]))
  const clusters = clustersOf(series.flatMap(({ outlines }) => outlines))
  const isCut = ({ firstTime, lastTime }: Cluster) => firstTime < from || lastTime > to
  const inOrder = descending ? clusters.toReversed() : clusters
  const held = new Map<Cluster, Point[]>()
  const hold = async (some: Cluster[]): Promise<boolean> => {
    const missing = some.filter((cluster) => !held.has(cluster))
    const outlines = missing.flatMap((cluster) => cluster.outlines)
    if (outlines.length === 0) return true
    const pieces = await piecesAt(db, individualId, outlines)
    if (!isAsOutlined(pieces, outlines)) return false
    for (const cluster of missing) held.set(cluster, pointsOf(cluster, pieces, sources, from, to))
    return true
  }
  // Those at the edges of the time are counted by looking, and what may be on the page is read with them.
  const mayBeOnPage = new Set(possible(inOrder, isCut, page))
  if (!(await hold(clusters.filter((cluster) => isCut(cluster) || mayBeOnPage.has(cluster))))) return null
  const sizeOf = (cluster: Cluster) => held.get(cluster)?.length ?? cluster.count
  const total = clusters.reduce((sum, cluster) => sum + sizeOf(cluster), 0)
  const onPage: { cluster: Cluster; skip: number }[] = []
  let passed = 0
  for (const cluster of inOrder) {
    const size = sizeOf(cluster)
    if (passed + size > page.offset && passed < page.offset + page.limit)
      onPage.push({ cluster, skip: Math.max(0, page.offset - passed) })
    passed += size
  }
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

/** Whether what was read is still what its outlines said: compaction may have come between. */
function isAsOutlined(pieces: Held[], outlines: Outline[]): boolean {
  const key = (seriesId: string, time: number, count: number, isReplaced: boolean) =>
    `${seriesId} ${time} ${count} ${isReplaced}`
  const found = new Set(
    pieces.map(({ seriesId, points, replacedAt }) =>
      key(seriesId, points.times[0] as number, points.times.length, replacedAt !== null),
    ),
  )
  return (
    pieces.length === outlines.length &&
    outlines.every(({ kind, seriesId, firstTime, count }) =>
      found.has(key(seriesId, firstTime, count, kind === 'replaced')),
    )
  )
}

/** The clusters that a page may reach into, while it is not known how much of those at the edges counts. */
function possible(clusters: Cluster[], isCut: (one: Cluster) => boolean, page: Wanted['page']): Cluster[] {
  const some: Cluster[] = []
  let [least, most] = [0, 0]
  for (const cluster of clusters) {
    const isReached = least < page.offset + page.limit
    most += cluster.count
    if (isReached && most > page.offset) some.push(cluster)
    if (!isCut(cluster)) least += cluster.count
  }
  return some
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
  const [mine, theirs] = [a.held.replacedAt?.getTime() ?? Infinity, b.held.replacedAt?.getTime() ?? Infinity]
  if (mine !== theirs) return mine - theirs
  return (a.held.replacedId ?? '') < (b.held.replacedId ?? '') ? -1 : 1
}
