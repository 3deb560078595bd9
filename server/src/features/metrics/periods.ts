// Hours, days, weeks and months as they are in a time zone: a day may have 23 or 25 hours.

import type { PERIODS } from '@almoner/contract/metrics/summaries'
import { LRUCache } from 'lru-cache'
import { Temporal } from 'temporal-polyfill'

export type Period = (typeof PERIODS)[number]

/** When a period begins: in seconds since 1970, and by the clock of the zone. */
export interface Start {
  at: number
  local: string
}

const QUARTER_SECONDS = 900
const HOUR_SECONDS = 3600
const YEARS_KEPT = 200

/** Calendars are computed a year at a time and kept: the next summary of the same zone needs the same. */
const years = new LRUCache<string, Start[]>({ max: YEARS_KEPT })

/** From the period that holds `from` to the first after `to`. */
export function periodStarts(period: Period, timeZone: string, from: number, to: number): Start[] {
  const starts: Start[] = []
  for (let year = yearAt(from) - 1; ; year++) {
    starts.push(...startsOf(period, timeZone, year))
    if ((starts.at(-1) as Start).at > to) break
  }
  const first = starts.findLastIndex(({ at }) => at <= from)
  const last = starts.findIndex(({ at }) => at > to)
  return starts.slice(first, last + 1)
}

const yearAt = (seconds: number): number => new Date(seconds * 1000).getUTCFullYear()

/** Those of the periods that begin in a year by the zone's own calendar. */
function startsOf(period: Period, timeZone: string, year: number): Start[] {
  const key = `${period} ${timeZone} ${year}`
  let starts = years.get(key)
  if (!starts) {
    starts = period === 'hour' ? hoursOf(timeZone, year) : datesOf(period, timeZone, year)
    years.set(key, starts)
  }
  return starts
}

const startOf = (date: Temporal.PlainDate, timeZone: string): Start => {
  const moment = date.toZonedDateTime({ timeZone })
  return { at: moment.epochMilliseconds / 1000, local: printed(moment) }
}
/** A day may begin at one o'clock, where the clocks are put forward at midnight. */
const printed = (moment: Temporal.ZonedDateTime): string => moment.toPlainDateTime().toString().replace('T', ' ')

const STEPS = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } }

function datesOf(period: 'day' | 'week' | 'month', timeZone: string, year: number): Start[] {
  let date = Temporal.PlainDate.from({ year, month: 1, day: 1 })
  // Weeks begin on Mondays.
  if (period === 'week') date = date.add({ days: (8 - date.dayOfWeek) % 7 })
  const starts: Start[] = []
  for (; date.year === year; date = date.add(STEPS[period])) starts.push(startOf(date, timeZone))
  return starts
}

/** By the clock on the wall: a zone half an hour off has its hours half an hour off. */
function hoursOf(timeZone: string, year: number): Start[] {
  const days = startsOf('day', timeZone, year)
  const end = startOf(Temporal.PlainDate.from({ year: year + 1, month: 1, day: 1 }), timeZone).at
  const starts: Start[] = []
  for (const [place, day] of days.entries()) {
    const next = days[place + 1]?.at ?? end
    if (next - day.at === 24 * HOUR_SECONDS) {
      const date = day.local.slice(0, 10)
      for (let hour = 0; hour < 24; hour++)
        starts.push({ at: day.at + hour * HOUR_SECONDS, local: `${date} ${String(hour).padStart(2, '0')}:00:00` })
    } else starts.push(...hoursOfChange(day.at, next, timeZone))
  }
  return starts
}

/** Where the clocks are changed, an hour begins where the minutes are 0. */
function hoursOfChange(from: number, to: number, timeZone: string): Start[] {
  const starts: Start[] = []
  for (let at = from; at < to; at += QUARTER_SECONDS) {
    const moment = Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(timeZone)
    if (moment.minute === 0 || at === from) starts.push({ at, local: printed(moment) })
  }
  return starts
}
