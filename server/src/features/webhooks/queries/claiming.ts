// Who attempts what. A delivery that is due is taken with a lease: nobody else takes it until that runs out, and it runs
// out by itself when the process that took it ends.

import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { Letter } from '../message.ts'
import { letterColumns } from './letters.ts'

/** Requests to one endpoint at a time, counted over all processes. */
const LANES = 4
/** And to one that has failed: it is asked whether it is back, and not held on to by many. */
const LANES_WHEN_FAILING = 1
/** Twice what an attempt may take: so long a process that was killed keeps its lanes. */
export const LEASE_MS = 30_000
const CUT_SHORT = 'The service ended during this attempt. Whether it arrived is not known.'

export interface Claimed extends Omit<Letter, 'eventId'> {
  /** Null when the event was erased. */
  eventId: string | null
  /** Of this attempt, counted from one. */
  number: number
  roundCount: number
  roundStartedAt: Date
}

/**
 * In the order in which they are due, and so in that of their events as long as nothing fails. Those of endpoints that
 * have failed are taken apart from the others, so that the others never wait for them.
 */
export const claimDeliveries = (db: Database, isFailing: boolean, most: number): Promise<Claimed[]> =>
  db.transaction().execute(async (trx) => {
    const webhookIds = await lockWaiting(trx, isFailing, most)
    return webhookIds.length > 0 ? takeDue(trx, webhookIds, most) : []
  })

/** The next one for an endpoint that has just taken one, in the transaction that says so and has its lock. */
export const claimNext = async (trx: Database, webhookId: string): Promise<Claimed | null> =>
  (await takeDue(trx, [webhookId], 1))[0] ?? null

/**
 * Webhooks with something due, none of which another process is taking from. Steps from one webhook to the next by the
 * index, so that one with a hundred thousand deliveries waiting costs as much as one with a single one.
 */
async function lockWaiting(trx: Database, isFailing: boolean, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive waiting as (
      (select webhook_id, due_at from webhook_deliveries where state = 'pending' order by webhook_id, due_at limit 1)
      union all
      select next.webhook_id, next.due_at from waiting, lateral (
        select webhook_id, due_at from webhook_deliveries
        where state = 'pending' and webhook_id > waiting.webhook_id order by webhook_id, due_at limit 1) next)
    select w.id from waiting join webhooks w on w.id = waiting.webhook_id
    where waiting.due_at <= now() and w.enabled and (w.consecutive_failures > 0) = ${isFailing}
      and (select count(*) from webhook_deliveries where webhook_id = w.id and leased_until > now()) < ${lanes('w')}
    order by waiting.due_at limit ${most} for no key update of w skip locked`.execute(trx)
  return rows.map(({ id }) => id)
}

/** What is being attempted is counted anew: it may have changed before the locks were had. */
async function takeDue(trx: Database, webhookIds: string[], most: number): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with free as (
      select w.id as webhook_id, greatest(0, ${lanes('w')} -
        (select count(*) from webhook_deliveries where webhook_id = w.id and leased_until > now())) as lanes
      from webhooks w where w.id = any(${webhookIds}::uuid[]) and w.enabled),
    chosen as (
      select d.* from free, lateral (
        select id, due_at as was_due_at, leased_until as was_leased_until, last_attempt_at as was_attempted_at
        from webhook_deliveries
        where webhook_id = free.webhook_id and state = 'pending' and due_at <= now()
        order by due_at, id limit free.lanes) d
      order by d.was_due_at, d.id limit ${most}),
    taken as (
      update webhook_deliveries d set leased_until = now() + ${LEASE_MS} * interval '1 millisecond',
        due_at = now() + ${LEASE_MS} * interval '1 millisecond', attempt_count = attempt_count + 1,
        round_count = round_count + 1, round_started_at = coalesce(round_started_at, now()), last_attempt_at = now()
      from chosen where d.id = chosen.id and d.state = 'pending' and d.due_at <= now()
      returning d.*, chosen.was_due_at, chosen.was_leased_until, chosen.was_attempted_at),
    cut_short as (
      insert into webhook_attempts (delivery_id, number, attempted_at, error)
      select id, attempt_count - 1, was_attempted_at, ${CUT_SHORT} from taken where was_leased_until is not null
      on conflict do nothing)
    select t.id, t.attempt_count as number, t.round_count, t.round_started_at, ${letterColumns}
    from taken t join webhooks w on w.id = t.webhook_id
      left join events e on e.organization_id = t.organization_id and e.id = t.event_id
    order by t.was_due_at, t.id`.execute(trx)
  return rows
}

const lanes = (webhook: string) =>
  sql`case when ${sql.ref(`${webhook}.consecutive_failures`)} > 0 then ${sql.lit(LANES_WHEN_FAILING)}
    else ${sql.lit(LANES)} end`
