// What a care team calls a reading: the ranges of the classification set that is in use for its field.

import type { AnswerTo } from '@almoner/client'

export type ClassificationSet = AnswerTo<'listClassificationSets'>['items'][number]
export type ClassifiedRange = ClassificationSet['ranges'][number]
export type Tone = ClassifiedRange['tone']

/** An active set of the organization takes the place of a shipped one. */
export function setFor(sets: ClassificationSet[], metricType: string, field: string): ClassificationSet | undefined {
  const some = sets.filter((one) => one.isActive && one.metricType === metricType && one.field === field)
  return some.find(({ organizationId }) => organizationId !== null) ?? some[0]
}

/** Those of a context, or those of any other where it has none. */
export function rangesOf(set: ClassificationSet, context: string | null): ClassifiedRange[] {
  const own = context === null ? [] : set.ranges.filter((range) => range.context === context)
  return own.length > 0 ? own : set.ranges.filter((range) => range.context === null)
}

export const contextsOf = (set: ClassificationSet): string[] =>
  [...new Set(set.ranges.map(({ context }) => context))].filter((context) => context !== null)

export function rangeOfReading(
  sets: ClassificationSet[],
  metricType: string,
  field: string,
  values: Record<string, unknown>,
): ClassifiedRange | undefined {
  const value = values[field]
  const set = setFor(sets, metricType, field)
  if (!set || typeof value !== 'number') return undefined
  const context = typeof values.context === 'string' ? values.context : null
  return rangesOf(set, context).find(({ from, to }) => value >= (from ?? -Infinity) && value < (to ?? Infinity))
}
