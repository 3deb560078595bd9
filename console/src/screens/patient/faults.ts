// What the service found wrong with a form, by field.

import { AlmonerError, type ErrorEntry } from '@almoner/client'

export interface Faults {
  fields: Record<string, string>
  /** What belongs to no field of the form. */
  rest: unknown
}

/** `fieldOf` says which field of the form a place in the body is, if any. */
export function faultsOf(error: unknown, fieldOf: (pointer: string) => string | undefined): Faults {
  if (!(error instanceof AlmonerError)) return { fields: {}, rest: error }
  const fields: Record<string, string> = {}
  const rest: ErrorEntry[] = []
  for (const entry of error.errors) {
    const field = fieldOf(String(entry.meta?.pointer ?? ''))
    if (field === undefined) rest.push(entry)
    else fields[field] ??= atField(entry)
  }
  const isAllShown = rest.length === 0 && error.errors.length > 0
  return { fields, rest: isAllShown ? null : new AlmonerError(error.status, rest, error.requestId) }
}

/** At its field a fault need not say where it is. */
function atField({ detail, meta }: ErrorEntry): string {
  const fault = typeof meta?.fault === 'string' ? meta.fault : ''
  return fault ? `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.` : detail
}
