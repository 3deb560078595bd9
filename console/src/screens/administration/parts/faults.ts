// What the service found wrong, at the fields that it belongs to.

import { AlmonerError, type ErrorEntry } from '@almoner/client'

const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** `/data/attributes/ranges/2/to` is `ranges.2.to`. */
function placeOf({ meta }: ErrorEntry): string | null {
  if (typeof meta?.pointer !== 'string') return null
  const parts = meta.pointer.replace(/^\/data(\/attributes)?/, '').split('/')
  return parts.slice(1).map(camel).join('.')
}

function wordsOf({ code, detail, meta }: ErrorEntry, needed: string): string {
  if (code === 'MissingValue') return needed
  const fault = typeof meta?.fault === 'string' ? meta.fault : null
  return fault ? `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.` : detail
}

export interface Faults {
  at: Record<string, string>
  /** What belongs to no field. */
  rest: unknown
}

/** `fields` are those that the form shows, by the beginning of their place. */
export function faultsOf(error: unknown, fields: readonly string[], needed: string): Faults {
  if (!(error instanceof AlmonerError)) return { at: {}, rest: error }
  const at: Record<string, string> = {}
  const rest = error.errors.filter((entry) => {
    const place = placeOf(entry)
    if (place === null || !fields.includes(place.split('.')[0] ?? '')) return true
    at[place] ??= wordsOf(entry, needed)
    return false
  })
  const isAllPlaced = rest.length === 0 && error.errors.length > 0
  return { at, rest: isAllPlaced ? null : new AlmonerError(error.status, rest, error.requestId) }
}
