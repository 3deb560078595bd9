// Rows for what is told. However many there are, each kind of row is one statement.

import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type NewNotification = Omit<Selectable<Tables['notifications']>, 'readAt'>
type NewDelivery = Omit<Selectable<Tables['notificationDeliveries']>, 'sentAt' | 'messageId'>

/** Answers the ids of those that had not been told before. */
export async function insertNotifications(db: Database, rows: NewNotification[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  // In one order everywhere: two who tell the same people the same things wait for each other, and never in a circle.
  const ordered = rows.toSorted(byPlace)
  const all = <Name extends keyof NewNotification>(name: Name) => ordered.map((row) => row[name])
  const added = await sql<{ id: string }>`
    insert into notifications (id, organization_id, recipient_id, key, kind, severity, title, text, path,
      individual_id, created_at)
    select * from unnest(${all('id')}::uuid[], ${all('organizationId')}::uuid[], ${all('recipientId')}::uuid[],
      ${all('key')}::text[], ${all('kind')}::text[], ${all('severity')}::text[], ${all('title')}::text[],
      ${all('text')}::text[], ${all('path')}::text[], ${all('individualId')}::uuid[],
      ${all('createdAt')}::timestamptz[])
    on conflict (recipient_id, organization_id, key) do nothing returning id`.execute(db)
  return new Set(added.rows.map(({ id }) => id))
}

function byPlace(one: NewNotification, other: NewNotification): number {
  const [left, right] = [one, other].map(({ recipientId, organizationId, key }) => recipientId + organizationId + key)
  return (left as string) < (right as string) ? -1 : 1
}

export async function insertDeliveries(db: Database, rows: NewDelivery[]): Promise<void> {
  if (rows.length === 0) return
  const all = <Name extends keyof NewDelivery>(name: Name) => rows.map((row) => row[name])
  await sql`insert into notification_deliveries (notification_id, channel, recipient_id, due_at, is_gathered)
    select * from unnest(${all('notificationId')}::uuid[], ${all('channel')}::text[], ${all('recipientId')}::uuid[],
      ${all('dueAt')}::timestamptz[], ${all('isGathered')}::boolean[])`.execute(db)
}
