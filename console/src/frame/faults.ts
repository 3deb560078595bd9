// What the service found wrong with a form, by field: all of it at once.

import { AlmonerError, type ErrorEntry } from '@almoner/client'
import { currentLanguage } from '../language/language.ts'
import { said } from './failure.tsx'
import { frame } from './messages.ts'

export interface Faults {
  /** By the name of the attribute in code, such as `birthDate`. */
  fields: Record<string, string>
  /** What belongs to no field of the form; null when there is nothing else. */
  rest: AlmonerError | Error | null
}

const camel = (name: string) => name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `names` are the fields that the form has. */
export function faultsOf(error: unknown, names: readonly string[]): Faults {
  if (!(error instanceof AlmonerError)) return { fields: {}, rest: error === null ? null : (error as Error) }
  const placed = error.errors.map((entry) => ({ entry, name: fieldOf(entry) }))
  const isShown = (name: string | null): name is string => name !== null && names.includes(name)
  const fields: Record<string, string> = {}
  for (const { entry, name } of placed) if (isShown(name)) fields[name] ??= wordsFor(entry)
  const rest = placed.filter(({ name }) => !isShown(name)).map(({ entry }) => entry)
  const isAllShown = rest.length === 0 && placed.length > 0
  return { fields, rest: isAllShown ? null : new AlmonerError(error.status, rest, error.requestId) }
}

function fieldOf({ meta }: ErrorEntry): string | null {
  const [, name] = /^(?:\/data\/attributes)?\/([a-z0-9-]+)/.exec(String(meta?.pointer ?? '')) ?? []
  return name ? camel(name) : null
}

/** At its field a fault need not say where it is. */
function wordsFor(entry: ErrorEntry): string {
  const { code, meta } = entry
  if (code === 'MissingValue') return frame[currentLanguage()].required
  const fault = typeof meta?.fault === 'string' ? meta.fault : null
  return fault ? `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.` : said(entry)
}
