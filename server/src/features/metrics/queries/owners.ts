import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/** A person as an organization has them. */
export interface Owner {
  individualId: string
  organizationId: string
  groupIds: string[]
  mergedInto: string | null
}

/** Where someone is listed. By one id and not by a list of one, whose plan would be made anew each time. */
export async function ownersOfOne(db: Database, individualId: string): Promise<Owner[]> {
  const { rows } = await sql<Owner>`
    select l.individual_id, l.organization_id, l.group_ids, i.merged_into
    from listed_individuals l join individuals i on i.id = l.individual_id
    where l.individual_id = ${individualId} and l.account_type = 'regular'`.execute(db)
  return rows
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
