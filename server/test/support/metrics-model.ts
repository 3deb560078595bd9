// A plain account of what the store of metrics has to answer: a map of points, and what they said before.

import { isNumeric, type MetricType, metricTypes } from '@almoner/contract/metrics/metric-types'
import type { PERIODS } from '@almoner/contract/metrics/summaries'
import { Temporal } from 'temporal-polyfill'

type Fields = Record<string, string | number | boolean>

/** What a point says. */
export interface Said {
  fields: Fields
  tag: string | null
  /** Minutes ahead of UTC. */
  offset: number | null
}

export interface Series {
  individualId: string
  type: string
  source: string
  points: Map<number, Said>
  replaced: { time: number; said: Said }[]
}

export interface Item {
  individualId: string
  type: string
  source?: string
  data: Record<string, unknown>[]
}

export interface Line {
  individualId: string
  type: string
  stored: number
  updated: number
  unchanged: number
}

export interface Selection {
  individualId: string
  type: string
  /** Seconds since 1970, both included. */
  from?: number | undefined
  to?: number | undefined
  source?: string[] | undefined
}

type Period = (typeof PERIODS)[number]

export const typeNamed = (name: string) => metricTypes.get(name) as MetricType
export const printTime = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
const two = (number: number) => String(number).padStart(2, '0')
const printOffset = (minutes: number) =>
  `${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`

/** The moment as a writer whose clock is so far ahead of UTC says it. */
export const printLocal = (seconds: number, offset: number) =>
  `${printTime(seconds + offset * 60).replace(' ', 'T')}${printOffset(offset)}`

/** What a point of a request says; `time` and `source` are left to the caller. */
function saidOf(type: MetricType, point: Record<string, unknown>): Said {
  const { type: _, time, source: _source, tags, ...fields } = point as Fields
  for (const [name, value] of Object.entries(fields))
    if (type.fields[name]?.kind === 'uuid') fields[name] = String(value).toLowerCase()
  const [, sign, hours, minutes] = /T.*([+-])(\d\d):(\d\d)$/.exec(String(time)) ?? []
  const offset = sign
    ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes))
    : /T.*Z$/.test(String(time))
      ? 0
      : null
  return { fields, tag: (tags as string | undefined) ?? null, offset }
}

const secondsOf = (time: string) =>
  Math.floor(Date.parse(time[10] === 'T' ? time : `${time.replace(' ', 'T')}Z`) / 1000)

/** Independent of the order in which fields were given. */
const wordsOf = ({ fields, tag, offset }: Said) =>
  JSON.stringify([Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)), tag, offset])

export class MetricsModel {
  #series = new Map<string, Series>()

  get series(): Series[] {
    return [...this.#series.values()]
  }

  /** Of points of a request that are of the same time the last one holds; if it was there, nothing has changed. */
  push(items: Item[]): Line[] {
    const lines = new Map<string, Line>()
    const arrived = new Map<Series, Map<number, Said[]>>()
    for (const { individualId, source: ofItem = 'api', data } of items)
      for (const point of data) {
        const series = this.#at(individualId, String(point.type), String(point.source ?? ofItem))
        const times = arrived.get(series) ?? new Map<number, Said[]>()
        arrived.set(series, times)
        const time = secondsOf(String(point.time))
        times.set(time, [...(times.get(time) ?? []), saidOf(typeNamed(series.type), point)])
      }
    for (const [{ individualId, type, points, replaced }, times] of arrived) {
      const line = lines.get(individualId + type) ?? { individualId, type, stored: 0, updated: 0, unchanged: 0 }
      lines.set(individualId + type, line)
      for (const [time, sayings] of times) {
        const compare = (before: Said, after: Said) => {
          if (wordsOf(before) === wordsOf(after)) line.unchanged++
          else {
            line.updated++
            replaced.push({ time, said: before })
          }
        }
        const [before, last] = [points.get(time), sayings.at(-1) as Said]
        if (before && wordsOf(before) === wordsOf(last)) {
          line.unchanged += sayings.length
          continue
        }
        if (before) compare(before, last)
        else line.stored++
        for (const [place, said] of sayings.slice(0, -1).entries()) compare(said, sayings[place + 1] as Said)
        points.set(time, last)
      }
    }
    return [...lines.values()]
  }

  #at(individualId: string, type: string, source: string): Series {
    const key = JSON.stringify([individualId, type, source])
    const series: Series = this.#series.get(key) ?? { individualId, type, source, points: new Map(), replaced: [] }
    this.#series.set(key, series)
    return series
  }

  erase(individualId: string): void {
    for (const [key, series] of this.#series) if (series.individualId === individualId) this.#series.delete(key)
  }

  #selected({ individualId, type, source }: Selection): Series[] {
    const names = source?.map((name) => name.toLowerCase())
    return this.series.filter(
      (one) =>
        one.individualId === individualId && one.type === type && (!names || names.includes(one.source.toLowerCase())),
    )
  }

  /** By time and source; what a point said before stands before what it says. */
  read(asked: Selection & { includeDeleted: boolean }): { shown: Record<string, unknown>; isReplaced: boolean }[] {
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, includeDeleted } = asked
    return this.#selected(asked)
      .flatMap(({ type, source, points, replaced }) => [
        ...(includeDeleted ? replaced.map((one) => ({ ...one, type, source, isReplaced: true })) : []),
        ...Array.from(points, ([time, said]) => ({ time, said, type, source, isReplaced: false })),
      ])
      .filter(({ time }) => time >= from && time <= to)
      .sort((a, b) => a.time - b.time || (a.source < b.source ? -1 : a.source > b.source ? 1 : 0))
      .map(({ time, said, type, source, isReplaced }) => ({ shown: shownPoint(type, source, time, said), isReplaced }))
  }

  /** Slowly: every point is put into its period by itself. */
  summaries(asked: Selection & { period: Period; timezone: string }): Summary[] {
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, period, timezone } = asked
    const numeric = Object.entries(typeNamed(asked.type).fields).filter(([, field]) => isNumeric(field))
    const found = new Map<number, { bounds: Bounds; values: Map<string, { time: number; value: number }[]> }>()
    for (const { points } of this.#selected(asked))
      for (const [time, { fields }] of points) {
        if (time < from || time > to) continue
        for (const [name] of numeric) {
          const value = fields[name]
          if (value === undefined) continue
          const bounds = boundsOf(period, timezone, time)
          const { values } = found.get(bounds.start) ?? { values: new Map() }
          found.set(bounds.start, { bounds, values })
          values.set(name, [...(values.get(name) ?? []), { time, value: Number(value) }])
        }
      }
    return [...found.values()]
      .sort((a, b) => a.bounds.start - b.bounds.start)
      .map(({ bounds, values }) => ({
        start: new Date(bounds.start * 1000),
        end: new Date(bounds.end * 1000),
        localStart: bounds.local,
        fields: Object.fromEntries(
          numeric.flatMap(([name, { isAdditive }]) => {
            const all = values.get(name)
            return all ? [[name, figuresOf(all, isAdditive ?? false)]] : []
          }),
        ),
      }))
  }
}

function shownPoint(type: string, source: string, time: number, { fields, tag, offset }: Said) {
  return {
    type,
    time: printTime(time),
    source,
    ...fields,
    ...(tag === null ? {} : { tags: tag }),
    ...(offset === null ? {} : { 'utc-offset': printOffset(offset) }),
  }
}

export interface Figures {
  count: number
  minimum: number
  maximum: number
  mean: number
  sum?: number
  /** Of several sources at the same moment any may be the first or the last. */
  first: number[]
  last: number[]
}

export interface Summary {
  start: Date
  end: Date
  localStart: string
  fields: Record<string, Figures>
}

function figuresOf(all: { time: number; value: number }[], isAdditive: boolean): Figures {
  const values = all.map(({ value }) => value)
  const times = all.map(({ time }) => time)
  const [earliest, latest] = [Math.min(...times), Math.max(...times)]
  const sum = values.reduce((total, value) => total + value, 0)
  return {
    count: all.length,
    minimum: Math.min(...values),
    maximum: Math.max(...values),
    mean: sum / all.length,
    first: all.filter(({ time }) => time === earliest).map(({ value }) => value),
    last: all.filter(({ time }) => time === latest).map(({ value }) => value),
    ...(isAdditive ? { sum } : {}),
  }
}

interface Bounds {
  start: number
  end: number
  local: string
}

const QUARTER_SECONDS = 900
const known = new Map<string, Bounds>()

/** The period of a moment, by the clock and the calendar of a zone. */
function boundsOf(period: Period, timezone: string, time: number): Bounds {
  const quarter = Math.floor(time / QUARTER_SECONDS) * QUARTER_SECONDS
  const key = `${period} ${timezone} ${quarter}`
  let bounds = known.get(key)
  if (!bounds) {
    const [start, end] = period === 'hour' ? hourAround(quarter, timezone) : datesAround(period, quarter, timezone)
    const local = start.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ')
    bounds = { start: start.epochMilliseconds / 1000, end: end.epochMilliseconds / 1000, local }
    known.set(key, bounds)
  }
  return bounds
}

const clockAt = (seconds: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(timezone)

/** An hour begins where the minutes are 0, and where clocks are changed. */
const isHourStart = (clock: Temporal.ZonedDateTime) =>
  clock.minute === 0 || clock.offsetNanoseconds !== clock.subtract({ seconds: 1 }).offsetNanoseconds

function hourAround(quarter: number, timezone: string): [Temporal.ZonedDateTime, Temporal.ZonedDateTime] {
  let start = quarter
  while (!isHourStart(clockAt(start, timezone))) start -= QUARTER_SECONDS
  let end = quarter + QUARTER_SECONDS
  while (!isHourStart(clockAt(end, timezone))) end += QUARTER_SECONDS
  return [clockAt(start, timezone), clockAt(end, timezone)]
}

function datesAround(
  period: 'day' | 'week' | 'month',
  quarter: number,
  timezone: string,
): [Temporal.ZonedDateTime, Temporal.ZonedDateTime] {
  const date = clockAt(quarter, timezone).toPlainDate()
  const [first, next] = {
    day: () => [date, date.add({ days: 1 })] as const,
    week: () => [date.subtract({ days: date.dayOfWeek - 1 }), date.add({ days: 8 - date.dayOfWeek })] as const,
    month: () => [date.with({ day: 1 }), date.with({ day: 1 }).add({ months: 1 })] as const,
  }[period]()
  return [first.toZonedDateTime(timezone), next.toZonedDateTime(timezone)]
}
