// Points of a request put in order: ascending, each time once, with what that meant for those that came twice.

import type { SeriesPoints } from './point-reader.ts'
import { append, columnsOf, emptyPoints, isSame, numericColumns, type Points, typeNamed } from './points.ts'

/** A series' part of a request, ready to be stored. */
export interface Arrival {
  individualId: string
  type: string
  source: string
  points: Points
  /** Which columns hold texts, and which hold numbers to compute with. */
  isText: boolean[]
  numeric: number[]
  /** Of the points that came more than once: those that said something else first. */
  overwritten: Points
  unchanged: number
}

export function arrivalOf({ individualId, type, source, points }: SeriesPoints): Arrival {
  const metric = typeNamed(type)
  const columns = columnsOf(metric)
  const isText = columns.map((column) => column.isText)
  const numeric = numericColumns(metric).map(({ column }) => column)
  const series = { individualId, type, source, isText, numeric }
  if (isAscending(points.times)) return { ...series, points, overwritten: emptyPoints(columns.length), unchanged: 0 }
  return { ...series, ...inOrder(points, isText) }
}

function isAscending(times: number[]): boolean {
  for (let at = 1; at < times.length; at++) if ((times[at] as number) <= (times[at - 1] as number)) return false
  return true
}

/** Of several points of the same time the last one holds. */
function inOrder(points: Points, isText: boolean[]) {
  const { times } = points
  const order = times.map((_, place) => place).sort((a, b) => (times[a] as number) - (times[b] as number) || a - b)
  const kept = emptyPoints(isText.length)
  const overwritten = emptyPoints(isText.length)
  let unchanged = 0
  for (const [index, place] of order.entries()) {
    const next = order[index + 1]
    if (next === undefined || times[next] !== times[place]) append(kept, points, place, place + 1, isText)
    else if (isSame(points, place, points, next, isText)) unchanged++
    else append(overwritten, points, place, place + 1, isText)
  }
  return { points: kept, overwritten, unchanged }
}
