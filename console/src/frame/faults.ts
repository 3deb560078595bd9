// What the service found wrong with a form, by field: all of it at once.

import { AlmonerError, type ErrorEntry } from '@almoner/client'
import { faultSaid, said } from '../language/error-words.ts'
import { currentLanguage } from '../language/language.ts'
import { frame } from './messages.ts'

export interface Faults {
  /** By the name of the attribute in code, such as `birthDate`. */
  fields: Record<string, string>
  /** What belongs to no field of the form; null when there is nothing else. */
  rest: AlmonerError | Error | null
}

const camel = (name: string) => name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Where in the attributes something is, in code names: `/data/attributes/ranges/2/to` is `['ranges', '2', 'to']`. */
export const placeOf = (pointer: string): string[] =>
  pointer
    .replace(/^\/data\/attributes/, '')
    .split('/')
    .slice(1)
    .map(camel)

/** `fields` are those that the form has, or say which of its fields a place in the body is, if any. */
export function faultsOf(
  error: unknown,
  fields: readonly string[] | ((pointer: string) => string | undefined),
): Faults {
  if (!(error instanceof AlmonerError)) return { fields: {}, rest: error === null ? null : (error as Error) }
  const fieldOf =
    typeof fields === 'function' ? fields : (pointer: string) => fields.find((name) => name === placeOf(pointer)[0])
  const found: Record<string, string> = {}
  const rest = error.errors.filter((entry) => {
    const name = typeof entry.meta?.pointer === 'string' ? fieldOf(entry.meta.pointer) : undefined
    if (name !== undefined) found[name] ??= wordsFor(entry)
    return name === undefined
  })
  const isAllShown = rest.length === 0 && error.errors.length > 0
  return { fields: found, rest: isAllShown ? null : new AlmonerError(error.status, rest, error.requestId) }
}

/** At its field a fault need not say where it is. */
function wordsFor(entry: ErrorEntry): string {
  const { code, meta } = entry
  if (code === 'MissingValue') return frame[currentLanguage()].required
  const fault = typeof meta?.fault === 'string' ? meta.fault : null
  return fault ? faultSaid(fault) : said(entry)
}
