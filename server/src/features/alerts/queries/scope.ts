// Whom a rule watches, and their series.

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { RuleRow } from '../rule.ts'

type Target = Pick<RuleRow, 'target' | 'targetId'>

/** Of `listed_individuals l`: the person, those in the group or in one below it, or everyone. */
export const isWatched = ({ target, targetId }: Target): RawBuilder<SqlBool> => {
  if (target === 'individual') return sql`l.individual_id = ${targetId}`
  if (target === 'organization') return sql`l.organization_id = ${targetId}`
  return sql`l.group_ids && (with recursive below as (
      select ${targetId}::uuid as id
      union select g.id from individual_groups g join below on g.parent_group_id = below.id)
    select array_agg(id) from below)`
}

export async function individualsInScope(
  db: Database,
  sight: Sight,
  organizationId: string,
  target: Target,
): Promise<{ id: string; came: number }[]> {
  const { rows } = await sql<{ id: string; came: number }>`
    select l.individual_id as id, extract(epoch from l.created_time)::float8 as came from listed_individuals l
    where l.organization_id = ${organizationId} and l.account_type = 'regular' and l.state <> 'archived'
      and ${isWatched(target)} and ${isSeen(sight, sql`l.organization_id`, sql`l.individual_id`)}
    order by l.individual_id`.execute(db)
  return rows
}

export interface ScopeSeries {
  individualId: string
  id: string
  source: string
}

/** Those that have points since then. */
export async function seriesInScope(
  db: Database,
  individualIds: string[],
  type: string,
  from: number,
): Promise<ScopeSeries[]> {
  const { rows } = await sql<ScopeSeries>`select individual_id, id::text, source from metric_series
    where individual_id = any(${individualIds}::uuid[]) and type = ${type} and last_time >= to_timestamp(${from})`.execute(
    db,
  )
  return rows
}
