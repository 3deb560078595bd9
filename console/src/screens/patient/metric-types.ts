// What the screen needs to know of metric types beyond what the service says of them.

import type { AnswerTo } from '@almoner/client'

export type MetricType = AnswerTo<'listMetricTypes'>['items'][number]
export type MetricField = MetricType['fields'][number]
export type SourceSummary = AnswerTo<'listSourceSummaries'>['items'][number]

export const isNumeric = ({ kind }: MetricField): boolean => kind === 'integer' || kind === 'float'

/** Amounts in units of their own cannot share an axis: names in lanes can. */
const IN_LANES = ['Medication']
export const isInLanes = (type: MetricType): boolean => IN_LANES.includes(type.name) || !type.fields.some(isNumeric)

/** Fields of one unit share a panel, as the two of blood pressure do. */
export function fieldGroups(type: MetricType): MetricField[][] {
  const groups = Map.groupBy(type.fields.filter(isNumeric), ({ unit }) => unit)
  return [...groups.values()]
}

/** What most teams look at first. */
const FIRST = ['BloodPressure', 'BloodGlucose', 'Pulse', 'OxygenSaturation', 'BodyMass', 'Steps', 'SleepAnalysis']
const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)

/** Those with readings first, the most looked at of them before the others. */
export function typesInOrder(
  types: MetricType[],
  sources: SourceSummary[],
): { held: MetricType[]; rest: MetricType[] } {
  const names = new Set(sources.map(({ type }) => type))
  const byRank = (one: MetricType, other: MetricType) => rank(one.name) - rank(other.name)
  return {
    held: types.filter(({ name }) => names.has(name)).toSorted(byRank),
    rest: types
      .filter(({ name }) => !names.has(name))
      .toSorted((one, other) => Number(one.isDeprecated) - Number(other.isDeprecated)),
  }
}
