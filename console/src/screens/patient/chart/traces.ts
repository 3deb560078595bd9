// Readings and summaries as lines: one for each source and field.

import type { MetricField } from '../metric-types.ts'
import type { Bucket, Period, Reading } from './tiles.ts'

/** Sources are told apart by the shape of their marks as well as by colour. */
const SHAPES = ['circle', 'square', 'triangle', 'diamond', 'cross', 'plus'] as const
export type Shape = (typeof SHAPES)[number]

export interface Look {
  shape: Shape
  /** The place of its colour. */
  colour: number
}

export interface Trace {
  source: string
  field: MetricField
  look: Look
  /** The second field of a panel has a broken line. */
  isBroken: boolean
  /** In order. */
  times: number[]
  values: number[]
  /** Of summaries: the ends of the periods, the least and the most. */
  ends?: number[]
  lows?: number[]
  highs?: number[]
  /** Amounts that were added up stand on the ground. */
  isBars: boolean
  contexts?: (string | undefined)[]
}

export const lookOf = (sources: readonly string[], source: string): Look => {
  const place = Math.max(0, sources.indexOf(source))
  return { shape: SHAPES[place % SHAPES.length] as Shape, colour: place % SHAPES.length }
}

export function tracesOfReadings(readings: Reading[], fields: MetricField[], sources: readonly string[]): Trace[] {
  const bySource = Map.groupBy(readings, ({ source }) => source)
  return [...bySource].flatMap(([source, some]) =>
    fields.map((field, place) => {
      const held = some.filter(({ values }) => typeof values[field.name] === 'number')
      return {
        source,
        field,
        look: lookOf(sources, source),
        isBroken: place % 2 === 1,
        times: held.map(({ time }) => time),
        values: held.map(({ values }) => values[field.name] as number),
        contexts: held.map(({ values }) => (typeof values.context === 'string' ? values.context : undefined)),
        isBars: false,
      }
    }),
  )
}

export function tracesOfSummaries(
  bySource: { source: string; buckets: Bucket[] }[],
  fields: MetricField[],
  sources: readonly string[],
): Trace[] {
  return bySource.flatMap(({ source, buckets }) =>
    fields.map((field, place) => {
      const held = buckets.filter(({ fields: figures }) => figures[field.name])
      const figuresOf = (bucket: Bucket) => bucket.fields[field.name] as Bucket['fields'][string]
      const common = {
        source,
        field,
        look: lookOf(sources, source),
        isBroken: place % 2 === 1,
        ends: held.map(({ end }) => end),
        isBars: field.isAdditive,
        times: held.map(({ start }) => start),
      }
      if (field.isAdditive) return { ...common, values: held.map((one) => figuresOf(one).sum ?? 0) }
      return {
        ...common,
        values: held.map((one) => figuresOf(one).mean),
        lows: held.map((one) => figuresOf(one).minimum),
        highs: held.map((one) => figuresOf(one).maximum),
      }
    }),
  )
}

/** Where a value stands in time: a summary in the middle of its period. */
export const middleOf = ({ times, ends }: Trace, at: number): number => {
  const start = times[at] as number
  return ends ? (start + (ends[at] as number)) / 2 : start
}

/** The first place whose time is not before this one. */
export function placeOf(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) < time) low = middle + 1
    else high = middle
  }
  return low
}

/** The value that a pointer at this time means: the period it is in, or the nearest reading within reach. */
export function nearest(trace: Trace, time: number, reach: number): number | undefined {
  const after = placeOf(trace.times, time)
  if (trace.ends) {
    const at = trace.times[after] === time ? after : after - 1
    return at >= 0 && time < (trace.ends[at] as number) ? at : undefined
  }
  const distance = (at: number) => Math.abs((trace.times[at] ?? Number.POSITIVE_INFINITY) - time)
  const at = distance(after - 1) < distance(after) ? after - 1 : after
  return distance(at) <= reach ? at : undefined
}

/** The least and the most that has to fit, with some room. */
export function rangeOfTraces(traces: Trace[]): [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity]
  for (const { values, lows = values, highs = values, isBars } of traces) {
    for (const value of lows) least = Math.min(least, value)
    for (const value of highs) most = Math.max(most, value)
    if (isBars) least = Math.min(least, 0)
  }
  if (least > most) return [0, 1]
  const room = Math.max((most - least) * 0.12, Math.abs(most) * 0.02, 0.5)
  const step = 10 ** Math.floor(Math.log10(room * 4))
  const bottom = Math.floor((least - room) / step) * step
  // Nothing that is measured here is less than nothing, unless something was.
  return [least >= 0 ? Math.max(0, bottom) : bottom, Math.ceil((most + room) / step) * step]
}

export type Resolution = 'readings' | Period
