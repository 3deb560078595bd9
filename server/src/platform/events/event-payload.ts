// What an event carries, as it leaves the house: wire names, and only what its kind declares.

import { type EventKind, encoder, events, objectOf } from '@almoner/contract'
import type { TSchema } from 'typebox'

type Payload = Record<string, unknown>

const encoders = new Map<string, (data: Payload) => Payload>(
  (Object.keys(events) as EventKind[]).map((kind) => {
    const fields: Record<string, TSchema> = events[kind]
    const encode = encoder(objectOf(fields))
    const moments = Object.keys(fields).filter((name) => isMoment(fields[name] as TSchema))
    return [kind, (data) => encode(withMoments(data, moments)) as Payload]
  }),
)

/** A kind that is not known any more says nothing. */
export const wirePayload = (kind: string, data: Payload): Payload => encoders.get(kind)?.(data) ?? {}

function isMoment(schema: TSchema): boolean {
  const { format, anyOf } = schema as { format?: string; anyOf?: TSchema[] }
  return format === 'datetime' || (anyOf ?? []).some(isMoment)
}

/** Moments are stored as text, as JSON has them. */
function withMoments(data: Payload, names: string[]): Payload {
  const moments = names.flatMap((name) =>
    typeof data[name] === 'string' ? [[name, new Date(data[name])] as const] : [],
  )
  return { ...data, ...Object.fromEntries(moments) }
}
