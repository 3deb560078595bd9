// What an event carries, as it leaves the house: wire names, and only what its kind declares.

import { encoder, objectOf } from '@almoner/contract'
import { Event } from '@almoner/contract/integrator/events'

type Payload = Record<string, unknown>

const encode = encoder(objectOf(Event.attributes))

/** A kind that is not known any more says nothing. */
export const wirePayload = (kind: string, data: Payload): Payload => (encode({ kind, data }) as { data: Payload }).data
