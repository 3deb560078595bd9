// A segment is a run of points of one series in one row: the steps between their times and the columns of their values
// as plain PostgreSQL arrays, which the database compresses. Beside them stand the figures of each hour, so that a
// summary of a year reads no points.

import { type Points, slice } from './points.ts'

/** What goes into a row of `metric_segments`, in the order of its columns. */
export interface Segment {
  firstTime: number
  lastTime: number
  count: number
  /** A single one is the same between all points. */
  steps: number[]
  /** All columns, one after the other: where every number is a small whole one as these, and else as those. */
  wholes: number[] | null
  numbers: number[] | null
  texts: string[] | null
  tags: number[] | null
  offsets: number[] | null
  hours: Hours | null
}

/** Figures of the hours that have points, for each column in turn. */
export interface Hours {
  /** Hours since 1970. */
  starts: number[]
  /** For each column and hour: count, minimum, maximum, sum, first, last, and the seconds of these two. */
  figures: ArrayLike<number>
}

export const FIGURES = 8
const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
/** A day with so many points is a segment of its own; days with fewer share one. */
export const DENSE_DAY = 256
/** More would make a change of one point costly. */
const MOST_POINTS = 2048
/** Figures take less room than the points they are of, or they are not kept. */
const LEAST_POINTS_AN_HOUR = 8
const LONGEST_STEP = 2 ** 31 - 1
const [LEAST_WHOLE, MOST_WHOLE] = [-(2 ** 15), 2 ** 15 - 1]

/** Where points are cut into segments: at the end of a dense day, and before one grows too long. */
export function cuts(times: number[]): [start: number, end: number][] {
  const parts: [number, number][] = []
  let start = 0
  while (start < times.length) {
    let end = start
    while (end < times.length) {
      const dayEnd = endOfDay(times, end)
      const isDense = dayEnd - end >= DENSE_DAY
      // A dense day begins a segment of its own.
      if (isDense && end > start) break
      if (dayEnd - start > MOST_POINTS) {
        if (end === start) end = start + MOST_POINTS
        break
      }
      if (end > start && (times[end] as number) - (times[end - 1] as number) > LONGEST_STEP) break
      end = dayEnd
      if (isDense) break
    }
    parts.push([start, end])
    start = end
  }
  return parts
}

/** The first point of a later day, UTC. */
function endOfDay(times: number[], from: number): number {
  const day = Math.floor((times[from] as number) / DAY_SECONDS)
  let [low, high] = [from + 1, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (Math.floor((times[middle] as number) / DAY_SECONDS) > day) high = middle
    else low = middle + 1
  }
  return low
}

/** `numeric` are the columns that figures are kept of. */
export function toSegment(points: Points, start: number, end: number, isText: boolean[], numeric: number[]): Segment {
  const part = slice(points, start, end, isText)
  const { times } = part
  const values = part.columns.length === 1 ? (part.columns[0] as number[]) : part.columns.flat()
  const isWhole = areSmallAndWhole(values)
  return {
    firstTime: times[0] as number,
    lastTime: times[times.length - 1] as number,
    count: times.length,
    steps: stepsOf(times),
    wholes: isWhole ? values : null,
    numbers: isWhole ? null : values,
    texts: part.texts.length > 0 ? part.texts : null,
    tags: part.tags,
    offsets: part.offsets,
    hours: hoursOf(part, numeric),
  }
}

function stepsOf(times: number[]): number[] {
  const first = times.length > 1 ? (times[1] as number) - (times[0] as number) : 0
  let isRegular = true
  for (let at = 2; at < times.length && isRegular; at++)
    isRegular = (times[at] as number) - (times[at - 1] as number) === first
  if (isRegular) return [first]
  const steps = new Array<number>(times.length)
  steps[0] = 0
  for (let at = 1; at < times.length; at++) steps[at] = (times[at] as number) - (times[at - 1] as number)
  return steps
}

function areSmallAndWhole(values: number[]): boolean {
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number
    if (!Number.isInteger(value) || value < LEAST_WHOLE || value > MOST_WHOLE) return false
  }
  return true
}

export type StoredSegment = Pick<
  Segment,
  'firstTime' | 'count' | 'steps' | 'wholes' | 'numbers' | 'texts' | 'tags' | 'offsets'
>

export function fromSegment(segment: StoredSegment): Points {
  const { firstTime, count, steps, wholes, numbers, texts, tags, offsets } = segment
  const times = new Array<number>(count)
  const [step] = steps
  let time = firstTime
  for (let at = 0; at < count; at++) {
    if (steps.length > 1) time += steps[at] as number
    else if (at > 0) time += step as number
    times[at] = time
  }
  const values = wholes ?? (numbers as number[])
  const width = values.length / count
  const columns =
    width === 1
      ? [values]
      : Array.from({ length: width }, (_, column) => values.slice(column * count, (column + 1) * count))
  return { times, columns, texts: texts ?? [], tags, offsets }
}

function hoursOf({ times, columns }: Points, numeric: number[]): Hours | null {
  if (numeric.length === 0) return null
  const starts: number[] = []
  const bounds: number[] = []
  for (let at = 0; at < times.length; at++) {
    const hour = Math.floor((times[at] as number) / HOUR_SECONDS)
    if (starts.length === 0 || starts[starts.length - 1] !== hour) {
      starts.push(hour)
      bounds.push(at)
    }
  }
  if (times.length < starts.length * LEAST_POINTS_AN_HOUR) return null
  bounds.push(times.length)
  const figures = new Float64Array(numeric.length * starts.length * FIGURES)
  for (let place = 0, base = 0; place < numeric.length; place++) {
    const values = columns[numeric[place] as number] as number[]
    for (let hour = 0; hour < starts.length; hour++, base += FIGURES) {
      const [start, end] = [bounds[hour] as number, bounds[hour + 1] as number]
      writeFigures(figures, base, times, values, start, end, (starts[hour] as number) * HOUR_SECONDS)
    }
  }
  return { starts, figures }
}

function writeFigures(
  figures: Float64Array,
  base: number,
  times: number[],
  values: number[],
  start: number,
  end: number,
  hour: number,
): void {
  let count = 0
  let minimum = Number.NaN
  let maximum = Number.NaN
  let sum = 0
  let first = -1
  let last = -1
  for (let at = start; at < end; at++) {
    const value = values[at] as number
    if (Number.isNaN(value)) continue
    if (count === 0) {
      minimum = maximum = value
      first = at
    } else if (value < minimum) minimum = value
    else if (value > maximum) maximum = value
    sum += value
    last = at
    count++
  }
  figures[base] = count
  figures[base + 1] = minimum
  figures[base + 2] = maximum
  figures[base + 3] = sum
  figures[base + 4] = count > 0 ? (values[first] as number) : Number.NaN
  figures[base + 5] = count > 0 ? (values[last] as number) : Number.NaN
  figures[base + 6] = count > 0 ? (times[first] as number) - hour : 0
  figures[base + 7] = count > 0 ? (times[last] as number) - hour : 0
}
