// Between code and wire: names are camelCase in code and kebab-case on the wire, moments are `Date`s in code and
// strings on the wire. Everything else is the same on both sides. Both directions are compiled from the schema once.
// Objects whose properties are not declared (a caller's own JSON) pass through untouched.

import type { TSchema } from 'typebox'
import { isOptional } from './fields.ts'
import { parseDatetime, printDatetime } from './formats.ts'
import { kebab } from './naming.ts'

interface JsonSchema {
  type?: string
  format?: string
  properties?: Record<string, TSchema>
  items?: TSchema
  anyOf?: TSchema[]
  shapedBy?: string
  shapes?: Record<string, TSchema>
}

/** The same schema with wire names: what validates bodies and what the OpenAPI document shows. */
export function wireSchema(schema: TSchema): TSchema {
  const source = schema as JsonSchema
  if (source.properties) {
    const names = Object.keys(source.properties)
    const required = names.filter((name) => !isOptional(source.properties?.[name] as TSchema)).map(kebab)
    const { required: _, ...rest } = schema as JsonSchema & { required?: string[] }
    return {
      ...rest,
      properties: Object.fromEntries(
        names.map((name) => [kebab(name), wireSchema(source.properties?.[name] as TSchema)]),
      ),
      ...(required.length > 0 ? { required } : {}),
      ...('default' in rest ? { default: encoder(schema)(rest.default) } : {}),
    }
  }
  if (source.items) return { ...schema, items: wireSchema(source.items) }
  if (source.anyOf) return { ...schema, anyOf: source.anyOf.map(wireSchema) }
  if (source.shapes) {
    const { shapedBy: _, shapes, ...rest } = source
    return { ...rest, anyOf: Object.values(shapes).map(wireSchema) } as TSchema
  }
  return { ...schema }
}

type Convert = (value: unknown, beside?: Record<string, unknown>) => unknown

/** Null where code and wire are the same, so that nothing is walked or copied for nothing. */
function compile(schema: TSchema, direction: 'encode' | 'decode'): Convert | null {
  const source = schema as JsonSchema
  if (source.format === 'datetime') return direction === 'encode' ? encodeMoment : decodeMoment
  if (source.format === 'uuid' && direction === 'decode') return lowerCase
  if (source.items) {
    const item = compile(source.items, direction)
    return item && ((value) => (Array.isArray(value) ? value.map((one) => item(one)) : value))
  }
  if (source.anyOf) {
    // The only union with a conversion inside is "null or something".
    const inner = source.anyOf.map((branch) => compile(branch, direction)).find((convert) => convert !== null)
    return inner ? (value) => (value === null ? null : inner(value)) : null
  }
  if (source.properties) return compileObject(source.properties, direction)
  if (source.shapes) return compileShapes(source.shapedBy as string, source.shapes, direction)
  return null
}

function compileObject(properties: Record<string, TSchema>, direction: 'encode' | 'decode'): Convert | null {
  const members = Object.entries(properties).map(([name, schema]) => {
    const [from, to] = direction === 'encode' ? [name, kebab(name)] : [kebab(name), name]
    return { from, to, convert: compile(schema, direction) }
  })
  // Encoding always copies: only declared attributes may leave the house.
  if (direction === 'decode' && members.every(({ from, to, convert }) => from === to && !convert)) return null
  return (value) => {
    if (value === null || typeof value !== 'object') return value
    const source = value as Record<string, unknown>
    const result: Record<string, unknown> = {}
    for (const { from, to, convert } of members) {
      const member = source[from]
      if (member !== undefined) result[to] = convert ? convert(member, source) : member
    }
    return result
  }
}

/** A shape that is not known is left as it came, and does not leave the house. */
function compileShapes(name: string, shapes: Record<string, TSchema>, direction: 'encode' | 'decode'): Convert {
  const key = direction === 'encode' ? name : kebab(name)
  const converts = new Map(Object.entries(shapes).map(([shape, schema]) => [shape, compile(schema, direction) ?? same]))
  const unknown: Convert = direction === 'encode' ? () => ({}) : same
  return (value, beside) => (converts.get(beside?.[key] as string) ?? unknown)(value)
}

const AS_ON_THE_WIRE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/** A moment that was kept in JSON is text, and one that the database printed for the wire is done. */
const encodeMoment: Convert = (value) => {
  if (typeof value === 'string' && AS_ON_THE_WIRE.test(value)) return value
  const moment = typeof value === 'string' ? parseDatetime(value) : value
  return moment instanceof Date ? printDatetime(moment) : value
}
const decodeMoment: Convert = (value) => (typeof value === 'string' ? parseDatetime(value) : value)
/** Uuids are compared as text, and are one whatever case they are written in. */
const lowerCase: Convert = (value) => (typeof value === 'string' ? value.toLowerCase() : value)
const same: Convert = (value) => value

/** Whether code and wire are the same. */
export const isAsOnTheWire = (schema: TSchema): boolean => compile(schema, 'encode') === null
export const encoder = (schema: TSchema): Convert => compile(schema, 'encode') ?? same
export const decoder = (schema: TSchema): Convert => compile(schema, 'decode') ?? same
