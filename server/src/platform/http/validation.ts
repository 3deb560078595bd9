// Validation compiled from the contract. Every fault of a request is found and named, not only the first.

import { type ErrorEntry, errorEntry, formats, isComparison } from '@almoner/contract'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'

export type Validator = ValidateFunction

/** Where a validated value came from decides how its faults are worded. */
export type Origin = 'body' | 'parameters'

const COMPARISON_WORDING = 'a comparator (>, <, >=, <=) followed by a datetime, or null'
// An answer names every fault, but not the hundred thousand that one megabyte of nonsense can hold.
const MAXIMUM_FAULTS = 1000

export class Validators {
  readonly #ajv = new Ajv({
    allErrors: true,
    strict: true,
    strictTypes: false,
    useDefaults: true,
    validateFormats: true,
  })

  constructor() {
    for (const [name, { check }] of Object.entries(formats)) this.#ajv.addFormat(name, check)
    this.#ajv.addFormat('comparison', isComparison)
  }

  compile(schema: TSchema): Validator {
    return this.#ajv.compile(schema)
  }
}

/** Empty when the value is valid. Defaults are filled into it. */
export function faultsOf(validate: Validator, value: unknown, origin: Origin): ErrorEntry[] {
  if (validate(value)) return []
  const found = (validate.errors as ErrorObject[]).filter((error) => !isEcho(error))
  const entries = found
    .slice(0, MAXIMUM_FAULTS)
    .map((error) => (origin === 'body' ? bodyFault(error) : parameterFault(error)))
  if (found.length > MAXIMUM_FAULTS) entries.push(errorEntry('TooManyFaults', { count: found.length - MAXIMUM_FAULTS }))
  return entries
}

/** A nullable value that is wrong fails three times: not null, not the type, not either. Only the middle one helps. */
function isEcho({ keyword, schemaPath, params }: ErrorObject): boolean {
  return keyword === 'anyOf' || (params.type === 'null' && /\/anyOf\/\d+\/type$/.test(schemaPath))
}

function bodyFault(error: ErrorObject): ErrorEntry {
  const { keyword, instancePath, params } = error
  if (keyword === 'required')
    return errorEntry('MissingValue', { pointer: `${instancePath}/${escapePointer(params.missingProperty)}` })
  if (keyword === 'additionalProperties') {
    return errorEntry('UnknownAttribute', { pointer: `${instancePath}/${escapePointer(params.additionalProperty)}` })
  }
  return errorEntry('InvalidValue', { pointer: instancePath || '/', fault: wording(error) })
}

function parameterFault(error: ErrorObject): ErrorEntry {
  const { keyword, instancePath, params } = error
  if (keyword === 'required') return errorEntry('MissingParameter', { parameter: params.missingProperty })
  if (keyword === 'additionalProperties')
    return errorEntry('UnknownParameter', { parameter: params.additionalProperty })
  const parameter = unescapePointer(instancePath.split('/')[1] ?? '')
  return errorEntry('InvalidParameter', { parameter, fault: wording(error) })
}

function wording({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'format':
      return `must be ${params.format === 'comparison' ? COMPARISON_WORDING : formats[params.format]?.wording}`
    case 'enum':
      return `must be one of ${params.allowedValues.join(', ')}`
    case 'const':
      return `must be ${params.allowedValue}`
    case 'type':
      return `must be ${params.type === 'array' ? 'a list' : params.type === 'object' ? 'an object' : `of type ${params.type}`}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minItems':
      return params.limit === 1 ? 'must not be an empty list' : `must have at least ${params.limit} items`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'minimum':
    case 'maximum':
      return `must be at ${keyword === 'minimum' ? 'least' : 'most'} ${params.limit}`
    default:
      return message as string
  }
}

export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
const unescapePointer = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')
