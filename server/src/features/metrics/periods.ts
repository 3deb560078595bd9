// Hours, days, weeks and months as they are in a time zone: a day may have 23 or 25 hours.

import type { PERIODS } from '@almoner/contract/metrics/summaries'
import { LRUCache } from 'lru-cache'
import { Temporal } from 'temporal-polyfill'
import { Problem } from '../../platform/errors/problem.ts'

export type PeriodName = (typeof PERIODS)[number]

/** In seconds since 1970, and when it begins by the clock of the zone. */
export interface Period {
  start: number
  end: number
  local: string
}

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
/** Computing a calendar takes time: these are some fifty years of readings every day. */
const MOST_DAYS = 20_000
const DAYS_KEPT = 50_000

/** The periods of a day, UTC, are computed once: the next summary of the same zone needs the same. */
const known = new LRUCache<string, Period[]>({ max: DAYS_KEPT })

/** Says which period a moment is in. Only those that are asked for are computed. */
export class Calendar {
  readonly #name: PeriodName
  readonly #timeZone: string
  #last: Period = { start: 0, end: 0, local: '' }
  #days = 0

  constructor(name: PeriodName, timeZone: string) {
    this.#name = name
    this.#timeZone = timeZone
  }

  at(time: number): Period {
    const last = this.#last
    if (time >= last.start && time < last.end) return last
    const periods = this.#ofDay(Math.floor(time / DAY_SECONDS))
    this.#last = periods.find(({ end }) => time < end) as Period
    return this.#last
  }

  #ofDay(day: number): Period[] {
    const key = `${this.#name} ${this.#timeZone} ${day}`
    if (++this.#days > MOST_DAYS) throw new Problem('TooManyPeriods', { days: MOST_DAYS })
    let periods = known.get(key)
    if (!periods) {
      periods = periodsOf(this.#name, this.#timeZone, day * DAY_SECONDS, (day + 1) * DAY_SECONDS)
      known.set(key, periods)
    }
    return periods
  }
}

const secondsOf = (moment: Temporal.ZonedDateTime): number => moment.epochMilliseconds / 1000
const printed = (moment: Temporal.ZonedDateTime): string =>
  moment.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ')

/** Those that have a part of the time from one moment to before the other. */
function periodsOf(name: PeriodName, timeZone: string, from: number, to: number): Period[] {
  if (name === 'hour') return periodsOf('day', timeZone, from, to).flatMap((day) => hoursOf(day, timeZone))
  const moment = Temporal.Instant.fromEpochMilliseconds(from * 1000).toZonedDateTimeISO(timeZone)
  return walk(name, startOf(name, moment), from, to)
}

function walk(name: PeriodName, first: Temporal.ZonedDateTime, from: number, to: number): Period[] {
  const periods: Period[] = []
  for (let start = first; ; ) {
    const next = nextOf(name, start)
    const period = { start: secondsOf(start), end: secondsOf(next), local: printed(start) }
    if (period.end > from) periods.push(period)
    if (period.end >= to) return periods
    start = next
  }
}

/** Most days have twenty-four; only where clocks are changed are they looked up one by one. */
function hoursOf({ start, end, local }: Period, timeZone: string): Period[] {
  if (end - start !== DAY_SECONDS || !local.endsWith(' 00:00:00')) {
    const moment = Temporal.Instant.fromEpochMilliseconds(start * 1000).toZonedDateTimeISO(timeZone)
    return walk('hour', moment, start, end)
  }
  return Array.from({ length: 24 }, (_, hour) => ({
    start: start + hour * HOUR_SECONDS,
    end: start + (hour + 1) * HOUR_SECONDS,
    local: `${local.slice(0, 11)}${String(hour).padStart(2, '0')}:00:00`,
  }))
}

function startOf(name: PeriodName, moment: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  // By the clock on the wall: a zone half an hour off has its hours half an hour off.
  if (name === 'hour') return moment.round({ smallestUnit: 'hour', roundingMode: 'floor' })
  const date = moment.toPlainDate()
  // Weeks begin on Mondays.
  const first =
    name === 'week' ? date.subtract({ days: date.dayOfWeek - 1 }) : name === 'month' ? date.with({ day: 1 }) : date
  return first.toZonedDateTime({ timeZone: moment.timeZoneId })
}

const STEPS = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } }

function nextOf(name: PeriodName, start: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  if (name !== 'hour') return start.toPlainDate().add(STEPS[name]).toZonedDateTime({ timeZone: start.timeZoneId })
  const later = start.add({ hours: 1 })
  const whole = startOf('hour', later)
  // Where clocks are changed by half an hour the hour ends where the next one begins.
  return secondsOf(whole) > secondsOf(start) ? whole : later
}

/** Whether the hours of a zone have always been those of UTC, as far as figures of hours may be used for it. */
export function isWholeHours(timeZone: string): boolean {
  let isWhole = wholeHours.get(timeZone)
  if (isWhole === undefined) {
    const offsetAt = (year: number, month: number) =>
      Temporal.PlainDate.from({ year, month, day: 1 }).toZonedDateTime({ timeZone }).offsetNanoseconds / 1e9
    isWhole = Array.from({ length: LAST_YEAR - FIRST_YEAR }, (_, place) => FIRST_YEAR + place).every((year) =>
      [1, 4, 7, 10].every((month) => offsetAt(year, month) % 3600 === 0),
    )
    wholeHours.set(timeZone, isWhole)
  }
  return isWhole
}

const wholeHours = new Map<string, boolean>()
const [FIRST_YEAR, LAST_YEAR] = [1970, 2040]
