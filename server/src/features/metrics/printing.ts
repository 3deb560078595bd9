// How points are answered.

import type { MetricType } from '@almoner/contract/metrics/metric-types'
import { columnsOf, offsetOf, type Points, tagOf } from './points.ts'

const DAY_SECONDS = 86_400
const two = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** `YYYY-MM-DD hh:mm:ss`. Points of a page are mostly of the same day, which is printed once. */
export function timePrinter(): (seconds: number) => string {
  let day = Number.NaN
  let printed = ''
  return (seconds) => {
    const today = Math.floor(seconds / DAY_SECONDS)
    if (today !== day) {
      day = today
      printed = new Date(today * DAY_SECONDS * 1000).toISOString().slice(0, 10)
    }
    const clock = seconds - today * DAY_SECONDS
    return `${printed} ${two[Math.floor(clock / 3600)]}:${two[Math.floor(clock / 60) % 60]}:${two[clock % 60]}`
  }
}

const printOffset = (minutes: number): string =>
  `${minutes < 0 ? '-' : '+'}${two[Math.floor(Math.abs(minutes) / 60)]}:${two[Math.abs(minutes) % 60]}`

export function pointPrinter(
  type: MetricType,
): (points: Points, at: number, source: string) => Record<string, unknown> {
  const columns = columnsOf(type)
  const print = timePrinter()
  return (points, at, source) => {
    const printed: Record<string, unknown> = { type: type.name, time: print(points.times[at] as number), source }
    for (let column = 0; column < columns.length; column++) {
      const { name, isText, values } = columns[column] as (typeof columns)[number]
      const value = points.columns[column]?.[at] as number
      if (Number.isNaN(value)) continue
      if (type.isOpen) Object.assign(printed, JSON.parse(points.texts[value] as string))
      else printed[name] = values ? values[value] : isText ? points.texts[value] : value
    }
    if (points.tags) {
      const tag = tagOf(points, at)
      if (tag !== null) printed.tags = tag
    }
    if (points.offsets) {
      const offset = offsetOf(points, at)
      if (offset !== null) printed['utc-offset'] = printOffset(offset)
    }
    return printed
  }
}
