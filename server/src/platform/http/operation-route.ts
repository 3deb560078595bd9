// One operation becomes one route: read, validate, check access, carry out, answer.

import type { Readable } from 'node:stream'
import {
  ANONYMOUS_BODY_LIMIT,
  answerSchema,
  assembleQuery,
  type Body,
  bodySchema,
  camel,
  coerceQuery,
  DEFAULT_BODY_LIMIT,
  decoder,
  type ErrorEntry,
  type FileContent,
  MEDIA_TYPE,
  type Operation,
  pathNames,
  printer,
  queryParameters,
  querySchema,
  uuid,
  wireSchema,
  wrap,
} from '@almoner/contract'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { authorize, callerId } from '../auth/actor.ts'
import type { Secrets } from '../auth/secrets.ts'
import type { Database } from '../db/database.ts'
import { Problem } from '../errors/problem.ts'
import { Events } from '../events/events.ts'
import { Queue } from '../queue/queue.ts'
import { type Admission, admit, identify, meter } from './admission.ts'
import { deprecationHeaders } from './deprecation.ts'
import { fileHeaders, sending } from './files.ts'
import { once, readKey } from './idempotency.ts'
import type { Context, Implementation } from './implementation.ts'
import { bytesOf } from './media-type.ts'
import { type OpenStreams, type ServerSentEvents, STREAM_HEADERS } from './server-sent-events.ts'
import { faultsOf, type Validators } from './validation.ts'

export interface RouteServices {
  db: Database
  secrets: Secrets
  admission: Admission
  validators: Validators
  auditTrail: AuditTrail
  streams: OpenStreams
  /** Refuse to send an answer that is not as declared: for tests. */
  checkAnswers: boolean
}

type Input = Record<string, unknown>

export function operationRoutes(implementation: Implementation, services: RouteServices): RouteOptions[] {
  const { operation } = implementation
  const read = inputReader(operation, services.validators)
  const print = answerPrinter(operation, services)
  const deprecation = deprecationHeaders(operation)

  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | Readable | undefined> {
    const now = new Date()
    const { ip, audit } = request
    // A token that came along where none is needed says nothing about the call.
    const actor = operation.access.kind === 'anyone' ? null : request.actor
    const input = read(request)
    const reach = actor ? authorize(operation, actor, namedOrganization(input)) : []
    const again = async () => {
      const { actor: caller, refusal } = await identify(services.admission.tokens, true, request)
      if (!caller) throw refusal ?? new Problem('NotAuthenticated')
      return { actor: caller, reach: authorize(operation, caller, namedOrganization(input)) }
    }
    let outgoing: FileContent | ServerSentEvents | null = null
    const run = async (db: Database): Promise<string> => {
      const context: Context<unknown> = {
        db,
        actor,
        reach,
        now,
        events: new Events(db, now),
        queue: new Queue(db, actor?.kind === 'user' ? actor.queueDelayMs : 0),
        audit,
        charge: (units) => meter(services.admission, request.actor, units, request, reply),
        again,
        log: request.log as Context['log'],
        ip,
        userAgent: request.headers['user-agent'] ?? null,
      }
      audit.recordsBy(services.auditTrail, entries)
      const value = await implementation.handle(input as never, context as never)
      if (operation.answer.kind === 'file') {
        outgoing = value as FileContent
        return ''
      }
      if (operation.answer.kind === 'stream') outgoing = value as ServerSentEvents
      const answer = print(value, input)
      const isToRecord = (operation.recorded || audit.isWritten) && !audit.isRecorded
      // A write is recorded in its own transaction, a read in a batch.
      if (isToRecord && implementation.transaction) await audit.recordIn(db)
      else if (isToRecord) services.auditTrail.later(entries())
      return answer
    }
    const entries = () => audit.entries({ operation, actor, ip, requestId: request.id, now }, 'success', null, reach)
    if (operation.answer.kind === 'stream') {
      const caller = actor ? callerId(actor) : ip
      const stream = await services.streams.open(caller, reply.raw, async () => {
        await carryOut(request, run, now)
        return outgoing as unknown as ServerSentEvents
      })
      reply.code(operation.status).headers({ ...deprecation, ...STREAM_HEADERS })
      return stream
    }
    const answer = await carryOut(request, run, now)
    if (outgoing) {
      const { mediaType } = operation.answer as { mediaType: string }
      reply.code(operation.status).headers({ ...deprecation, ...fileHeaders(mediaType, outgoing) })
      // Whose records it holds is known when the last piece was made, or when the caller went away.
      return sending(outgoing, () => services.auditTrail.later(entries()))
    }
    reply.code(operation.status).headers({ ...deprecation, 'content-type': MEDIA_TYPE })
    return operation.answer.kind === 'nothing' ? undefined : bytesOf(answer)
  }

  /** In a transaction where the operation wants one, and once where the request has an Idempotency-Key. */
  function carryOut(request: FastifyRequest, run: (db: Database) => Promise<string>, now: Date): Promise<string> {
    const { db, secrets } = services
    const key = operation.method === 'POST' ? readKey(request.headers['idempotency-key']) : undefined
    const { actor, body, url: path } = request
    const { transaction } = implementation
    const keyed = (on: Database) =>
      key === undefined
        ? run(on)
        : once(on, secrets, { key, actor, operation, path, body, now }, !transaction, () => run(on))
    return transaction ? db.transaction().execute(keyed) : keyed(db)
  }

  return [operation.path, ...(operation.aliases ?? [])].map((path) => ({
    method: operation.method,
    url: path.replace(/\{([a-z-]+)\}/g, ':$1'),
    bodyLimit: operation.bodyLimit ?? (operation.access.kind === 'anyone' ? ANONYMOUS_BODY_LIMIT : DEFAULT_BODY_LIMIT),
    config: { operation, parse: implementation.parse },
    // It would not end either, and has nothing to say.
    exposeHeadRoute: operation.answer.kind !== 'stream',
    onRequest: (request, reply) => admit(services.admission, operation, request, reply),
    handler,
  }))
}

/** From a request to the handler's input, or a Problem with every fault there is in path, query and body. */
function inputReader(operation: Operation, validators: Validators): (request: FastifyRequest) => Input {
  const parameters = queryParameters(operation)
  const names = pathNames(operation.path)
  const validatePath = validators.compile(Type.Object(Object.fromEntries(names.map((name) => [name, uuid()]))))
  const validateQuery = validators.compile(querySchema(parameters))
  const body = operation.body && bodySchema(operation.body)
  const validateBody = body && validators.compile(wireSchema(body))
  const decodeBody = body && decoder(body)

  return (request) => {
    const path = request.params as Record<string, string>
    const query = coerceQuery(parameters, queryOf(operation, request))
    const given = request.body ?? {}
    const faults = [
      ...faultsOf(validatePath, path, 'parameters'),
      ...faultsOf(validateQuery, query, 'parameters'),
      ...(validateBody ? faultsOf(validateBody, given, 'body') : []),
      ...differentId(operation, path, given),
    ]
    if (faults.length > 0) throw Problem.of(faults)
    const input: Input = assembleQuery(parameters, query)
    for (const name of names) input[camel(name)] = path[name]?.toLowerCase()
    if (operation.body && decodeBody) {
      input.body = unwrapBody(operation.body, decodeBody(given))
    }
    return input
  }
}

/** Whoever goes on with a stream says in a header where; the address may still hold where it first began. */
function queryOf({ answer }: Operation, { query, headers }: FastifyRequest): Record<string, string | string[]> {
  const given = query as Record<string, string | string[]>
  const lastEventId = answer.kind === 'stream' ? headers['last-event-id'] : undefined
  return lastEventId ? { ...given, 'last-event-id': lastEventId } : given
}

/** What is said, out of its envelope. */
function unwrapBody({ shape }: Body, body: unknown): unknown {
  if (shape === 'flat') return body
  const { data } = body as { data: unknown }
  if (shape === 'resources') return (data as { attributes: unknown }[]).map(({ attributes }) => attributes)
  return (data as { attributes: unknown }).attributes
}

/** A body that modifies may repeat the id of the path, and then it must be the same. */
function differentId(operation: Operation, path: Record<string, string>, body: unknown): ErrorEntry[] {
  if (operation.body?.shape !== 'resource' || !operation.body.modifies) return []
  const id = (body as { data?: { id?: unknown } | null }).data?.id
  if (typeof id !== 'string' || id.toLowerCase() === path.id?.toLowerCase()) return []
  return new Problem('InvalidValue', { pointer: '/data/id', fault: 'must be the id in the path' }).entries
}

/** The organization a request speaks of, by the one name that has for it everywhere. */
function namedOrganization(input: Input): string | undefined {
  const body = input.body as { organizationId?: string } | undefined
  return (input.organizationId as string | undefined) ?? body?.organizationId
}

function answerPrinter({ answer, id }: Operation, { checkAnswers, validators }: RouteServices) {
  const schema = answerSchema(answer)
  if (!schema) return () => ''
  const print = printer(schema)
  const validate = checkAnswers ? validators.compile(wireSchema(schema)) : undefined
  return (value: unknown, input: Input): string => {
    const printed = print(wrap(answer, value, input.page as { limit: number; offset: number } | undefined))
    const faults = validate ? faultsOf(validate, JSON.parse(printed), 'body') : []
    if (faults.length > 0)
      throw new Error(`${id} answers other than it declares: ${faults.map(({ detail }) => detail).join(' ')}`)
    return printed
  }
}
