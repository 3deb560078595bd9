// Events in the one order in which everybody reads them.

import type { EventKind } from '@almoner/contract'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** An event with its place in the order. */
export interface LoggedEvent {
  position: number
  id: string
  organizationId: string
  kind: EventKind
  individualId: string | null
  occurredAt: Date
  data: Record<string, unknown>
}

declare module '../db/tables.ts' {
  interface Tables {
    eventReaders: { name: string; position: number }
  }
}

// Any number, the same everywhere: whoever holds it gives out places.
const PLACING = 7_301_001
const MOST_AT_ONCE = 1000
export const EVENTS_WRITTEN = 'events_written'
export const EVENTS_PLACED = 'events_placed'

/** Gives every event that can be seen by now its place. One at a time: a later place is never seen before an earlier. */
export async function placeEvents(db: Database): Promise<void> {
  for (let placed = MOST_AT_ONCE; placed === MOST_AT_ONCE; )
    placed = await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(PLACING)})`.execute(trx)
      const { rows } = await sql<{ count: number }>`
        with placed as (
          update events e set position = p.position
          from (select organization_id, id, nextval('event_positions') as position from (
            select organization_id, id from events where position is null order by id limit ${sql.lit(MOST_AT_ONCE)}) n) p
          where e.organization_id = p.organization_id and e.id = p.id and e.position is null
          returning 1)
        select count(*)::int as count from placed`.execute(trx)
      const count = rows[0]?.count ?? 0
      if (count > 0) await sql`select pg_notify(${sql.lit(EVENTS_PLACED)}, '')`.execute(trx)
      return count
    })
}

export async function lastPosition(db: Database): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    select coalesce(max(position), 0)::float8 as position from events`.execute(db)
  return rows[0]?.position ?? 0
}

const FORGOTTEN_AT_ONCE = 1000
const DAY_MS = 86_400_000

/**
 * The oldest first, some at a time, so that nobody waits for it; never what a reader has yet to read. It stops at the
 * first that are too young to be forgotten and does not look through all the others, which are younger still.
 */
export async function forgetOldEvents(db: Database, days: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS)
  for (let forgotten = FORGOTTEN_AT_ONCE; forgotten === FORGOTTEN_AT_ONCE; ) {
    const { rows } = await sql<{ count: number }>`
      with oldest as (
        select organization_id, id, occurred_at from events
        where position <= (select coalesce(min(position), 9223372036854775807) from event_readers)
        order by position limit ${sql.lit(FORGOTTEN_AT_ONCE)}),
      forgotten as (
        delete from events e using oldest o
        where e.organization_id = o.organization_id and e.id = o.id and o.occurred_at < ${before} returning 1)
      select count(*)::int as count from forgotten`.execute(db)
    forgotten = rows[0]?.count ?? 0
  }
}

interface Wanted {
  limit: number
  /** Of these organizations; of all when none are named. */
  organizationIds?: string[]
}

export async function eventsAfter(
  db: Database,
  position: number,
  { limit, organizationIds }: Wanted,
): Promise<LoggedEvent[]> {
  const { rows } = await sql<LoggedEvent>`
    select position::float8 as position, id, organization_id, kind, individual_id, occurred_at, data from events
    where position > ${position} ${organizationIds ? sql`and organization_id = any(${organizationIds}::uuid[])` : sql``}
    order by position limit ${sql.lit(limit)}`.execute(db)
  return rows
}
