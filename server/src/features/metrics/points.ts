// Points of one series in memory: columns of numbers, in the order of time, each time once.
//
// Every value is a number. An enumeration is the place in its list; a text is its place in the `texts` of the series of
// points; what a point is without is NaN. So a field is one column, whatever its kind, and a store of numbers is enough.

import { isNumeric, type MetricType, metricTypes } from '@almoner/contract/metrics/metric-types'

/** A scalar of an open type's point, or a value of a declared field. */
export type Scalar = string | number | boolean | null

export interface Points {
  /** Seconds since 1970, ascending. */
  times: number[]
  /** One for each field of the type, as long as `times`. */
  columns: number[][]
  /** The texts that columns of texts point into. */
  texts: string[]
  /** Minutes that the writer's clock was ahead of UTC; null where no point says. */
  offsets: number[] | null
  /** Places in `texts`; null where no point has any. */
  tags: number[] | null
}

/** An open type keeps the fields of a point as one text of JSON. */
const OPEN_FIELD = 'fields'

/** The columns of a type, in their order in the store. */
export function columnsOf(type: MetricType): { name: string; isText: boolean; values: readonly string[] | null }[] {
  if (type.isOpen) return [{ name: OPEN_FIELD, isText: true, values: null }]
  return Object.entries(type.fields).map(([name, field]) => ({
    name,
    isText: field.kind === 'text' || field.kind === 'uuid',
    values: field.values ?? null,
  }))
}

/** Which columns are numbers to compute with. */
export const numericColumns = (type: MetricType): { name: string; column: number }[] =>
  Object.entries(type.fields).flatMap(([name, field], column) => (isNumeric(field) ? [{ name, column }] : []))

/** The values of a field of numbers, one for each point; NaN where a point has none. */
export const columnOf = (typeName: string, { columns }: Pick<Points, 'columns'>, field: string): number[] =>
  columns[Object.keys(typeNamed(typeName).fields).indexOf(field)] ?? []

export const typeNamed = (name: string): MetricType => {
  const type = metricTypes.get(name)
  if (!type) throw new Error(`There is no metric type ${name}.`)
  return type
}

export const emptyPoints = (columns: number): Points => ({
  times: [],
  columns: Array.from({ length: columns }, () => []),
  texts: [],
  offsets: null,
  tags: null,
})

/** What a point says, to be compared with what another says: texts by their letters, not by their places. */
export function isSame(one: Points, at: number, other: Points, otherAt: number, isText: boolean[]): boolean {
  for (let column = 0; column < isText.length; column++) {
    const [mine, theirs] = [one.columns[column]?.[at] as number, other.columns[column]?.[otherAt] as number]
    if (Number.isNaN(mine) || Number.isNaN(theirs)) {
      if (!(Number.isNaN(mine) && Number.isNaN(theirs))) return false
    } else if (isText[column] ? one.texts[mine] !== other.texts[theirs] : mine !== theirs) return false
  }
  return tagOf(one, at) === tagOf(other, otherAt) && offsetOf(one, at) === offsetOf(other, otherAt)
}

export const tagOf = ({ tags, texts }: Points, at: number): string | null => {
  const place = tags?.[at]
  return place === undefined || Number.isNaN(place) ? null : (texts[place] as string)
}
export const offsetOf = ({ offsets }: Points, at: number): number | null => {
  const offset = offsets?.[at]
  return offset === undefined || Number.isNaN(offset) ? null : offset
}

/** Adds points of another set to the end of this one, texts and all. */
export function append(into: Points, from: Points, start: number, end: number, isText: boolean[]): void {
  const places = new Map<number, number>()
  const placeOf = (place: number): number => {
    if (Number.isNaN(place)) return place
    let known = places.get(place)
    if (known === undefined) {
      const text = from.texts[place] as string
      known = into.texts.indexOf(text)
      if (known < 0) known = into.texts.push(text) - 1
      places.set(place, known)
    }
    return known
  }
  const before = into.times.length
  for (let at = start; at < end; at++) into.times.push(from.times[at] as number)
  for (const [column, values] of into.columns.entries()) {
    const source = from.columns[column] as number[]
    for (let at = start; at < end; at++)
      values.push(isText[column] ? placeOf(source[at] as number) : (source[at] as number))
  }
  into.tags = joined(into.tags, from.tags, before, start, end, placeOf)
  into.offsets = joined(into.offsets, from.offsets, before, start, end, (value) => value)
}

/** Columns that most series do without: they begin to exist with the first value. */
function joined(
  into: number[] | null,
  from: number[] | null,
  before: number,
  start: number,
  end: number,
  change: (value: number) => number,
): number[] | null {
  if (!into && !from) return null
  const all = into ?? new Array<number>(before).fill(Number.NaN)
  for (let at = start; at < end; at++) all.push(from ? change(from[at] as number) : Number.NaN)
  return all
}

export function slice(points: Points, start: number, end: number, isText: boolean[]): Points {
  if (start === 0 && end === points.times.length) return points
  const { times, columns, texts, tags, offsets } = points
  if (texts.length === 0)
    return {
      times: times.slice(start, end),
      columns: columns.map((values) => values.slice(start, end)),
      texts,
      tags,
      offsets: offsets?.slice(start, end) ?? null,
    }
  const part = emptyPoints(points.columns.length)
  append(part, points, start, end, isText)
  return part
}
