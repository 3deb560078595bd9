import type { Conditions, EventKind, Page, SortKey } from '@almoner/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import { valueHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { LoggedEvent } from '../../../platform/events/event-log.ts'

export interface Asked {
  /** Of all kinds when none are named. */
  kinds?: EventKind[]
  individualId?: string
  cmpOccurredAt?: Conditions<Date>
}

const columns = sql`position::float8 as position, id, organization_id, kind, individual_id, occurred_at, data`
const ORDERS = { position: sql`position`, occurredAt: sql`occurred_at` }

/**
 * The page is read from the end of an index, in a few milliseconds. The total is exact, and looks at every event that is
 * seen: a tenth of a second for half a million. It is counted apart, so that the page need not carry them all along. An
 * order by `occurred_at` has no index and sorts them all.
 */
export async function eventsPage(
  db: Database,
  sight: Sight,
  asked: Asked,
  sort: SortKey<keyof typeof ORDERS>[],
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<LoggedEvent>> {
  const holds = conditionsOf(sight, asked)
  const keys = [...sort, { field: 'position' as const, descending: sort.at(-1)?.descending ?? true }]
  const order = sql.join(
    keys.map(({ field, descending }) => sql`${ORDERS[field]} ${descending ? sql`desc` : sql`asc`}`),
  )
  const [page, counted] = await Promise.all([
    sql<LoggedEvent>`select ${columns} from events where position is not null and ${holds}
      order by ${order} limit ${limit} offset ${offset}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from events where position is not null and ${holds}`.execute(
      db,
    ),
  ])
  return { items: page.rows, total: counted.rows[0]?.total ?? 0 }
}

/** The next ones after a place and up to another, in their order. */
export async function eventsBetween(
  db: Database,
  sight: Sight,
  asked: Asked,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<LoggedEvent[]> {
  const { rows } = await sql<LoggedEvent>`select ${columns} from events
    where position > ${after} and position <= ${upTo} and ${conditionsOf(sight, asked)}
    order by position limit ${sql.lit(limit)}`.execute(db)
  return rows
}

function conditionsOf(sight: Sight, { kinds, individualId, cmpOccurredAt }: Asked): RawBuilder<SqlBool> {
  const { organizationIds, groupIds, individualsIn, individualIds } = sight
  const all = [isSeen(sight, sql`events.organization_id`, sql`events.individual_id`)]
  const everywhere = [...new Set([...organizationIds, ...individualsIn])]
  // What follows from the sight already, said so that an index can be used.
  if (everywhere.length === 1) all.push(sql`organization_id = ${everywhere[0]}`)
  if (organizationIds.length === 0 && groupIds.length === 0)
    all.push(sql`individual_id = any(${individualIds}::uuid[])`)
  if (kinds) all.push(sql`kind = any(${kinds}::text[])`)
  if (individualId) all.push(sql`individual_id = ${individualId}`)
  if (cmpOccurredAt) all.push(valueHolds(sql.ref('occurredAt'), cmpOccurredAt))
  return sql<SqlBool>`(${sql.join(all, sql` and `)})`
}
