import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/** A person as an organization has them. */
export interface Owner {
  individualId: string
  organizationId: string
  groupIds: string[]
  mergedInto: string | null
}

/**
 * Where these people are listed. With a lock, a merger or an erasure waits until what is written is written, and what
 * is written then knows of it.
 */
export async function ownersOf(
  db: Database,
  individualIds: string[],
  { isLocking = false } = {},
): Promise<Map<string, Owner[]>> {
  const { rows } = await sql<Owner>`
    select l.individual_id, l.organization_id, l.group_ids, i.merged_into
    from unnest(${individualIds}::uuid[]) one (id)
    join listed_individuals l on l.individual_id = one.id and l.account_type = 'regular'
    join individuals i on i.id = one.id ${isLocking ? sql`order by i.id for key share of i` : sql``}`.execute(db)
  return Map.groupBy(rows, ({ individualId }) => individualId)
}
