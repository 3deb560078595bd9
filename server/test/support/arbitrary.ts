// Input made from the contract's own schemas: what it allows, and what it does not.

import { bodySchema, type Operation, pathNames, queryParameters, wireSchema } from '@almoner/contract'
import fc from 'fast-check'

interface Schema {
  type?: string
  format?: string
  enum?: string[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}

const printMoment = (moment: Date) => moment.toISOString().slice(0, 19).replace('T', ' ')
const moments = fc.date({
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9999-12-30T00:00:00Z'),
  noInvalidDate: true,
})

const byFormat: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  date: moments.map((moment) => moment.toISOString().slice(0, 10)),
  datetime: fc.oneof(
    moments.map(printMoment),
    moments.map((moment) => moment.toISOString()),
  ),
  email: fc
    .tuple(fc.stringMatching(/^[a-z]{1,10}$/), fc.stringMatching(/^[a-z]{1,10}$/))
    .map(([name, host]) => `${name}@${host}.example`),
  timeOfDay: fc.date({ noInvalidDate: true }).map((moment) => moment.toISOString().slice(-13, -8)),
  timeZone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata'),
  phonenumberE164: fc.stringMatching(/^\+[1-9]\d{6,14}$/),
}

// Nothing that PostgreSQL's text cannot hold: that is refused before validation and tested on its own.
const storable = (options: { minLength?: number; maxLength?: number }) =>
  fc.string({ unit: 'grapheme', ...options }).filter((text) => text.isWellFormed() && !text.includes('\0'))

/** A value the schema allows. */
export function allowed(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(allowed))
  switch (schema.type) {
    case 'string':
      return (
        (schema.format && byFormat[schema.format]) ||
        storable({ minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 40, 40) })
      )
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 100_000, 2 ** 31 - 1) })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(allowed(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      })
    case 'object': {
      const members = Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [name, allowed(member)]),
      )
      return fc.record(members, { requiredKeys: schema.required ?? [] })
    }
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Whatever: mostly JSON of the wrong kind. */
const nonsense = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, '', 0, -1, 1e308, [], {}, true, ' ', '\u2028', '9'.repeat(400), "' or 1=1 --"),
)

/** A value near the allowed ones: one place in it is replaced, removed or added. */
export function spoiled(schema: Schema): fc.Arbitrary<unknown> {
  return fc
    .tuple(allowed(schema), nonsense, fc.nat(), fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, odd, where, how]) => {
      const copy = structuredClone(value)
      const places: [object, string][] = []
      const walk = (node: unknown) => {
        if (node === null || typeof node !== 'object') return
        for (const key of Object.keys(node)) {
          places.push([node, key])
          walk((node as Record<string, unknown>)[key])
        }
      }
      walk(copy)
      const place = places[where % Math.max(places.length, 1)]
      if (!place) return odd
      const [parent, key] = place as [Record<string, unknown>, string]
      if (how === 'replace') parent[key] = odd
      else if (how === 'remove') delete parent[key]
      else parent[`${key}-x`] = odd
      return copy
    })
}

export interface Request {
  path: string
  body: unknown
}

export function requests(operation: Operation, make: (schema: Schema) => fc.Arbitrary<unknown>): fc.Arbitrary<Request> {
  const path = fc
    .tuple(...pathNames(operation.path).map(() => fc.oneof(fc.uuid(), fc.constantFrom('x', '0'))))
    .map((ids) => {
      let index = 0
      return operation.path.replace(/\{[a-z-]+\}/g, () => String(ids[index++]))
    })
  const parameters = queryParameters(operation).map(({ name, schema, style }) =>
    fc
      .option(
        style === 'comparison'
          ? fc.tuple(fc.constantFrom('>', '<=', ''), allowed(schema)).map(([sign, value]) => sign + value)
          : make(schema as Schema),
        { nil: undefined },
      )
      .map((value) => [name, value] as const),
  )
  const body = operation.body ? make(wireSchema(bodySchema(operation.body)) as Schema) : fc.constant(undefined)
  return fc.record({ path, query: fc.tuple(...parameters), body }).map(({ path, query, body }) => {
    const search = new URLSearchParams()
    for (const [name, value] of query)
      if (value !== undefined) search.append(name, [value].flat().map(asText).join(','))
    return { path: `${path}?${search}`, body }
  })
}

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
