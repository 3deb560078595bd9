// The OpenAPI 3.1 document, printed from the catalogue.

import type { TSchema } from 'typebox'
import { catalogue } from './catalogue.ts'
import { errors } from './errors.ts'
import {
  answerSchema,
  bodySchema,
  MEDIA_TYPE,
  type Operation,
  type Parameter,
  pathNames,
  QUOTA_HEADERS,
  queryParameters,
  queryWireSchema,
  type Resource,
  streamedSchema,
  uuid,
  wireSchema,
} from './vocabulary/index.ts'

type Json = Record<string, unknown>

export function openapi(publicUrl = '/'): Json {
  const schemas = new Map<string, TSchema>()
  const paths: Record<string, Json> = {}
  const operations: Operation[] = Object.values(catalogue)
  for (const operation of operations) {
    paths[operation.path] ??= {}
    ;(paths[operation.path] as Json)[operation.method.toLowerCase()] = describe(operation, schemas)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Almoner',
      version: '1',
      summary: 'An open care-management platform.',
      description: [
        'Every path ends with a slash. Bodies and answers are JSON in JSON:API style; names are kebab-case.',
        'Moments are `YYYY-MM-DD hh:mm:ss` in UTC; RFC 3339 is accepted too.',
        "Every answer to a readable request carries `X-Request-Id` and the caller's quota in `X-Ratelimit-*`. Every POST accepts `Idempotency-Key`.",
      ].join('\n\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(operations.map(tagOf))].map((name) => ({ name })),
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The access token that signing in gives.' },
      },
      schemas: { ...Object.fromEntries(schemas), errors: errorSchema },
      headers: quotaHeaders,
      responses: errorResponses,
    },
  }
}

function describe(operation: Operation, schemas: Map<string, TSchema>): Json {
  const { id, summary, description, access, body, answer, status, deprecated, cost } = operation
  const schema = answerSchema(answer)
  const isPublic = access.kind === 'anyone'
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated: true } : {}),
    'x-access': access.kind === 'roles' ? access.roles : access.kind,
    'x-quota-cost': cost,
    ...(isPublic ? { security: [] } : {}),
    parameters: [
      ...pathNames(operation.path).map(pathParameter),
      ...queryParameters(operation).map(queryParameter),
      ...idempotencyKey(operation),
      ...lastEventId(operation),
    ],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: content(wireSchema(bodySchema(body)), ['application/json', MEDIA_TYPE]),
          },
        }
      : {}),
    responses: {
      [status]: {
        description: answer.kind === 'nothing' ? 'Done; there is no body.' : 'Done.',
        headers: Object.fromEntries(
          Object.keys(quotaHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
        ...(schema ? { content: content(named(wireSchema(schema), schemas), [MEDIA_TYPE]) } : {}),
        ...(answer.kind === 'file' ? { content: content({ type: 'string' }, [answer.mediaType]) } : {}),
        ...(answer.kind === 'stream' ? { content: eventStream(answer.resource) } : {}),
      },
      ...Object.fromEntries(
        Object.keys(errorResponses).map((code) => [code, { $ref: `#/components/responses/${code}` }]),
      ),
    },
  }
}

/** The resource that the path is about. */
const tagOf = ({ path }: Operation): string => /\/v\d+\/([a-z0-9-]+)\//.exec(path)?.[1] ?? 'other'

/** OpenAPI 3.1 has no word for the parts of a stream: what each carries is said in an extension. */
const eventStream = (resource: Resource): Json => ({
  'text/event-stream': { schema: { type: 'string' }, 'x-event-data': wireSchema(streamedSchema(resource)) },
})

const content = (schema: TSchema, types: string[]): Json => Object.fromEntries(types.map((type) => [type, { schema }]))

/** Resources are moved to the components and referred to by their type name. */
function named(schema: TSchema, schemas: Map<string, TSchema>): TSchema {
  const { $id, ...rest } = schema as TSchema & { $id?: string }
  const walked = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => {
      if (key === 'properties') return [key, mapValues(value as Record<string, TSchema>, (one) => named(one, schemas))]
      if (key === 'items') return [key, named(value as TSchema, schemas)]
      return [key, value]
    }),
  ) as TSchema
  if (!$id) return walked
  schemas.set($id, walked)
  return { $ref: `#/components/schemas/${$id}` } as TSchema
}

const mapValues = <T, R>(record: Record<string, T>, change: (value: T) => R) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

const pathParameter = (name: string): Json => ({ name, in: 'path', required: true, schema: uuid() })

function queryParameter(parameter: Parameter): Json {
  const { name, style, required } = parameter
  const { description, ...schema } = queryWireSchema(parameter) as TSchema & { description?: string }
  const notes = {
    single: undefined,
    set: 'Repeated, or separated by commas.',
    match: 'Exact, in any case. A comma means or; repeating the parameter means and.',
    comparison:
      'A comparator (>, <, >=, <=) and a datetime, or null. A comma means or; repeating the parameter means and.',
  }
  const wording = [description, notes[style]].filter(Boolean).join(' ')
  // A match is written as text with commas; its values are described, its nesting is ours.
  const shown = style === 'match' ? { type: 'array', items: wireSchema(parameter.schema) } : schema
  return { name, in: 'query', required, ...(wording ? { description: wording } : {}), schema: shown }
}

const idempotencyKey = ({ method }: Operation): Json[] =>
  method === 'POST'
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'The same key within 24 hours gets the same answer again.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      ]
    : []

const lastEventId = ({ answer }: Operation): Json[] =>
  answer.kind === 'stream'
    ? [
        {
          name: 'Last-Event-ID',
          in: 'header',
          required: false,
          description: 'Go on after the event with this id.',
          schema: { type: 'string' },
        },
      ]
    : []

const errorSchema = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['status', 'code', 'detail'],
        properties: {
          status: { type: 'string' },
          code: { type: 'string', enum: Object.keys(errors) },
          detail: { type: 'string' },
          meta: { type: 'object' },
        },
      },
    },
  },
}

const quotaHeaders = {
  [QUOTA_HEADERS.limit]: { description: 'The quota.', schema: { type: 'integer' } },
  [QUOTA_HEADERS.used]: { description: 'Quota used in the current time bucket.', schema: { type: 'integer' } },
  [QUOTA_HEADERS.remaining]: { description: 'Quota remaining in the current bucket.', schema: { type: 'integer' } },
  [QUOTA_HEADERS.reset]: { description: 'Unix timestamp when fresh quota is available.', schema: { type: 'integer' } },
}

const STATUS_MEANINGS = {
  400: 'The request is at fault; every fault is listed.',
  403: 'Not signed in, or not allowed.',
  404: 'Not found, or not for the caller to see.',
  429: 'The quota is used up; `Retry-After` says for how long.',
  500: 'The service failed.',
}

const errorResponses = Object.fromEntries(
  Object.entries(STATUS_MEANINGS).map(([code, description]) => [
    code,
    { description, content: { [MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/errors' } } } },
  ]),
)
