// A rule while it is being written, and what is sent of it.

import { type Almoner, AlmonerError } from '@almoner/client'
import type { Rule, Terms } from './rule-sentence.ts'

export type Target = 'everyone' | 'group' | 'patient'
type Body = Parameters<Almoner['createAlertRule']>[0]['body']
export type Watched = Parameters<Almoner['dryRunAlertRule']>[0]['body']

export interface Draft extends Terms {
  name: string
  target: Target
  severity: Rule['severity']
  notify: Rule['notify']
  hasWork: boolean
  work: { groupId: string | null; text: string; dueInHours: number | null }
  enabled: boolean
}

/** Whoever makes a rule is told of its alerts, unless they choose otherwise. */
export const newDraft = (target: Target, told: string[] = []): Draft => ({
  name: '',
  target,
  individualId: null,
  groupId: null,
  metricType: 'BloodPressure',
  field: 'systolic',
  kind: 'watermark',
  direction: 'above',
  threshold: null,
  clearThreshold: null,
  from: null,
  to: null,
  period: 120,
  hours: 48,
  severity: 'warning',
  notify: { individualIds: told, groupIds: [], patient: false, channels: ['in-app'] },
  hasWork: false,
  work: { groupId: null, text: '', dueInHours: 24 },
  enabled: true,
})

export const draftOf = (rule: Rule): Draft => ({
  ...newDraft(rule.individualId ? 'patient' : rule.groupId ? 'group' : 'everyone'),
  ...rule,
  direction: rule.direction ?? 'above',
  period: rule.period ?? 120,
  hours: rule.hours ?? 48,
  hasWork: rule.worklistEntry !== null,
  ...(rule.worklistEntry ? { work: rule.worklistEntry } : {}),
})

/** What the kind and the target are made of; everything else is null. */
export function termsOf(draft: Draft): Terms {
  const { kind, target } = draft
  const isMark = kind === 'watermark'
  const isRange = kind === 'range'
  return {
    individualId: target === 'patient' ? draft.individualId : null,
    groupId: target === 'group' ? draft.groupId : null,
    metricType: draft.metricType,
    field: kind === 'no-data' ? null : draft.field,
    kind,
    direction: isMark ? draft.direction : null,
    threshold: isMark ? draft.threshold : null,
    clearThreshold: isMark ? draft.clearThreshold : null,
    from: isRange ? draft.from : null,
    to: isRange ? draft.to : null,
    period: isRange ? draft.period : null,
    hours: kind === 'no-data' ? draft.hours : null,
  }
}

/** Null while something is missing that nothing can be found without. */
export function watchedOf(draft: Draft, organizationId: string): Watched | null {
  const terms = termsOf(draft)
  const { kind, threshold, clearThreshold, direction, from, to, period, hours } = terms
  if (isTargetMissing(draft)) return null
  const isBackwards =
    threshold !== null &&
    clearThreshold !== null &&
    (direction === 'above' ? clearThreshold > threshold : clearThreshold < threshold)
  const isWhole = {
    watermark: threshold !== null && !isBackwards,
    range: from !== null && to !== null && from < to && period !== null,
    'no-data': hours !== null,
  }[kind]
  return isWhole ? { organizationId, ...terms } : null
}

const isTargetMissing = ({ target, groupId, individualId }: Draft): boolean =>
  (target === 'group' && groupId === null) || (target === 'patient' && individualId === null)

const NUMBERS = {
  watermark: ['threshold'],
  range: ['from', 'to', 'period'],
  'no-data': ['hours'],
} as const

/** What is not sent without: a rule for a group that was not chosen would be one for everyone. */
export function missingIn(draft: Draft): string[] {
  const { target, hasWork, work } = draft
  return [
    ...(draft.name.trim() === '' ? ['name'] : []),
    ...NUMBERS[draft.kind].filter((place) => draft[place] === null),
    ...(isTargetMissing(draft) ? [target === 'group' ? 'group-id' : 'individual-id'] : []),
    ...(hasWork && work.groupId === null ? ['worklist-entry/group-id'] : []),
    ...(hasWork && work.dueInHours === null ? ['worklist-entry/due-in-hours'] : []),
  ]
}

export function bodyOf(draft: Draft, organizationId: string): Body {
  const { name, severity, notify, hasWork, work, enabled } = draft
  return {
    organizationId,
    ...termsOf(draft),
    ...{ name: name.trim(), severity, notify, enabled },
    worklistEntry: hasWork
      ? { groupId: work.groupId ?? '', text: work.text.trim(), dueInHours: work.dueInHours as number }
      : null,
  }
}

/** What the service found at fault, by the place in the rule: `threshold`, `worklist-entry/text`. */
export function faultsAt(error: unknown): Map<string, { isMissing: boolean; fault: string }> {
  if (!(error instanceof AlmonerError)) return new Map()
  return new Map(
    error.errors.flatMap(({ code, detail, meta }) => {
      if (typeof meta?.pointer !== 'string') return []
      const place = meta.pointer.replace(/^\/data\/attributes/, '').replace(/^\//, '')
      return [[place, { isMissing: code === 'MissingValue', fault: String(meta.fault ?? detail) }] as const]
    }),
  )
}
