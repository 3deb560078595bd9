// Every kind of event, and what each carries. An event is written in the transaction that caused it.

import { Type } from 'typebox'
import { SEVERITIES } from './alerts/alert-rules.ts'
import { CLEAR_REASONS } from './alerts/alerts.ts'
import { datetime, type Fields, nullable, oneOf, type Received, uuid } from './vocabulary/index.ts'

export const events = {
  'group.created': { groupId: uuid(), name: Type.String() },
  'group.updated': { groupId: uuid(), name: Type.String() },
  'group.members-changed': {
    groupId: uuid(),
    kind: oneOf(['individuals', 'leaders', 'members']),
    added: Type.Integer(),
    removed: Type.Integer(),
  },
  'group.moved': { groupId: uuid(), parentGroupId: nullable(uuid()) },
  'individual.created': { individualId: uuid() },
  'individual.updated': { individualId: uuid() },
  'individual.archived': { individualId: uuid() },
  'individual.disabled': { individualId: uuid() },
  'individual.restored': { individualId: uuid() },
  'individual.merged': { individualId: uuid(), mergedIndividualId: uuid() },
  'metric.alert-fired': {
    alertId: uuid(),
    ruleId: uuid(),
    ruleName: Type.String(),
    severity: oneOf(SEVERITIES),
    metricType: Type.String(),
    field: nullable(Type.String()),
    value: nullable(Type.Number()),
    message: Type.String(),
    firedAt: datetime(),
  },
  'metric.alert-acknowledged': { alertId: uuid(), ruleId: uuid(), userId: uuid() },
  'metric.alert-cleared': { alertId: uuid(), ruleId: uuid(), reason: oneOf(CLEAR_REASONS) },
} satisfies Record<string, Fields>

export type EventKind = keyof typeof events
export type EventData<Kind extends EventKind> = Received<(typeof events)[Kind]>
