// A handler, tied to the operation it carries out.

import type { AnswerOf, InputOf, Operation, SERVICE_ROLES } from '@almoner/contract'
import type { Logger } from 'pino'
import type { AuditNote } from '../audit/audit-note.ts'
import type { Actor, ServiceActor } from '../auth/actor.ts'
import type { Database } from '../db/database.ts'
import type { Events } from '../events/events.ts'
import type { Queue } from '../queue/queue.ts'
import type { ServerSentEvents } from './server-sent-events.ts'

/** Everything a handler may use. Nothing is reached for. */
export interface Context<A = Actor> {
  /** In a write, the request's transaction: what is done through it is done together. */
  db: Database
  actor: A
  /** The organizations in which the caller may do this. Every query of tenant data is limited to them. */
  reach: string[]
  now: Date
  events: Events
  queue: Queue
  /** What the audit trail is told besides who called what. */
  audit: AuditNote
  /** Counts further quota units, where what a call costs is known only by its body. */
  charge(units: number): Promise<void>
  /** Looks anew at who calls and where they may: for what goes on long after its request. Refuses as a request would. */
  again(): Promise<{ actor: A; reach: string[] }>
  log: Logger
  ip: string
  userAgent: string | null
}

type ContextOf<O extends Operation> = O['access'] extends { kind: 'anyone' }
  ? Context<null>
  : O['access'] extends { roles: readonly (infer R)[] }
    ? Context<Extract<R, (typeof SERVICE_ROLES)[number]> extends never ? Actor : Actor | ServiceActor>
    : Context

type Answered<O extends Operation> = O['answer'] extends { kind: 'stream' } ? ServerSentEvents : AnswerOf<O>
type Handler<O extends Operation> = (input: InputOf<O>, context: ContextOf<O>) => Promise<Answered<O>>

export interface Implementation {
  operation: Operation
  handle(input: never, context: never): Promise<unknown>
  /** False for a handler that opens its own transactions, because it has slow work to do outside them. */
  transaction: boolean
  /** Reads the bytes of a body, where that is most of the work. Answers what the usual way would, or refuses as it does. */
  parse?: (bytes: Buffer) => unknown
}

export const implement = <O extends Operation>(
  operation: O,
  handle: Handler<O>,
  { transaction = operation.method !== 'GET', parse }: Partial<Pick<Implementation, 'transaction' | 'parse'>> = {},
): Implementation => ({ operation, handle, transaction, ...(parse ? { parse } : {}) })

/** Every operation of the catalogue has exactly one handler, or the service does not start. */
export function pairUp(operations: Operation[], implementations: Implementation[]): Implementation[] {
  const faults: string[] = []
  for (const { id } of operations) {
    const count = implementations.filter(({ operation }) => operation.id === id).length
    if (count !== 1) faults.push(`${id} has ${count} handlers`)
  }
  for (const { operation } of implementations) {
    if (!operations.includes(operation)) faults.push(`${operation.id} is not in the catalogue`)
  }
  if (faults.length > 0) throw new Error(`Operations and handlers do not match: ${faults.join('; ')}.`)
  return implementations
}
