// What the address of the list says is to be shown, and how that is asked for.

import type { Almoner, AnswerTo, HappenedEvent } from '@almoner/client'

export type Alert = AnswerTo<'getAlert'>
export type SeverityName = Alert['severity']
export type StateName = Alert['state']

/** The gravest first. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const satisfies readonly SeverityName[]
const STATES = ['open', 'acknowledged', 'cleared'] as const satisfies readonly StateName[]
export const SINCE = { day: 1, week: 7, month: 30 } as const
export const SHOWN_STATES = ['open', 'unfinished', 'acknowledged', 'cleared', 'all'] as const

export interface AlertSearch {
  /** The open ones when left out. */
  state?: (typeof SHOWN_STATES)[number] | undefined
  severity?: SeverityName | undefined
  metric?: string | undefined
  patient?: string | undefined
  since?: keyof typeof SINCE | undefined
}

const METRIC = /^[A-Za-z0-9]{1,63}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const among = <T extends string>(all: readonly T[], given: unknown): T | undefined => all.find((one) => one === given)
const like = (pattern: RegExp, given: unknown) => (typeof given === 'string' && pattern.test(given) ? given : undefined)

export const readSearch = (given: Record<string, unknown>): AlertSearch => ({
  state: among(SHOWN_STATES, given.state),
  severity: among(SEVERITIES, given.severity),
  metric: like(METRIC, given.metric),
  patient: like(UUID, given.patient),
  since: among(['day', 'week', 'month'], given.since),
})

function statesOf({ state = 'open' }: AlertSearch): readonly StateName[] {
  if (state === 'all') return STATES
  return state === 'unfinished' ? ['open', 'acknowledged'] : [state]
}

type Asked = NonNullable<Parameters<Almoner['listAlerts']>[0]>

export function filterOf(search: AlertSearch, now: number): NonNullable<Asked['filter']> {
  const { severity, metric, patient, since } = search
  return {
    state: statesOf(search),
    ...(severity ? { severity } : {}),
    ...(metric ? { metricType: metric } : {}),
    ...(patient ? { individualId: patient } : {}),
    ...(since ? { cmpFiredAt: { gte: new Date(now - SINCE[since] * 86_400_000) } } : {}),
  }
}

/** Whether an alert that has just fired belongs to what is shown. */
export function belongs(search: AlertSearch, { individualId, data }: HappenedEvent & { kind: 'metric.alert-fired' }) {
  const { severity = data.severity, metric = data.metricType, patient = individualId } = search
  return (
    statesOf(search).includes('open') &&
    severity === data.severity &&
    metric === data.metricType &&
    patient === individualId
  )
}
