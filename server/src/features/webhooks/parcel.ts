import type { Secrets } from '../../platform/auth/secrets.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Parcel } from './attempt.ts'
import { messageOf } from './message.ts'
import { findEventFor } from './queries/deliveries.ts'

interface Addressed {
  id: string
  organizationId: string
  webhookId: string
  eventId: string
  url: string
}

/** What is sent now: the event in its form, to be signed with the secrets of this moment. Null when it is gone. */
export async function parcelOf(
  db: Database,
  secrets: Secrets,
  { id, organizationId, webhookId, eventId, url }: Addressed,
): Promise<Parcel | null> {
  const event = await findEventFor(db, webhookId, organizationId, eventId)
  if (!event) return null
  const { secret, previousSecret } = event
  const sealed = previousSecret ? [secret, previousSecret] : [secret]
  return { id, url, secrets: sealed.map((one) => secrets.decrypt(one)), body: JSON.stringify(messageOf(event)) }
}
