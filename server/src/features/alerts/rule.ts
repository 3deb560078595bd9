// A rule as the database keeps it, as the interface shows it, and what it fires on.

import type { AnswerOf, Locale } from '@almoner/contract'
import type { getAlertRule } from '@almoner/contract/alerts/alert-rules'
import type { getAlert } from '@almoner/contract/alerts/alerts'
import { metricTypes } from '@almoner/contract/metrics/metric-types'
import type { Selectable } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'
import type { Terms } from './evaluator.ts'

type Shown = AnswerOf<typeof getAlertRule>
type ShownAlert = AnswerOf<typeof getAlert>
export type RuleKind = Shown['kind']
export type Severity = Shown['severity']
export type Notify = Shown['notify']
export type WorklistEntry = NonNullable<Shown['worklistEntry']>
export type AlertState = ShownAlert['state']
export type ClearReason = NonNullable<ShownAlert['clearReason']>
export type RuleRow = Selectable<Tables['alertRules']>

/** What a rule watches and when it fires. */
export type Watched = Pick<
  Shown,
  'individualId' | 'groupId' | 'metricType' | 'field' | 'kind' | 'direction' | 'threshold' | 'clearThreshold'
> &
  Pick<Shown, 'from' | 'to' | 'period' | 'hours'>

export const WEIGHTS: Record<Severity, number> = { info: 1, warning: 2, critical: 3 }

export function shownRule(row: RuleRow): Shown {
  const { targetId, target, deletedAt: _, ...rest } = row
  return {
    ...withTerms(rest),
    individualId: target === 'individual' ? targetId : null,
    groupId: target === 'group' ? targetId : null,
  }
}

/** A period is kept once, whatever it is of. */
export function withTerms<T extends Pick<RuleRow, 'kind' | 'rangeFrom' | 'rangeTo' | 'period'>>(row: T) {
  const { rangeFrom, rangeTo, period, ...rest } = row
  return {
    ...rest,
    from: rangeFrom,
    to: rangeTo,
    period: row.kind === 'range' ? period : null,
    hours: row.kind === 'no-data' ? period : null,
  }
}

/** The columns of what a rule watches. */
export function watchedColumns(organizationId: string, watched: Watched) {
  const { individualId, groupId, from, to, period, hours, ...rest } = watched
  const target = individualId ? 'individual' : groupId ? 'group' : 'organization'
  return {
    ...rest,
    target: target as RuleRow['target'],
    targetId: individualId ?? groupId ?? organizationId,
    rangeFrom: from,
    rangeTo: to,
    period: watched.kind === 'no-data' ? hours : period,
  }
}

type RuleTerms = Pick<
  RuleRow,
  'kind' | 'direction' | 'threshold' | 'clearThreshold' | 'rangeFrom' | 'rangeTo' | 'period'
>

/** Null for silence, which is not of readings. */
export function termsOf(rule: RuleTerms): Terms | null {
  const { kind, direction, threshold, clearThreshold, rangeFrom, rangeTo, period } = rule
  if (kind === 'no-data') return null
  if (kind === 'range')
    return { kind, from: rangeFrom as number, to: rangeTo as number, period: (period as number) * 60 }
  return {
    kind,
    direction: direction as 'above' | 'below',
    threshold: threshold as number,
    clearThreshold: clearThreshold ?? (threshold as number),
  }
}

type Worded = Pick<RuleRow, 'metricType' | 'field'> & RuleTerms

/** Without the name of the metric, which is English: a rule is named in its organization's language. */
const SPANISH = { above: 'por encima de', below: 'por debajo de' } as const

/** What happened, for people: "Blood pressure systolic 182 mmHg, above 160". */
export function messageOf(rule: Worded, value: number | null, locale: Locale = 'en_US'): string {
  const { metricType, field, kind, direction, threshold, rangeFrom, rangeTo, period } = rule
  const type = metricTypes.get(metricType)
  const unit = field ? type?.fields[field]?.unit : undefined
  const read = `${value}${unit === '%' ? '%' : unit ? ` ${unit}` : ''}`
  if (locale === 'es_US') {
    if (kind === 'no-data') return `Sin lecturas desde hace ${period} horas`
    if (kind === 'range') return `${read}, entre ${rangeFrom} y ${rangeTo} durante ${period} minutos`
    return `${read}, ${SPANISH[direction as 'above' | 'below']} ${threshold}`
  }
  const what = [type?.meaning ?? metricType, field === 'value' ? null : field].filter((word) => word).join(' ')
  if (kind === 'no-data') return `${what}: no reading for ${period} hours`
  if (kind === 'range') return `${what} ${read}, from ${rangeFrom} to ${rangeTo} for ${period} minutes`
  return `${what} ${read}, ${direction} ${threshold}`
}
