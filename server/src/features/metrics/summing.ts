// Figures of periods, put together from figures of hours and from points.

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
  readonly #starts: number[]
  readonly #fields: number[]
  readonly #sums: (Sum[] | undefined)[]
  /** Points come in the order of time: the period of the last one is where the next is looked for first. */
  #place = 0

  /** `starts` are those of the periods and the end of the last; `fields` the columns that are numbers. */
  constructor(starts: number[], fields: number[]) {
    this.#starts = starts
    this.#fields = fields
    this.#sums = new Array(Math.max(0, starts.length - 1))
  }

  #at(time: number): Sum[] {
    const starts = this.#starts
    if ((starts[this.#place] as number) > time) this.#place = 0
    while (this.#place + 2 < starts.length && (starts[this.#place + 1] as number) <= time) this.#place++
    let sums = this.#sums[this.#place]
    if (!sums) {
      sums = this.#fields.map(nothing)
      this.#sums[this.#place] = sums
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

  /** Those with anything in them. */
  *periods(): Generator<{ start: number; end: number; sums: Sum[] }> {
    for (const [place, sums] of this.#sums.entries())
      if (sums?.some(({ count }) => count > 0))
        yield { start: this.#starts[place] as number, end: this.#starts[place + 1] as number, sums }
  }
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
