// Every kind of event, and what each carries. An event is written in the transaction that caused it.

import { Type } from 'typebox'
import { type Fields, type Received, uuid } from './vocabulary/index.ts'

export const events = {
  'group.created': { groupId: uuid(), name: Type.String() },
  'group.updated': { groupId: uuid(), name: Type.String() },
} satisfies Record<string, Fields>

export type EventKind = keyof typeof events
export type EventData<Kind extends EventKind> = Received<(typeof events)[Kind]>
