// The query string of an operation: which parameters it has on the wire, and the way in both directions.
// Server: coerceQuery → (validation against querySchema) → assembleQuery. Client: printQuery.

import type { TSchema } from 'typebox'
import { decoder, encoder, wireSchema } from './codec.ts'
import { type Fields, isOptional } from './fields.ts'
import { COMPARATORS, COMPARISON_LIMITS, type Conditions, type Filters, type Operator } from './filters.ts'
import { integer, oneOf, parseDatetime, printDatetime } from './formats.ts'
import { camel, kebab } from './naming.ts'

export interface QueryDeclaration {
  query?: Fields
  filter?: Filters
  /** `exclude[<name>]`: what a list leaves out. */
  exclude?: Fields
  sort?: { fields: readonly string[]; default: string }
  fields?: readonly string[]
  paging?: { maximum: number; default: number }
}

export interface Parameter {
  /** The name on the wire, such as `filter[node-type]`. */
  name: string
  /** Where the value stands in the handler's input. */
  place: readonly [string] | readonly [string, string]
  style: 'single' | 'set' | 'match' | 'comparison'
  operator: Operator
  /** The schema of one value. */
  schema: TSchema
  decode: (value: unknown) => unknown
  encode: (value: unknown) => unknown
  required: boolean
}

export interface SortKey<Field extends string = string> {
  field: Field
  descending: boolean
}

type Raw = Record<string, string | string[] | undefined>
type Values = Record<string, unknown>

export function queryParameters(operation: QueryDeclaration): Parameter[] {
  const parameters: Parameter[] = []
  const add = (
    name: string,
    place: Parameter['place'],
    schema: TSchema,
    style?: Parameter['style'],
    operator: Operator = 'is',
  ) => {
    const isSet = style === undefined && 'items' in schema
    parameters.push({
      name,
      place,
      style: style ?? (isSet ? 'set' : 'single'),
      operator,
      schema,
      decode: decoder(schema),
      encode: encoder(schema),
      required: false,
    })
  }
  for (const [key, schema] of Object.entries(operation.query ?? {})) {
    add(kebab(key), [key], schema)
    const parameter = parameters.at(-1) as Parameter
    parameter.required = !isOptional(schema)
  }
  for (const [key, filter] of Object.entries(operation.filter ?? {})) {
    const name = `filter[${kebab(key)}]`
    if (filter.kind === 'plain') add(name, ['filter', key], filter.schema)
    else add(name, ['filter', key], filter.schema, filter.kind)
    for (const operator of filter.kind === 'match' ? filter.operators : []) {
      add(`${name}[${operator}]`, ['filter', key], filter.schema, 'match', operator)
    }
  }
  for (const [key, schema] of Object.entries(operation.exclude ?? {})) {
    add(`exclude[${kebab(key)}]`, ['exclude', key], schema)
  }
  if (operation.sort) {
    const names = operation.sort.fields.map(kebab)
    const schema = oneOf([...names, ...names.map((name) => `-${name}`)], {
      description: 'A leading - means descending.',
    })
    add('sort', ['sort'], { type: 'array', items: schema, default: [operation.sort.default] } as TSchema)
  }
  if (operation.fields) {
    const items = oneOf(operation.fields.map(kebab))
    add('fields', ['fields'], {
      type: 'array',
      items,
      description: 'The attributes to answer; all when left out.',
    } as TSchema)
  }
  if (operation.paging) {
    const { maximum, default: limit } = operation.paging
    add('page[limit]', ['page', 'limit'], { ...integer({ minimum: 1, maximum }), default: limit } as TSchema)
    const offset = integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
    add('page[offset]', ['page', 'offset'], { ...offset, default: 0 } as TSchema)
  }
  return parameters
}

/** What a coerced query must look like. */
export function querySchema(parameters: Parameter[]): TSchema {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, schemaOfAll(parameter)])),
    ...(required.length > 0 ? { required } : {}),
  }
}

function schemaOfAll({ style, schema }: Parameter): TSchema {
  if (style === 'match') return { type: 'array', items: { type: 'array', items: schema } }
  if (style === 'comparison') {
    return { type: 'array', maxItems: COMPARISON_LIMITS.items, items: { type: 'string', format: 'comparison' } }
  }
  return schema
}

/** Strings become numbers, booleans and lists where the schema says so; what does not fit stays for validation to name. */
export function coerceQuery(parameters: Parameter[], raw: Raw): Values {
  const coerced: Values = { ...raw }
  for (const { name, style, schema } of parameters) {
    const given = raw[name]
    if (given === undefined) continue
    const all = Array.isArray(given) ? given : [given]
    if (style === 'comparison') coerced[name] = all
    else if (style === 'match')
      coerced[name] = all.map((one) => one.split(',').map((part) => inDeclaredCase(coerce(part, schema), schema)))
    else if (style === 'set') {
      const { items } = schema as unknown as { items: TSchema }
      coerced[name] = all.flatMap((one) => one.split(',')).map((part) => coerce(part, items))
    } else coerced[name] = Array.isArray(given) ? given : coerce(given, schema)
  }
  return coerced
}

function coerce(value: string, schema: TSchema): unknown {
  const { type } = schema as { type?: string }
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (type === 'integer' && /^-?\d{1,16}$/.test(value)) return Number(value)
  if (type === 'number' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value)
  return value
}

/** A match is in any case, so an enumerated value may be written in any. */
function inDeclaredCase(value: unknown, schema: TSchema): unknown {
  const { enum: values } = schema as { enum?: string[] }
  return values?.find((one) => one.toLowerCase() === String(value).toLowerCase()) ?? value
}

/** From validated values to the handler's input: camelCase, moments as dates, defaults filled in. */
export function assembleQuery(parameters: Parameter[], values: Values): Values {
  const input: Values = {}
  for (const parameter of parameters) {
    const { name, place, style, schema, decode } = parameter
    const given = values[name] ?? (schema as { default?: unknown }).default
    if (given === undefined) continue
    const [outer, inner] = place
    let value: unknown
    if (style === 'match') value = matchConditions(parameter, given as unknown[][])
    else if (style === 'comparison') value = (given as string[]).map(parseComparison)
    else if (outer === 'sort') value = (given as string[]).map(parseSort)
    else if (outer === 'fields') value = (given as string[]).map(camel)
    else value = decode(given)
    if (inner === undefined) input[outer] = value
    else {
      input[outer] ??= {}
      const group = input[outer] as Record<string, unknown>
      const earlier = group[inner] as unknown[] | undefined
      group[inner] = earlier && style === 'match' ? [...earlier, ...(value as unknown[])] : value
    }
  }
  for (const { place } of parameters) if (place[0] === 'filter' || place[0] === 'exclude') input[place[0]] ??= {}
  return input
}

function matchConditions({ operator, decode }: Parameter, groups: unknown[][]): Conditions<unknown> {
  return groups.map((group) => group.map((value) => ({ operator, value: decode(value) })))
}

function parseSort(key: string): SortKey {
  const descending = key.startsWith('-')
  return { field: camel(descending ? key.slice(1) : key), descending }
}

const COMPARISON = /^(>=|<=|>|<)(.*)$/

function parseComparison(item: string): { operator: Operator; value: Date | null }[] {
  return item.split(',').map((part) => {
    if (part === 'null') return { operator: 'is', value: null }
    const [, comparator, moment] = COMPARISON.exec(part) as unknown as [string, keyof typeof COMPARATORS, string]
    return { operator: COMPARATORS[comparator], value: parseDatetime(moment) }
  })
}

export function isComparison(item: string): boolean {
  const parts = item.split(',')
  if (parts.length > COMPARISON_LIMITS.items) return false
  return parts.every((part) => {
    const moment = COMPARISON.exec(part)?.[2]
    return (
      part === 'null' ||
      (part.length <= COMPARISON_LIMITS.length && moment !== undefined && parseDatetime(moment) !== null)
    )
  })
}

/** The client's side: an input becomes a query string. */
export function printQuery(parameters: Parameter[], input: Values): URLSearchParams {
  const printed = new URLSearchParams()
  for (const parameter of parameters) {
    const [outer, inner] = parameter.place
    const given = inner === undefined ? input[outer] : (input[outer] as Values | undefined)?.[inner]
    if (given === undefined) continue
    for (const value of printValues(parameter, given)) printed.append(parameter.name, value)
  }
  return printed
}

function printValues({ name, style, operator, encode, place }: Parameter, given: unknown): string[] {
  if (style === 'comparison') return printComparison(given as Bounds & { orAbsent?: boolean })
  if (style === 'match') {
    const isBounds = typeof given === 'object' && given !== null && !Array.isArray(given)
    if (isBounds !== (operator !== 'is')) return []
    const values = isBounds ? (given as Values)[operator] : given
    return values === undefined
      ? []
      : [
          [values]
            .flat()
            .map((value) => withoutComma(name, String(encode(value))))
            .join(','),
        ]
  }
  if (place[0] === 'sort')
    return (given as SortKey[]).map(({ field, descending }) => `${descending ? '-' : ''}${kebab(field)}`)
  if (place[0] === 'fields') return [(given as string[]).map(kebab).join(',')]
  const wire = encode(given)
  return [Array.isArray(wire) ? wire.map((value) => withoutComma(name, String(value))).join(',') : String(wire)]
}

/** A comma means "or" on the wire and cannot be escaped: sending one would ask for something else. */
function withoutComma(name: string, value: string): string {
  if (value.includes(',')) throw new TypeError(`${name} cannot look for a value that holds a comma: ${value}`)
  return value
}

type Bounds = Partial<Record<(typeof COMPARATORS)[keyof typeof COMPARATORS], Date>>

function printComparison({ orAbsent, ...bounds }: Bounds & { orAbsent?: boolean }): string[] {
  const items = Object.entries(COMPARATORS).flatMap(([sign, name]) => {
    const moment = bounds[name]
    return moment ? [`${sign}${printDatetime(moment)}`] : []
  })
  if (!orAbsent) return items
  return items.length > 0 ? items.map((item) => `${item},null`) : ['null']
}

export const queryWireSchema = (parameter: Parameter): TSchema => wireSchema(schemaOfAll(parameter))
