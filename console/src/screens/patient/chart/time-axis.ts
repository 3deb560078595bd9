// Where the time axis has its marks, by the clock and the calendar of a zone.

import { LANGUAGE_TAGS, type Language } from '../../../language/language.ts'
import { DAY, HOUR, MINUTE, type TimeRange } from './time-view.ts'
import { fromLocal, toLocal } from './zoned-time.ts'

export interface Ticks {
  at: number[]
  labels: string[]
}

const LEAST_PIXELS = 72
const MONTH = 30.4 * DAY

/** Steps of the clock in seconds, then of the calendar in days and months. */
const CLOCK = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * MINUTE)
const DAYS = [1, 2, 7, 14]
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240]

const printers = new Map<string, Intl.DateTimeFormat>()
function print(language: Language, options: Intl.DateTimeFormatOptions, local: number): string {
  const key = `${language}${JSON.stringify(options)}`
  let printer = printers.get(key)
  if (!printer) {
    printer = new Intl.DateTimeFormat(LANGUAGE_TAGS[language], { ...options, timeZone: 'UTC' })
    printers.set(key, printer)
  }
  return printer.format(local * 1000)
}

let last: { key: string; ticks: Ticks } | undefined

/** All panels ask for the same in a frame. */
export function ticksOf(range: TimeRange, width: number, zone: string, language: Language): Ticks {
  const key = `${range.from} ${range.to} ${width} ${zone} ${language}`
  if (last?.key !== key) last = { key, ticks: computed(range, width, zone, language) }
  return last.ticks
}

function computed({ from, to }: TimeRange, width: number, zone: string, language: Language): Ticks {
  const least = ((to - from) / Math.max(width, 1)) * LEAST_PIXELS
  const [first, end] = [toLocal(zone, from), toLocal(zone, to)]
  const clock = CLOCK.find((step) => step >= least)
  const days = DAYS.find((step) => step * DAY >= least)
  const locals = clock
    ? stepped(first, end, clock, 0)
    : days
      ? // 1970-01-05 was a Monday.
        stepped(first, end, days * DAY, 4 * DAY)
      : monthly(first, end, MONTHS.find((step) => step * MONTH >= least) ?? 480)
  const labels = locals.map((local, place) => {
    if (clock) return local % DAY === 0 ? dayLabel(local, language, place === 0) : clockLabel(local, language)
    return days ? dayLabel(local, language, place === 0) : monthLabel(local, language, place === 0)
  })
  const at = locals.map((local) => fromLocal(zone, local))
  // A label at the very edge would be cut off.
  const edge = to - least * 0.4
  return { at, labels: labels.map((label, place) => ((at[place] as number) > edge ? '' : label)) }
}

function stepped(first: number, end: number, step: number, anchor: number): number[] {
  const found: number[] = []
  for (let at = Math.ceil((first - anchor) / step) * step + anchor; at <= end; at += step) found.push(at)
  return found
}

function monthly(first: number, end: number, step: number): number[] {
  const found: number[] = []
  const date = new Date(first * 1000)
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth()
  for (let month = Math.floor(months / step) * step; ; month += step) {
    const at = Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000
    if (at > end) return found
    if (at >= first) found.push(at)
  }
}

const isNewYear = (local: number) => new Date(local * 1000).getUTCMonth() === 0

const clockLabel = (local: number, language: Language) =>
  print(language, { hour: 'numeric', minute: local % HOUR === 0 ? undefined : '2-digit' }, local)

const dayLabel = (local: number, language: Language, isFirst: boolean) =>
  print(language, { month: 'short', day: 'numeric', ...(isFirst ? { year: 'numeric' } : {}) }, local)

function monthLabel(local: number, language: Language, isFirst: boolean): string {
  if (isNewYear(local)) return print(language, { year: 'numeric' }, local)
  return print(language, { month: 'short', ...(isFirst ? { year: 'numeric' } : {}) }, local)
}
