import type { Conditions, Severity } from '@almoner/contract'
import { sql } from 'kysely'
import { anyOf } from '../../../platform/db/any-of.ts'
import { textHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'
import { pageOf } from '../../../platform/db/paging.ts'

/** Whose notifications, and of which organizations. */
export interface Own {
  recipientId: string
  organizationIds: string[]
}

const columns = ['id', 'kind', 'severity', 'title', 'text', 'path', 'organizationId', 'individualId'] as const
const times = ['createdAt', 'readAt'] as const

const own = (db: Database, { recipientId, organizationIds }: Own) =>
  db
    .selectFrom('notifications')
    .where('recipientId', '=', recipientId)
    .where('organizationId', '=', anyOf(organizationIds))

export const findNotification = (db: Database, of: Own, id: string) =>
  own(db, of)
    .select([...columns, ...times])
    .where('id', '=', id)
    .executeTakeFirst()

interface Wanted {
  unread?: boolean
  kind?: Conditions<string>
  severity?: Conditions<Severity>
}

export function listOwn(
  db: Database,
  of: Own,
  { unread, kind, severity }: Wanted,
  page: { limit: number; offset: number },
) {
  let query = own(db, of).select([...columns, ...times])
  if (unread) query = query.where('readAt', 'is', null)
  if (kind) query = query.where(textHolds(sql.ref('kind'), kind))
  if (severity) query = query.where(textHolds(sql.ref('severity'), severity))
  return pageOf(query.orderBy('createdAt', 'desc').orderBy('id', 'desc'), page)
}

export const unreadCount = (db: Database, of: Own) =>
  own(db, of).select(sql<number>`count(*)::int`.as('count')).where('readAt', 'is', null)

/** Whether it was unread. */
export async function markRead(db: Database, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ readAt: now })
    .where('id', '=', id)
    .where('readAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The organizations of those that were unread, one for each. */
export async function markReadUpTo(
  db: Database,
  { recipientId, organizationIds }: Own,
  newest: { id: string },
  now: Date,
): Promise<string[]> {
  const marked = await db
    .updateTable('notifications')
    .set({ readAt: now })
    .where('recipientId', '=', recipientId)
    .where('organizationId', '=', anyOf(organizationIds))
    .where('readAt', 'is', null)
    // Looked up here, because a moment loses its microseconds on its way through the code.
    .where(sql<boolean>`(created_at, id) <= (select created_at, id from notifications where id = ${newest.id})`)
    .returning('organizationId')
    .execute()
  return marked.map(({ organizationId }) => organizationId)
}

/** Two records became one. What both were told of stays once. */
export async function moveNotifications(db: Database, from: string, into: string): Promise<void> {
  await sql`delete from notifications gone using notifications kept where gone.recipient_id = ${from}
    and kept.recipient_id = ${into} and kept.organization_id = gone.organization_id and kept.key = gone.key`.execute(db)
  await db.updateTable('notifications').set({ recipientId: into }).where('recipientId', '=', from).execute()
  await db.updateTable('notificationDeliveries').set({ recipientId: into }).where('recipientId', '=', from).execute()
  await db.updateTable('notifications').set({ individualId: into }).where('individualId', '=', from).execute()
  await sql`insert into notification_preferences (individual_id, choices, changed_at)
    select ${into}, choices, changed_at from notification_preferences where individual_id = ${from}
    on conflict do nothing`.execute(db)
  await db.deleteFrom('notificationPreferences').where('individualId', '=', from).execute()
}

/** Everything of a kind that anyone was told about someone. */
export async function forgetNotifications(db: Database, individualId: string, kind: string): Promise<void> {
  await db.deleteFrom('notifications').where('individualId', '=', individualId).where('kind', '=', kind).execute()
}
