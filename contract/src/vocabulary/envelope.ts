// The shapes of bodies and answers around the attributes.

import { type Static, type TSchema, Type } from 'typebox'
import { type Fields, objectOf, type Received, type Simplify } from './fields.ts'
import { uuid } from './formats.ts'

/** A kind of thing with an id: its type name (plural, kebab-case) and its attributes. */
export interface Resource<F extends Fields = Fields> {
  type: string
  attributes: F
}
export const resource = <const F extends Fields>(type: string, attributes: F): Resource<F> => ({ type, attributes })

/** A resource that the compiler is told more of than its attributes say, such as which go together. */
type ToldAs<T> = { readonly toldAs: T }
export const toldAs = <T>(it: Resource) => it as Resource & ToldAs<T>

/** The thing itself, as handlers return it and as the client hands it out. */
export type Item<R extends Resource> =
  R extends ToldAs<infer T> ? T : R extends Resource<infer F> ? Simplify<{ id: string } & Received<F>> : never

/** One page of a list. */
export interface Page<T> {
  items: T[]
  total: number
}

/** A file on its way: what the service sends, and what the client receives. */
export interface FileContent {
  name: string
  content: AsyncIterable<string | Uint8Array>
}

export type Answer =
  | { kind: 'one'; resource: Resource; meta?: Fields }
  | { kind: 'many'; resource: Resource }
  | { kind: 'records'; resource: Resource }
  | { kind: 'rows'; schema: TSchema }
  | { kind: 'flat'; schema: TSchema }
  | { kind: 'data'; schema: TSchema }
  | { kind: 'file'; mediaType: string }
  | { kind: 'stream'; resource: Resource }
  | { kind: 'nothing' }

export const one = <R extends Resource>(it: R) => ({ kind: 'one', resource: it }) as const
/** With what is said besides the thing itself, such as a warning. */
export const oneWith = <R extends Resource, const M extends Fields>(it: R, meta: M) =>
  ({ kind: 'one', resource: it, meta }) as const
export const many = <R extends Resource>(it: R) => ({ kind: 'many', resource: it }) as const
/** Things without an id of their own. */
export const records = <R extends Resource>(it: R) => ({ kind: 'records', resource: it }) as const
/** A page of plain objects, without an envelope around each: for those that come by the thousand. */
export const rows = <S extends TSchema>(schema: S) => ({ kind: 'rows', schema }) as const
/** Named values at the top level, without an envelope. */
export const flat = <const F extends Fields>(fields: F) => ({ kind: 'flat', schema: objectOf(fields) }) as const
/** `{data: {…}}` with named values of no resource. */
export const data = <const F extends Fields>(fields: F) => ({ kind: 'data', schema: objectOf(fields) }) as const
/** Sent as it is, piece by piece. */
export const file = (mediaType: string) => ({ kind: 'file', mediaType }) as const
/** Server-Sent Events without an end. Each carries one resource as a flat object, with its id. */
export const stream = <R extends Resource>(it: R) => ({ kind: 'stream', resource: it }) as const
export const nothing = { kind: 'nothing' } as const

export type AnswerValue<A extends Answer> = A extends { kind: 'one'; resource: infer R extends Resource }
  ? A extends { meta: infer M extends Fields }
    ? Simplify<Item<R> & { meta: Received<M> }>
    : Item<R>
  : A extends { kind: 'many'; resource: infer R extends Resource }
    ? Page<Item<R>>
    : A extends { kind: 'records'; resource: Resource<infer F> }
      ? Received<F>[]
      : A extends { kind: 'rows'; schema: infer S extends TSchema }
        ? Page<Static<S>>
        : A extends { kind: 'flat' | 'data'; schema: infer S extends TSchema }
          ? Static<S>
          : A extends { kind: 'file' }
            ? FileContent
            : A extends { kind: 'stream'; resource: infer R extends Resource }
              ? AsyncIterable<Item<R>>
              : undefined

export type Body<F extends Fields = Fields> =
  /** The fields are the body. */
  | { shape: 'flat'; fields: F }
  /** `{data: {attributes}}`: attributes of no resource. */
  | { shape: 'attributes'; fields: F }
  /** `{data: {type, attributes}}`, or with `data.id` when it modifies. */
  | { shape: 'resource'; type: string; modifies: boolean; fields: F }
  /** `{data: [{type, attributes}]}`: several at once. */
  | { shape: 'resources'; type: string; fields: F }

export const PAGE_META = { offset: 'page[offset]', limit: 'page[limit]', total: 'page[total]' } as const

const count = Type.Integer({ minimum: 0 })
const pageMeta = Type.Object({ [PAGE_META.offset]: count, [PAGE_META.limit]: count, [PAGE_META.total]: count })

const typeName = (type: string) => Type.Literal(type)

const resourceSchema = ({ type, attributes }: Resource, component: boolean): TSchema => {
  const schema = Type.Object({ type: typeName(type), id: uuid(), attributes: objectOf(attributes) })
  return component ? { ...schema, $id: type } : schema
}

/** The whole answer, envelope included, in code names (the codec turns them into wire names). Null: no body. */
export function answerSchema(answer: Answer): TSchema | null {
  switch (answer.kind) {
    case 'one':
      return Type.Object({ data: resourceSchema(answer.resource, true), meta: Type.Object(answer.meta ?? {}) })
    case 'many':
      return Type.Object({ data: Type.Array(resourceSchema(answer.resource, true)), meta: pageMeta })
    case 'records': {
      const { type, attributes } = answer.resource
      const record = Type.Object({ type: typeName(type), attributes: objectOf(attributes) })
      return Type.Object({ data: Type.Array(record), meta: Type.Object({}) })
    }
    case 'rows':
      return Type.Object({ data: Type.Array(answer.schema), meta: pageMeta })
    case 'flat':
      return answer.schema
    case 'data':
      return Type.Object({ data: answer.schema })
    case 'file':
    case 'stream':
    case 'nothing':
      return null
  }
}

/** What one event of a stream carries, in code names. */
export const streamedSchema = ({ attributes }: Resource): TSchema => objectOf({ id: uuid(), ...attributes })

/** The whole body, envelope included, in code names. */
export function bodySchema(body: Body): TSchema {
  if (body.shape === 'flat') return objectOf(body.fields)
  const attributes = objectOf(body.fields)
  const meta = Type.Optional(Type.Object({}))
  if (body.shape === 'attributes') return objectOf({ data: objectOf({ attributes }), meta })
  const type = typeName(body.type)
  if (body.shape === 'resources')
    return objectOf({ data: Type.Array(objectOf({ type, attributes }), { minItems: 1 }), meta })
  const data = body.modifies
    ? objectOf({ type, id: Type.Optional(uuid()), attributes })
    : objectOf({ type, attributes })
  return objectOf({ data, meta })
}

/** From a handler's return value to the body of the answer, still in code names. */
export function wrap(answer: Answer, value: unknown, page?: { limit: number; offset: number }): unknown {
  switch (answer.kind) {
    case 'one':
      return { data: toResource(answer.resource, value), meta: (value as { meta?: object }).meta ?? {} }
    case 'many':
      return pageOf(value as Page<unknown>, (item) => toResource(answer.resource, item), page)
    case 'rows':
      return pageOf(value as Page<unknown>, (item) => item, page)
    case 'records': {
      const { type } = answer.resource
      return { data: (value as object[]).map((attributes) => ({ type, attributes })), meta: {} }
    }
    case 'data':
      return { data: value }
    default:
      return value
  }
}

function pageOf(
  { items, total }: Page<unknown>,
  shape: (item: unknown) => unknown,
  page?: { limit: number; offset: number },
) {
  const limit = page?.limit ?? items.length
  const meta = { [PAGE_META.offset]: page?.offset ?? 0, [PAGE_META.limit]: limit, [PAGE_META.total]: total }
  return { data: items.map(shape), meta }
}

const toResource = ({ type }: Resource, item: unknown) => ({ type, id: (item as { id: string }).id, attributes: item })

/** The reverse of `wrap`, for the client. */
export function unwrap(answer: Answer, body: unknown): unknown {
  switch (answer.kind) {
    case 'one': {
      const { data, meta } = body as { data: WireResource; meta: object }
      return { ...fromResource(data), ...(answer.meta ? { meta } : {}) }
    }
    case 'many': {
      const { data, meta } = body as { data: WireResource[]; meta: Record<string, number> }
      return { items: data.map(fromResource), total: meta[PAGE_META.total] }
    }
    case 'records':
      return (body as { data: { attributes: unknown }[] }).data.map(({ attributes }) => attributes)
    case 'rows': {
      const { data, meta } = body as { data: unknown[]; meta: Record<string, number> }
      return { items: data, total: meta[PAGE_META.total] }
    }
    case 'data':
      return (body as { data: unknown }).data
    default:
      return body
  }
}

interface WireResource {
  id: string
  attributes: Record<string, unknown>
}
const fromResource = ({ id, attributes }: WireResource) => ({ id, ...attributes })
