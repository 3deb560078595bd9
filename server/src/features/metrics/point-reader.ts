// From the points of a request to columns, with every fault at its place. This is where most of the time of an ingest
// goes, so a good point costs no allocation but its numbers.

import { type ErrorEntry, errorEntry, formats, parseDatetime } from '@almoner/contract'
import {
  METRIC_TYPE_NAMES,
  type MetricField,
  type MetricType,
  metricTypes,
} from '@almoner/contract/metrics/metric-types'
import { escapePointer } from '../../platform/http/validation.ts'
import { emptyPoints, type Points } from './points.ts'

/** The points of one series in a request, as they came: any order, a time more than once. */
export interface SeriesPoints {
  individualId: string
  type: string
  source: string
  points: Points
}

/** An item of the body's `data`. */
export interface SeriesItem {
  individualId: string
  type: string
  source?: string
  data: (Record<string, unknown> | PointRun)[]
}

export const TEXT_LENGTH = 255
const MOST_OPEN_FIELDS = 50
const MOST_FAULTS = 1000
const RESERVED = new Set(['type', 'time', 'source', 'tags'])
/** What an answer adds to a point. */
const OWN = new Set(['utc-offset', 'deleted-at', 'deleted-by'])

export interface Reader {
  type: MetricType
  fields: { name: string; field: MetricField; places: Map<string, number> | null }[]
}

export const readers = new Map<string, Reader>(
  [...metricTypes.values()].map((type) => [
    type.name,
    {
      type,
      fields: Object.entries(type.fields).map(([name, field]) => ({
        name,
        field,
        places: field.values ? new Map(field.values.map((value, place) => [value, place])) : null,
      })),
    },
  ]),
)

/** Points of one type, numbers alone, that were read at once. Stands in the list in their place. */
export class PointRun {
  readonly type: string
  readonly times: number[] = []
  readonly columns: number[][]

  constructor({ type, fields }: Reader) {
    this.type = type.name
    this.columns = fields.map(() => [])
  }
}

class Series implements SeriesPoints {
  readonly individualId: string
  readonly type: string
  readonly source: string
  readonly points: Points
  readonly #places = new Map<string, number>()

  constructor(individualId: string, type: string, source: string, columns: number) {
    this.individualId = individualId
    this.type = type
    this.source = source
    this.points = emptyPoints(columns)
  }

  /** Where a text stands among those of the series. */
  placeOf(text: string): number {
    let place = this.#places.get(text)
    if (place === undefined) {
      place = this.points.texts.push(text) - 1
      this.#places.set(text, place)
    }
    return place
  }
}

/** Throws nothing: what is wrong is in `faults`, and then `series` is of no use. */
export function readSeries(items: SeriesItem[], callerName: string): { series: SeriesPoints[]; faults: ErrorEntry[] } {
  const all = new Map<string, Series>()
  const faults = new Faults()
  for (const [index, item] of items.entries()) {
    const at = `/data/${index}/attributes`
    const fallback = item.source ?? callerName
    let hasOwnType = false
    // Points of one kind come in a row: what the last one belonged to is looked up once.
    let lastType: unknown
    let lastSource: unknown
    let current: Series | undefined
    let reader: Reader | undefined
    for (let place = 0; place < item.data.length; place++) {
      const raw = item.data[place] as Record<string, unknown> | PointRun
      if (raw instanceof PointRun) {
        readRun(seriesOf(all, item.individualId, readers.get(raw.type) as Reader, fallback), raw)
        if (raw.type === item.type) hasOwnType = true
        continue
      }
      const { type, source } = raw
      if (current === undefined || type !== lastType || source !== lastSource) {
        reader = typeof type === 'string' ? readers.get(type) : undefined
        if (!reader) faults.wrongType(`${at}/data/${place}`, type)
        const isSource = source === undefined || isName(source)
        if (!isSource) faults.add(`${at}/data/${place}/source`, `must be a text of 1 to ${TEXT_LENGTH} characters`)
        current = reader && seriesOf(all, item.individualId, reader, typeof source === 'string' ? source : fallback)
        lastType = type
        // A wrong one is looked at, and told of, each time.
        lastSource = isSource ? source : Number.NaN
      }
      if (type === item.type) hasOwnType = true
      if (reader && current) readPoint(reader, current, raw, at, place, faults)
    }
    if (!hasOwnType) faults.add(`${at}/type`, 'must be the type of one of the points')
  }
  return { series: [...all.values()], faults: faults.entries() }
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= TEXT_LENGTH

function seriesOf(all: Map<string, Series>, individualId: string, { type, fields }: Reader, source: string): Series {
  const key = `${individualId}${type.name} ${source}`
  let series = all.get(key)
  if (!series) {
    series = new Series(individualId, type.name, source, type.isOpen ? 1 : fields.length)
    all.set(key, series)
  }
  return series
}

function readRun({ points }: Series, { times, columns }: PointRun): void {
  if (points.times.length === 0) {
    points.times = times
    points.columns = columns
    return
  }
  for (const time of times) points.times.push(time)
  for (const [column, values] of columns.entries()) for (const value of values) points.columns[column]?.push(value)
  addRest(points, 'offsets')
  addRest(points, 'tags')
}

function readPoint(
  { type, fields }: Reader,
  series: Series,
  raw: Record<string, unknown>,
  at: string,
  place: number,
  faults: Faults,
): void {
  const { points } = series
  const moment = readTime(raw.time)
  if (!moment) faults.wrongTime(`${at}/data/${place}`, raw.time)
  let known =
    1 + (raw.time === undefined ? 0 : 1) + (raw.source === undefined ? 0 : 1) + (raw.tags === undefined ? 0 : 1)
  if (type.isOpen) {
    known += readOpen(series, raw, `${at}/data/${place}`, faults)
  } else {
    let given = 0
    for (let column = 0; column < fields.length; column++) {
      const { name, field, places } = fields[column] as Reader['fields'][number]
      const value = raw[name]
      let number = Number.NaN
      if (value === undefined) {
        if (!field.isOptional) faults.missing(`${at}/data/${place}/${name}`)
      } else {
        given++
        if (typeof value === 'number' && !places && isWithin(field, value)) number = value
        else if (typeof value === 'string') number = readText(series, field, places, value)
        if (Number.isNaN(number)) faults.add(`${at}/data/${place}/${name}`, wordingOf(field))
      }
      points.columns[column]?.push(number)
    }
    if (given === 0)
      faults.add(`${at}/data/${place}`, `must have at least one of ${Object.keys(type.fields).join(', ')}`)
    known += given
  }
  let keys = 0
  for (const _ in raw) keys++
  if (keys !== known && !type.isOpen) faults.unknown(`${at}/data/${place}`, raw, type)
  const hasTags = isName(raw.tags)
  if (raw.tags !== undefined && !hasTags)
    faults.add(`${at}/data/${place}/tags`, `must be a text of 1 to ${TEXT_LENGTH} characters`)
  if (!moment) return
  points.times.push(moment.seconds)
  addRare(points, 'offsets', moment.offset)
  addRare(points, 'tags', hasTags ? series.placeOf(raw.tags as string) : null)
}

export const isWithin = ({ kind, minimum, maximum }: MetricField, value: number): boolean =>
  (kind === 'integer' ? Number.isInteger(value) : kind === 'float') &&
  value >= (minimum as number) &&
  value <= (maximum as number)

function readText(series: Series, { kind }: MetricField, places: Map<string, number> | null, value: string): number {
  if (places) return places.get(value) ?? Number.NaN
  if (kind === 'text' && isName(value)) return series.placeOf(value)
  if (kind === 'uuid' && formats.uuid?.check(value)) return series.placeOf(value.toLowerCase())
  return Number.NaN
}

/** Answers how many keys it read. The fields are kept in the order of their names, so that the same is the same. */
function readOpen(series: Series, raw: Record<string, unknown>, pointer: string, faults: Faults): number {
  const names = Object.keys(raw)
    .filter((name) => !RESERVED.has(name))
    .sort()
  for (const name of names) {
    const value = raw[name]
    const isScalar =
      typeof value === 'boolean' ||
      (typeof value === 'number' && Number.isFinite(value)) ||
      (typeof value === 'string' && value.length <= TEXT_LENGTH)
    if (OWN.has(name)) faults.add(`${pointer}/${escapePointer(name)}`, 'is a name of our own: choose another')
    else if (!isScalar || name.length > TEXT_LENGTH)
      faults.add(
        `${pointer}/${escapePointer(name)}`,
        `must be a number, true, false or a text of at most ${TEXT_LENGTH} characters`,
      )
  }
  if (names.length === 0) faults.add(pointer, 'must have at least one field besides type and time')
  if (names.length > MOST_OPEN_FIELDS) faults.add(pointer, `must have at most ${MOST_OPEN_FIELDS} fields`)
  const kept = JSON.stringify(Object.fromEntries(names.map((name) => [name, raw[name]])))
  series.points.columns[0]?.push(series.placeOf(kept))
  return names.length
}

/** Columns that most series do without begin to exist with the first value. Called after the time was added. */
function addRare(points: Points, column: 'offsets' | 'tags', value: number | null): void {
  const all = points[column]
  if (all) all.push(value ?? Number.NaN)
  else if (value !== null) points[column] = [...new Array<number>(points.times.length - 1).fill(Number.NaN), value]
}

/** Those of a run have none. */
function addRest(points: Points, column: 'offsets' | 'tags'): void {
  const all = points[column]
  while (all && all.length < points.times.length) all.push(Number.NaN)
}

/** Seconds from 1970 to the beginning of `YYYY-MM-DD`; NaN when there is no such day. */
export const readDay = (day: string): number => (parseDatetime(`${day} 00:00:00`)?.getTime() ?? Number.NaN) / 1000

let lastDay = ''
let lastDaySeconds = 0

/** The interface's own form is read by hand: it is what devices send, a thousand at a time and mostly of the same day. */
export function readTime(value: unknown): { seconds: number; offset: number | null } | null {
  if (typeof value !== 'string') return null
  if (value.length === 19 && value.charCodeAt(10) === 32) {
    const clock = readClock(value)
    if (clock >= 0) {
      if (value.startsWith(lastDay) && lastDay !== '') return { seconds: lastDaySeconds + clock, offset: null }
      const day = readDay(value.slice(0, 10))
      if (Number.isNaN(day)) return null
      lastDay = value.slice(0, 10)
      lastDaySeconds = day
      return { seconds: lastDaySeconds + clock, offset: null }
    }
  }
  const moment = parseDatetime(value)
  if (!moment) return null
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(value) ?? []
  const offset = sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : value[10] === ' ' ? null : 0
  return { seconds: Math.floor(moment.getTime() / 1000), offset }
}

/** Seconds since midnight of `… hh:mm:ss`; -1 when it is not that. */
function readClock(value: string): number {
  if (value.charCodeAt(13) !== 58 || value.charCodeAt(16) !== 58) return -1
  const hours = digitsAt(value, 11)
  const minutes = digitsAt(value, 14)
  const seconds = digitsAt(value, 17)
  return hours < 24 && minutes < 60 && seconds < 60 ? hours * 3600 + minutes * 60 + seconds : -1
}

/** Two of them; NaN when they are not. */
function digitsAt(value: string, at: number): number {
  const tens = value.charCodeAt(at) - 48
  const ones = value.charCodeAt(at + 1) - 48
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? Number.NaN : tens * 10 + ones
}

function wordingOf({ kind, values, minimum, maximum }: MetricField): string {
  if (kind === 'enumeration') return `must be one of ${values?.join(', ')}`
  if (kind === 'text') return `must be a text of 1 to ${TEXT_LENGTH} characters`
  if (kind === 'uuid') return `must be ${formats.uuid?.wording}`
  return `must be ${kind === 'integer' ? 'a whole number' : 'a number'} from ${minimum} to ${maximum}`
}

/** Every fault there is, up to as many as an answer lists. */
class Faults {
  readonly #found: ErrorEntry[] = []
  #count = 0

  #push(make: () => ErrorEntry): void {
    if (++this.#count <= MOST_FAULTS) this.#found.push(make())
  }

  add(pointer: string, fault: string): void {
    this.#push(() => errorEntry('InvalidValue', { pointer, fault }))
  }

  missing(pointer: string): void {
    this.#push(() => errorEntry('MissingValue', { pointer }))
  }

  wrongType(pointer: string, type: unknown): void {
    if (type === undefined) this.missing(`${pointer}/type`)
    else this.add(`${pointer}/type`, `must be a metric type: ${METRIC_TYPE_NAMES.join(', ')}`)
  }

  wrongTime(pointer: string, time: unknown): void {
    if (time === undefined) this.missing(`${pointer}/time`)
    else this.add(`${pointer}/time`, `must be ${formats.datetime?.wording}`)
  }

  unknown(pointer: string, raw: Record<string, unknown>, { fields }: MetricType): void {
    for (const name of Object.keys(raw)) {
      if (!RESERVED.has(name) && !Object.hasOwn(fields, name))
        this.#push(() => errorEntry('UnknownAttribute', { pointer: `${pointer}/${escapePointer(name)}` }))
    }
  }

  entries(): ErrorEntry[] {
    const left = this.#count - this.#found.length
    return left > 0 ? [...this.#found, errorEntry('TooManyFaults', { count: left })] : this.#found
  }
}
