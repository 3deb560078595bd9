import { type Insertable, sql, type Updateable } from 'kysely'
import { anyOf } from '../../../platform/db/any-of.ts'
import type { Database } from '../../../platform/db/database.ts'
import { pageOf } from '../../../platform/db/paging.ts'
import type { Tables } from '../../../platform/db/tables.ts'

const columns = [
  'id',
  'organizationId',
  'url',
  'description',
  'kinds',
  'enabled',
  'disabledAt',
  'disabledReason',
  'lastDeliveryAt',
  'lastSuccessAt',
  'consecutiveFailures',
  'createdAt',
  'createdBy',
] as const

/** Nothing has failed yet. */
export const FRESH = { consecutiveFailures: 0, failingSince: null }

const webhooksWithin = (db: Database, reach: string[]) =>
  db.selectFrom('webhooks').select(columns).where('organizationId', '=', anyOf(reach))

export const webhooksPage = (db: Database, reach: string[], page: { limit: number; offset: number }) =>
  pageOf(webhooksWithin(db, reach).orderBy('createdAt').orderBy('id'), page)

export const findWebhook = (db: Database, reach: string[], id: string) =>
  webhooksWithin(db, reach).where('id', '=', id).executeTakeFirst()

/** Whoever changes deliveries of a webhook locks it first. */
export const lockWebhook = (db: Database, reach: string[], id: string) =>
  webhooksWithin(db, reach).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Counts while nobody else can add one. */
export async function countWebhooks(db: Database, organizationId: string): Promise<number> {
  await sql`select from organizations where id = ${organizationId} for no key update`.execute(db)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhooks where organization_id = ${organizationId}`.execute(db)
  return rows[0]?.count ?? 0
}

export const insertWebhook = (db: Database, row: Insertable<Tables['webhooks']>) =>
  db.insertInto('webhooks').values(row).returning(columns).executeTakeFirstOrThrow()

export const changeWebhook = (db: Database, id: string, change: Updateable<Tables['webhooks']>) =>
  db.updateTable('webhooks').set(change).where('id', '=', id).returning(columns).executeTakeFirstOrThrow()

export const removeWebhook = (db: Database, id: string) => db.deleteFrom('webhooks').where('id', '=', id).execute()

/** The one of now becomes the one before, until the given moment. */
export const replaceSecret = (db: Database, id: string, secret: Buffer, until: Date) =>
  db
    .updateTable('webhooks')
    .set(({ ref }) => ({ previousSecret: ref('secret'), previousSecretUntil: until, secret }))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Those of these organizations that want events, kept as they are until the transaction ends. */
export const subscriptions = (db: Database, organizationIds: string[]) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'organizationId', 'kinds'])
    .where('organizationId', '=', anyOf(organizationIds))
    .where('enabled', '=', true)
    .orderBy('id')
    .forShare()
    .execute()

/** What an attempt went to. One that went to an address of before says nothing about the one of now. */
interface Endpoint {
  webhookId: string
  url: string
}

/** After a success. */
export const noteSuccess = (db: Database, { webhookId, url }: Endpoint, at: Date) =>
  db
    .updateTable('webhooks')
    .set({ ...FRESH, lastDeliveryAt: at, lastSuccessAt: at })
    .where('id', '=', webhookId)
    .where('url', '=', url)
    .execute()

/** After a failure; answers whether there was no success for longer than an endpoint is given. */
export async function noteFailure(
  db: Database,
  { webhookId, url }: Endpoint,
  at: Date,
): Promise<{ isGivenUp: boolean; isCurrent: boolean }> {
  const { rows } = await sql<{ isGivenUp: boolean }>`
    update webhooks set last_delivery_at = ${at}, consecutive_failures = consecutive_failures + 1,
      failing_since = coalesce(failing_since, ${at})
    where id = ${webhookId} and url = ${url}
    returning failing_since < now() - interval '24 hours' as is_given_up`.execute(db)
  return { isGivenUp: rows[0]?.isGivenUp ?? false, isCurrent: rows.length > 0 }
}

/** Answers its organization; null when it is disabled or gone already. */
export async function disableWebhook(
  db: Database,
  id: string,
  reason: 'failing' | 'gone',
  now: Date,
): Promise<{ organizationId: string; url: string } | null> {
  const disabled = await db
    .updateTable('webhooks')
    .set({ enabled: false, disabledAt: now, disabledReason: reason })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .returning(['organizationId', 'url'])
    .executeTakeFirst()
  return disabled ?? null
}

export const forgetPreviousSecrets = (db: Database, now: Date) =>
  db
    .updateTable('webhooks')
    .set({ previousSecret: null, previousSecretUntil: null })
    .where('previousSecretUntil', '<', now)
    .execute()
