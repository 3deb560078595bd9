// What an event carries, as it leaves the house: wire names, and only what its kind declares.

import { encoder, objectOf } from '@almoner/contract'
import { Event } from '@almoner/contract/integrator/events'

type Payload = Record<string, unknown>

const { kind, data } = Event.attributes
const encode = encoder(objectOf({ kind, data }))

/** A kind that is not known any more says nothing. */
export const wirePayload = (name: string, carried: Payload): Payload =>
  (encode({ kind: name, data: carried }) as { data: Payload }).data
