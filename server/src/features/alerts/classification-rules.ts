// Which ranges may stand beside each other, and what lies between them.

import { type ErrorEntry, errorEntry } from '@almoner/contract'
import { metricTypes } from '@almoner/contract/metrics/metric-types'
import { numericFields } from './rule-checks.ts'

export interface Range {
  label: string
  from: number | null
  to: number | null
  context: string | null
  tone: 'good' | 'watch' | 'bad' | 'danger'
}

const low = ({ from }: Range) => from ?? Number.NEGATIVE_INFINITY
const high = ({ to }: Range) => to ?? Number.POSITIVE_INFINITY

/** Every fault of the ranges, at its place in the body. */
export function faultsOfRanges(metricType: string, ranges: Range[], at: string): ErrorEntry[] {
  const contexts = metricTypes.get(metricType)?.fields.context?.values ?? []
  const faults: ErrorEntry[] = []
  const wrong = (pointer: string, fault: string) => faults.push(errorEntry('InvalidValue', { pointer, fault }))
  for (const [place, range] of ranges.entries()) {
    if (low(range) >= high(range)) wrong(`${at}/ranges/${place}/to`, 'must be greater than from')
    if (range.context !== null && !contexts.includes(range.context))
      wrong(
        `${at}/ranges/${place}/context`,
        contexts.length > 0 ? `must be one of ${contexts.join(', ')}` : `must be null: ${metricType} has no contexts`,
      )
    const other = ranges.slice(0, place).findIndex((one) => one.context === range.context && overlap(one, range))
    if (other >= 0) wrong(`${at}/ranges/${place}`, `must not overlap the range at /ranges/${other}`)
  }
  return faults
}

const overlap = (one: Range, other: Range): boolean => low(one) < high(other) && low(other) < high(one)

export function faultOfField(metricType: string, field: string, at: string): ErrorEntry[] {
  const names = numericFields(metricType)
  if (names.includes(field)) return []
  const fault =
    names.length > 0 ? `must be one of ${names.join(', ')}` : `cannot be named: ${metricType} has no numbers`
  return [errorEntry('InvalidValue', { pointer: `${at}/field`, fault })]
}

/** Values that have no name, in words. A range without a context holds where a context has none of its own. */
export function gapsOf(ranges: Range[]): string[] {
  const contexts = [...new Set(ranges.map(({ context }) => context))]
  const gaps = contexts.flatMap((context) => {
    const some = ranges.filter((range) => range.context === context || range.context === null)
    const where = context === null ? '' : ` in the context ${context}`
    return gapsBetween(some).map(([from, to]) => {
      if (from === -Infinity) return `Values below ${to}${where} have no name.`
      return to === Infinity
        ? `Values from ${from} on${where} have no name.`
        : `Values from ${from} to ${to}${where} have no name.`
    })
  })
  if (!contexts.includes(null)) gaps.push('Values of another context, or of none, have no name.')
  return gaps
}

function gapsBetween(ranges: Range[]): [from: number, to: number][] {
  const gaps: [number, number][] = []
  let reached = -Infinity
  for (const range of ranges.toSorted((a, b) => low(a) - low(b))) {
    if (low(range) > reached) gaps.push([reached, low(range)])
    reached = Math.max(reached, high(range))
  }
  if (reached < Infinity) gaps.push([reached, Infinity])
  return gaps
}
