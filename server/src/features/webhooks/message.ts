// The body that is sent: made from the event each time, so that people's records are not kept a second time.

import type { Secrets } from '../../platform/auth/secrets.ts'
import { wirePayload } from '../../platform/events/event-payload.ts'
import type { Parcel } from './attempt.ts'

export interface MessageEvent {
  organizationId: string
  eventId: string
  individualId: string | null
  kind: string
  position: number | null
  occurredAt: Date
  data: Record<string, unknown>
}

export const messageOf = ({
  eventId,
  organizationId,
  individualId,
  kind,
  position,
  occurredAt,
  data,
}: MessageEvent) => ({
  type: kind,
  timestamp: occurredAt.toISOString(),
  data: {
    id: eventId,
    'organization-id': organizationId,
    'individual-id': individualId,
    position,
    payload: wirePayload(kind, data),
  },
})

/** An event for a webhook. */
export interface Letter extends MessageEvent {
  /** Of the delivery. */
  id: string
  webhookId: string
  url: string
  /** Encrypted; the one before only while it signs too. */
  secret: Buffer
  previousSecret: Buffer | null
}

export function parcelOf(secrets: Secrets, letter: Letter): Parcel {
  const { id, url, secret, previousSecret } = letter
  const sealed = previousSecret ? [secret, previousSecret] : [secret]
  return { id, url, secrets: sealed.map((one) => secrets.decrypt(one)), body: JSON.stringify(messageOf(letter)) }
}
