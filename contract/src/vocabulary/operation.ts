// An operation of the interface, declared once. Route, validation, access check, quota, OpenAPI document, client and
// the tests that walk every operation are all derived from this one object.

import type { Access } from './access.ts'
import { type Answer, type AnswerValue, type Body, nothing, one, type Resource } from './envelope.ts'
import type { Fields, Given, Received, Simplify } from './fields.ts'
import type { Filters, GivenFilters, ReceivedFilters } from './filters.ts'
import type { Camel } from './naming.ts'
import type { QueryDeclaration, SortKey } from './query.ts'

export interface Operation extends QueryDeclaration {
  /** The name people say, such as `list-groups`. */
  id: string
  summary: string
  description?: string
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Ends with a slash; `{name}` is a uuid. */
  path: string
  /** Further paths that answer the same. */
  aliases?: readonly string[]
  access: Access
  body?: Body
  answer: Answer
  status: 200 | 201 | 202 | 204
  /** Quota units. */
  cost: number
  /** Bytes; 1 MiB when not given, 16 KiB when no sign-in is needed. */
  bodyLimit?: number
  deprecated?: Deprecation
  /** Its answer holds tokens or secrets: it is repeated by an Idempotency-Key for a minute only. */
  givesSecrets?: true
  /** Every call is in the audit trail: it reads or writes people's records, or changes who may do what. */
  recorded?: true
}

export interface Deprecation {
  /** The day it was deprecated, YYYY-MM-DD. */
  since: string
  /** The id of the operation to use instead. */
  replacedBy?: string
}

export const QUOTA_COST = { read: 1, write: 5 }
/** Bytes. Whoever is not signed in has little to say. */
export const DEFAULT_BODY_LIMIT = 1024 * 1024
export const ANONYMOUS_BODY_LIMIT = 16 * 1024
export const PAGING = { maximum: 1000, default: 100 }

type Declared = Omit<Operation, 'method' | 'status' | 'cost' | 'body' | 'answer'> & { cost?: number }

/** Any operation; the short forms below say the common ones in fewer words. */
export const operation = <const O extends Omit<Operation, 'cost'> & { cost?: number }>(declared: O) => ({
  cost: declared.method === 'GET' ? QUOTA_COST.read : QUOTA_COST.write,
  ...declared,
})

export const list = <const D extends Declared & { answer: Answer }>(declared: D) =>
  operation({ method: 'GET', status: 200, paging: PAGING, ...declared })

export const get = <const D extends Declared & { answer: Answer }>(declared: D) =>
  operation({ method: 'GET', status: 200, ...declared })

export const create = <const D extends Declared, const R extends Resource, const F extends Fields>(
  declared: D & { resource: R; attributes: F },
) => {
  const { resource, attributes, ...rest } = declared
  const body = { shape: 'resource', type: resource.type, modifies: false, fields: attributes } as const
  return operation({ method: 'POST', status: 201, ...(rest as unknown as D), body, answer: one(resource) })
}

export const modify = <const D extends Declared, const R extends Resource, const F extends Fields>(
  declared: D & { resource: R; attributes: F },
) => {
  const { resource, attributes, ...rest } = declared
  const body = { shape: 'resource', type: resource.type, modifies: true, fields: attributes } as const
  return operation({ method: 'PATCH', status: 200, ...(rest as unknown as D), body, answer: one(resource) })
}

export const remove = <const D extends Declared>(declared: D) =>
  operation({ method: 'DELETE', status: 204, ...declared, answer: nothing })

export const action = <const D extends Declared & { answer: Answer }, const F extends Fields = Record<never, never>>(
  declared: D & { body?: F },
) => {
  const body = { shape: 'flat', fields: (declared.body ?? {}) as F } as const
  return operation({ method: 'POST', status: 201, ...(declared as D), body })
}

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Camel<Name> | PathNames<Rest>
  : never

type PathInput<O extends Operation> = { [N in PathNames<O['path']>]: string }
type FieldNames<O> = O extends { fields: readonly (infer Name extends string)[] } ? Name : never
type SortInput<O> = O extends { sort: { fields: readonly (infer Name extends string)[] } } ? SortKey<Name>[] : never

/** What a handler receives: already parsed, validated, in code names, defaults filled in. */
export type InputOf<O extends Operation> = Simplify<
  PathInput<O> &
    (O extends { query: infer F extends Fields } ? Received<F> : unknown) &
    (O extends { filter: infer F extends Filters } ? { filter: ReceivedFilters<F> } : unknown) &
    (O extends { exclude: infer F extends Fields } ? { exclude: Partial<Received<F>> } : unknown) &
    (O extends { sort: object } ? { sort: SortInput<O> } : unknown) &
    (O extends { fields: object } ? { fields?: FieldNames<O>[] } : unknown) &
    (O extends { paging: object } ? { page: { limit: number; offset: number } } : unknown) &
    (O extends { body: Body<infer F> }
      ? { body: O['body'] extends { shape: 'resources' } ? Received<F>[] : Received<F> }
      : unknown)
>

/** What a caller of the client gives. */
export type CallOf<O extends Operation> = Simplify<
  PathInput<O> &
    (O extends { query: infer F extends Fields } ? Given<F> : unknown) &
    (O extends { filter: infer F extends Filters } ? { filter?: GivenFilters<F> } : unknown) &
    (O extends { exclude: infer F extends Fields } ? { exclude?: Partial<Given<F>> } : unknown) &
    (O extends { sort: object } ? { sort?: SortInput<O> } : unknown) &
    (O extends { fields: object } ? { fields?: FieldNames<O>[] } : unknown) &
    (O extends { paging: object } ? { page?: { limit?: number; offset?: number } } : unknown) &
    (O extends { body: Body<infer F> }
      ? keyof F extends never
        ? unknown
        : { body: O['body'] extends { shape: 'resources' } ? Given<F>[] : Given<F> }
      : unknown)
>

/** What a handler returns and what the client resolves to. */
export type AnswerOf<O extends Operation> = O extends { answer: infer A extends Answer } ? AnswerValue<A> : never

/** The path with its parameters filled in. */
export function fillPath(path: string, parameters: Record<string, string>): string {
  return path.replace(/\{([a-z-]+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] as string))
}

export const pathNames = (path: string): string[] =>
  Array.from(path.matchAll(/\{([a-z-]+)\}/g), ([, name]) => name as string)
