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

/** Values that have no name, in words. */
export function gapsOf(ranges: Range[]): string[] {
  const byContext = Map.groupBy(ranges, ({ context }) => context)
  return [...byContext].flatMap(([context, some]) => {
    const sorted = some.toSorted((a, b) => low(a) - low(b))
    const where = context === null ? '' : ` in the context ${context}`
    const gaps: string[] = []
    const [first] = sorted
    if (first && first.from !== null) gaps.push(`Values below ${first.from}${where} have no name.`)
    for (const [place, range] of sorted.entries()) {
      const next = sorted[place + 1]
      if (next && high(range) < low(next)) gaps.push(`Values from ${range.to} to ${next.from}${where} have no name.`)
    }
    const last = sorted.at(-1)
    if (last && last.to !== null) gaps.push(`Values from ${last.to} on${where} have no name.`)
    return gaps
  })
}
