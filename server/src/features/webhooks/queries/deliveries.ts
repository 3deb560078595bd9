import type { InputOf } from '@almoner/contract'
import { type listWebhookDeliveries, MOST_ATTEMPTS_SHOWN } from '@almoner/contract/webhooks/deliveries'
import { type Insertable, sql } from 'kysely'
import { anyOf } from '../../../platform/db/any-of.ts'
import { textHolds, valueHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'
import { pageOf } from '../../../platform/db/paging.ts'
import type { Tables } from '../../../platform/db/tables.ts'

const deliveriesWithin = (db: Database, reach: string[]) =>
  db
    .selectFrom('webhookDeliveries')
    .select(['id', 'organizationId', 'webhookId', 'eventId', 'kind', 'state', 'attemptCount'])
    .select(['dueAt as nextAttemptAt', 'lastAttemptAt', 'lastStatus', 'lastError', 'createdAt', 'finishedAt'])
    .where('organizationId', '=', anyOf(reach))

type Listing = Pick<InputOf<typeof listWebhookDeliveries>, 'filter' | 'page'>

export function deliveriesPage(db: Database, reach: string[], { filter, page }: Listing) {
  let query = deliveriesWithin(db, reach).orderBy('createdAt', 'desc').orderBy('id', 'desc')
  if (filter.webhookId) query = query.where(valueHolds(sql.ref('webhook_id'), filter.webhookId))
  if (filter.state) query = query.where(textHolds(sql.ref('state'), filter.state))
  if (filter.kind) query = query.where(textHolds(sql.ref('kind'), filter.kind))
  return pageOf(query, page)
}

export const findDelivery = (db: Database, reach: string[], id: string) =>
  deliveriesWithin(db, reach).where('id', '=', id).executeTakeFirst()

export const attemptsOf = (db: Database, deliveryId: string) =>
  db
    .selectFrom('webhookAttempts')
    .select(['number', 'attemptedAt', 'durationMs', 'requestHeaders', 'responseStatus', 'response', 'error'])
    .where('deliveryId', '=', deliveryId)
    .orderBy('number', 'desc')
    .limit(MOST_ATTEMPTS_SHOWN)
    .execute()

export interface NewDelivery {
  id: string
  organizationId: string
  webhookId: string
  eventId: string
  kind: string
}

/** Due at once. As five lists, because there may be more of them than a statement has parameters. */
export async function insertDeliveries(db: Database, deliveries: NewDelivery[], now: Date): Promise<void> {
  const listOf = (name: keyof NewDelivery) => deliveries.map((one) => one[name])
  await sql`insert into webhook_deliveries (id, organization_id, webhook_id, event_id, kind, state, due_at, created_at)
    select *, 'pending', now(), ${now}::timestamptz from unnest(${listOf('id')}::uuid[], ${listOf('organizationId')}::uuid[],
      ${listOf('webhookId')}::uuid[], ${listOf('eventId')}::uuid[], ${listOf('kind')}::text[])
    on conflict (webhook_id, event_id) do nothing`.execute(db)
}

/** One that was made and came to its end at once. */
export const insertFinished = (db: Database, row: Insertable<Tables['webhookDeliveries']>) =>
  db.insertInto('webhookDeliveries').values(row).execute()

/** Attempts from now on as if it were new, unless it is being attempted. */
export const renewDelivery = (db: Database, id: string) =>
  sql`update webhook_deliveries set state = 'pending', due_at = now(), finished_at = null, round_count = 0,
      round_started_at = null
    where id = ${id} and (leased_until is null or leased_until < now())`.execute(db)

export const cancelPending = (db: Database, webhookId: string, now: Date) =>
  db
    .updateTable('webhookDeliveries')
    .set({ state: 'canceled', dueAt: null, finishedAt: now })
    .where('webhookId', '=', webhookId)
    .where('state', '=', 'pending')
    .execute()

interface AttemptRow {
  deliveryId: string
  number: number
  attemptedAt: Date
  durationMs: number | null
  requestHeaders: object | null
  responseStatus: number | null
  response: Buffer | null
  error: string | null
}

/** Nothing when the delivery was forgotten meanwhile. What really became of an attempt takes the place of a guess. */
export const keepAttempt = (db: Database, row: AttemptRow) =>
  sql`insert into webhook_attempts
      (delivery_id, number, attempted_at, duration_ms, request_headers, response_status, response, error)
    select id, ${row.number}::int, ${row.attemptedAt}::timestamptz, ${row.durationMs}::int,
      ${row.requestHeaders && JSON.stringify(row.requestHeaders)}::jsonb, ${row.responseStatus}::int,
      ${row.response}::bytea, ${row.error}::text
    from webhook_deliveries where id = ${row.deliveryId}
    on conflict (delivery_id, number) do update set duration_ms = excluded.duration_ms, error = excluded.error,
      request_headers = excluded.request_headers, response_status = excluded.response_status,
      response = excluded.response`.execute(db)

interface End {
  /** The attempt that ended. When it is not the latest, another took over and says what becomes of the delivery. */
  number: number
  status: number | null
  error: string | null
}

export const endDelivery = (
  db: Database,
  id: string,
  state: 'succeeded' | 'failed',
  { number, status, error }: End,
  now: Date,
) =>
  // A success counts though the delivery was canceled meanwhile; a failure changes nothing then.
  sql`update webhook_deliveries set leased_until = null, last_status = ${status}, last_error = ${error},
      state = case when state = 'pending' or ${state} = 'succeeded' then ${state} else state end,
      due_at = null, finished_at = case when state = 'pending' then ${now} else finished_at end
    where id = ${id} and attempt_count = ${number}`.execute(db)

export const putOff = (db: Database, id: string, delayMs: number, { number, status, error }: End) =>
  sql`update webhook_deliveries set leased_until = null, last_status = ${status}, last_error = ${error},
      due_at = case when state = 'pending' then now() + ${delayMs} * interval '1 millisecond' end
    where id = ${id} and attempt_count = ${number}`.execute(db)

const FORGOTTEN_AT_ONCE = 5000

/** Answers whether there may be more. */
export async function forgetSomeBefore(db: Database, moment: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from webhook_deliveries where id in (
    select id from webhook_deliveries where created_at < ${moment} limit ${sql.lit(FORGOTTEN_AT_ONCE)})`.execute(db)
  return numAffectedRows === BigInt(FORGOTTEN_AT_ONCE)
}
