// Every kind of event, and what each carries. An event is written in the transaction that caused it.

import { Type } from 'typebox'
import { type Fields, nullable, oneOf, type Received, uuid } from './vocabulary/index.ts'

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
  'webhook.disabled': { webhookId: uuid(), reason: oneOf(['failing', 'gone']) },
  'webhook.test': { webhookId: uuid() },
} satisfies Record<string, Fields>

export type EventKind = keyof typeof events
export const EVENT_KINDS = Object.keys(events) as EventKind[]
export type EventData<Kind extends EventKind> = Received<(typeof events)[Kind]>
