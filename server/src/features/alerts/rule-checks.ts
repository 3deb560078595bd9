// What is wrong with a rule, all of it at once.

import { type ErrorEntry, errorEntry, kebab } from '@almoner/contract'
import { isNumeric, metricTypes } from '@almoner/contract/metrics/metric-types'
import type { Watched } from './rule.ts'

const BELONGING = {
  watermark: ['direction', 'threshold'],
  range: ['from', 'to', 'period'],
  'no-data': ['hours'],
} as const
const TERMS = ['direction', 'threshold', 'clearThreshold', 'from', 'to', 'period', 'hours'] as const

/** `at` is where the attributes stand in the body. */
export function faultsOfRule(watched: Watched, at: string): ErrorEntry[] {
  const faults: ErrorEntry[] = []
  const wrong = (name: string, fault: string) =>
    faults.push(errorEntry('InvalidValue', { pointer: `${at}/${kebab(name)}`, fault }))
  const { kind, direction, threshold, clearThreshold, from, to } = watched
  if (watched.individualId && watched.groupId) wrong('groupId', 'must be left out where there is an individual')
  faults.push(...faultsOfField(watched, at))
  const needed: readonly string[] = BELONGING[kind]
  for (const name of TERMS) {
    const isThere = watched[name] !== null
    if (needed.includes(name) && !isThere) faults.push(errorEntry('MissingValue', { pointer: `${at}/${kebab(name)}` }))
    else if (isThere && !needed.includes(name) && !(kind === 'watermark' && name === 'clearThreshold'))
      wrong(name, `does not belong to a rule of kind ${kind}`)
  }
  if (kind === 'range' && from !== null && to !== null && from >= to) wrong('to', 'must be greater than from')
  if (kind === 'watermark' && threshold !== null && clearThreshold !== null) {
    if (direction === 'above' && clearThreshold > threshold) wrong('clearThreshold', 'must not be above the threshold')
    if (direction === 'below' && clearThreshold < threshold) wrong('clearThreshold', 'must not be below the threshold')
  }
  return faults
}

function faultsOfField({ kind, metricType, field }: Watched, at: string): ErrorEntry[] {
  const pointer = `${at}/field`
  if (kind === 'no-data')
    return field === null
      ? []
      : [errorEntry('InvalidValue', { pointer, fault: 'does not belong to a rule of kind no-data' })]
  const names = numericFields(metricType)
  if (names.length === 0)
    return [
      errorEntry('InvalidValue', { pointer: `${at}/metric-type`, fault: 'must be a type with a field of numbers' }),
    ]
  if (field === null) return [errorEntry('MissingValue', { pointer })]
  return names.includes(field)
    ? []
    : [
        errorEntry('InvalidValue', {
          pointer,
          fault: `must be a field of numbers of ${metricType}: ${names.join(', ')}`,
        }),
      ]
}

export const numericFields = (metricType: string): string[] =>
  Object.entries(metricTypes.get(metricType)?.fields ?? {}).flatMap(([name, field]) => (isNumeric(field) ? [name] : []))
