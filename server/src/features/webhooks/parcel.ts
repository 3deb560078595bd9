import type { Secrets } from '../../platform/auth/secrets.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Parcel } from './attempt.ts'
import { messageOf } from './message.ts'
import { findEvent } from './queries/deliveries.ts'
import { sealedSecrets } from './queries/webhooks.ts'

interface Addressed {
  id: string
  organizationId: string
  webhookId: string
  eventId: string
  url: string
}

/** What is sent now: the event in its form, to be signed with the secrets of this moment. Null when the event is gone. */
export async function parcelOf(
  db: Database,
  secrets: Secrets,
  { id, organizationId, webhookId, eventId, url }: Addressed,
): Promise<Parcel | null> {
  const event = await findEvent(db, organizationId, eventId)
  if (!event) return null
  const { secret, previousSecret } = await sealedSecrets(db, webhookId)
  const sealed = previousSecret ? [secret, previousSecret] : [secret]
  return { id, url, secrets: sealed.map((one) => secrets.decrypt(one)), body: JSON.stringify(messageOf(event)) }
}
