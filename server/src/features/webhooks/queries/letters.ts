import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { Letter, MessageEvent } from '../message.ts'

const eventColumns = sql`e.id as event_id, e.individual_id, e.kind, e.position::float8 as position, e.occurred_at, e.data`

/** Of an event `e` and a webhook `w`. */
export const letterColumns = sql`${eventColumns}, w.organization_id, w.id as webhook_id, w.url, w.secret,
  case when w.previous_secret_until > now() then w.previous_secret end as previous_secret`

/** A letter that is no delivery yet. */
export async function findLetter(
  db: Database,
  webhookId: string,
  eventId: string,
): Promise<Omit<Letter, 'id'> | undefined> {
  const { rows } = await sql<Omit<Letter, 'id'>>`select ${letterColumns}
    from webhooks w join events e on e.organization_id = w.organization_id and e.id = ${eventId}
    where w.id = ${webhookId}`.execute(db)
  return rows[0]
}

export async function findEvent(db: Database, organizationId: string, id: string): Promise<MessageEvent | undefined> {
  const { rows } = await sql<MessageEvent>`select ${eventColumns}, e.organization_id
    from events e where e.organization_id = ${organizationId} and e.id = ${id}`.execute(db)
  return rows[0]
}
