// Figures of periods, put together from figures of hours and from points.

import type { Calendar, Period } from './periods.ts'
import type { Points } from './points.ts'
import { FIGURES, type Hours } from './segments.ts'

const HOUR_SECONDS = 3600

/** What is known of one field in one period. */
export interface Sum {
  count: number
  minimum: number
  maximum: number
  sum: number
  first: number
  last: number
  firstTime: number
  lastTime: number
}

const nothing = (): Sum => ({
  count: 0,
  minimum: Number.POSITIVE_INFINITY,
  maximum: Number.NEGATIVE_INFINITY,
  sum: 0,
  first: Number.NaN,
  last: Number.NaN,
  firstTime: Number.POSITIVE_INFINITY,
  lastTime: Number.NEGATIVE_INFINITY,
})

export class Sums {
  readonly #calendar: Calendar
  readonly #fields: number[]
  readonly #sums = new Map<Period, Sum[]>()

  /** `fields` are the columns that are numbers. */
  constructor(calendar: Calendar, fields: number[]) {
    this.#calendar = calendar
    this.#fields = fields
  }

  #at(time: number): Sum[] {
    const period = this.#calendar.at(time)
    let sums = this.#sums.get(period)
    if (!sums) {
      sums = this.#fields.map(nothing)
      this.#sums.set(period, sums)
    }
    return sums
  }

  addHours({ starts, figures }: Hours): void {
    for (const [place, hour] of starts.entries()) {
      const time = hour * HOUR_SECONDS
      const sums = this.#at(time)
      for (let field = 0; field < this.#fields.length; field++) {
        const base = (field * starts.length + place) * FIGURES
        const count = figures[base] as number
        if (count === 0) continue
        const sum = sums[field] as Sum
        sum.count += count
        sum.minimum = Math.min(sum.minimum, figures[base + 1] as number)
        sum.maximum = Math.max(sum.maximum, figures[base + 2] as number)
        sum.sum += figures[base + 3] as number
        ends(sum, figures[base + 4] as number, time + (figures[base + 6] as number))
        ends(sum, figures[base + 5] as number, time + (figures[base + 7] as number))
      }
    }
  }

  addPoints({ times, columns }: Points, from: number, to: number): void {
    for (const [at, time] of times.entries()) {
      if (time < from || time > to) continue
      const sums = this.#at(time)
      for (const [field, column] of this.#fields.entries()) {
        const value = columns[column]?.[at] as number
        if (Number.isNaN(value)) continue
        const sum = sums[field] as Sum
        sum.count++
        sum.minimum = Math.min(sum.minimum, value)
        sum.maximum = Math.max(sum.maximum, value)
        sum.sum += value
        ends(sum, value, time)
      }
    }
  }

  /** Those with anything in them, in the order of time. */
  periods(): { period: Period; sums: Sum[] }[] {
    // A period that lies in two days was computed with each of them.
    const byStart = new Map<number, { period: Period; sums: Sum[] }>()
    for (const [period, sums] of this.#sums) {
      const known = byStart.get(period.start)
      if (known) for (const [field, sum] of sums.entries()) join(known.sums[field] as Sum, sum)
      else if (sums.some(({ count }) => count > 0)) byStart.set(period.start, { period, sums })
    }
    return [...byStart.values()].sort((a, b) => a.period.start - b.period.start)
  }
}

function join(into: Sum, from: Sum): void {
  if (from.count === 0) return
  into.count += from.count
  into.minimum = Math.min(into.minimum, from.minimum)
  into.maximum = Math.max(into.maximum, from.maximum)
  into.sum += from.sum
  ends(into, from.first, from.firstTime)
  ends(into, from.last, from.lastTime)
}

function ends(sum: Sum, value: number, time: number): void {
  if (time < sum.firstTime) {
    sum.firstTime = time
    sum.first = value
  }
  if (time >= sum.lastTime) {
    sum.lastTime = time
    sum.last = value
  }
}
