// What waits to be sent, and what was.

import type { Severity } from '@almoner/contract'
import { sql } from 'kysely'
import { anyOf } from '../../../platform/db/any-of.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Channel } from '../../../platform/delivery/outbox.ts'

/** Any number, the same everywhere: together with a person, what whoever sends to that person holds. */
const SENDING = 7_301_011

export interface WaitingDelivery {
  notificationId: string
  channel: Channel
  organizationId: string
  recipientId: string
  isGathered: boolean
  kind: string
  severity: Severity
  path: string | null
  createdAt: Date
  readAt: Date | null
}

// What is not held back is always due: the clock of whoever told it may be ahead of ours.
const isDue = (now: Date) => sql<boolean>`d.sent_at is null and (d.due_at <= ${now} or not d.is_gathered)`

/** Those for whom something is due; of these, where some are named. */
export async function recipientsToSend(db: Database, now: Date, among?: string[]): Promise<string[]> {
  const isAsked = among
    ? sql`d.recipient_id = ${anyOf(among)} and ${isDue(now)}`
    : sql`d.sent_at is null and d.due_at <= ${now}`
  const { rows } = await sql<{ recipientId: string }>`
    select distinct d.recipient_id from notification_deliveries d where ${isAsked}`.execute(db)
  return rows.map(({ recipientId }) => recipientId)
}

/** Until the transaction ends nobody else sends to this person. */
export const lockSendingTo = (db: Database, recipientId: string) =>
  sql`select pg_advisory_xact_lock(${sql.lit(SENDING)}, hashtext(${recipientId}))`.execute(db)

export async function findWaiting(db: Database, recipientId: string, now: Date): Promise<WaitingDelivery[]> {
  const { rows } = await sql<WaitingDelivery>`
    select d.notification_id, d.channel, n.organization_id, n.recipient_id, d.is_gathered, n.kind, n.severity, n.path,
      n.created_at, n.read_at
    from notification_deliveries d join notifications n on n.id = d.notification_id
    where d.recipient_id = ${recipientId} and ${isDue(now)} order by n.created_at, n.id`.execute(db)
  return rows
}

/** When messages went out to a person by a way, since then. */
export async function messagesSince(db: Database, recipientId: string, channel: Channel, since: Date): Promise<Date[]> {
  const { rows } = await sql<{ sentAt: Date }>`
    select min(sent_at) as sent_at from notification_deliveries
    where recipient_id = ${recipientId} and channel = ${channel} and sent_at > ${since} group by message_id`.execute(db)
  return rows.map(({ sentAt }) => sentAt)
}

export const dropDeliveries = (db: Database, channel: Channel, notificationIds: string[]) =>
  db
    .deleteFrom('notificationDeliveries')
    .where('channel', '=', channel)
    .where('notificationId', '=', anyOf(notificationIds))
    .execute()

export const holdDeliveries = (db: Database, channel: Channel, held: { notificationId: string; dueAt: Date }[]) =>
  sql`update notification_deliveries d set due_at = h.due_at, is_gathered = true
    from unnest(${held.map((one) => one.notificationId)}::uuid[], ${held.map((one) => one.dueAt)}::timestamptz[])
      h (notification_id, due_at)
    where d.notification_id = h.notification_id and d.channel = ${channel}`.execute(db)

export const markSent = (db: Database, channel: Channel, notificationIds: string[], messageId: string, now: Date) =>
  db
    .updateTable('notificationDeliveries')
    .set({ sentAt: now, messageId })
    .where('channel', '=', channel)
    .where('notificationId', '=', anyOf(notificationIds))
    .execute()
