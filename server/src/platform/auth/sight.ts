// Whose records a caller sees.

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Actor, AnyActor } from './actor.ts'

export interface Sight {
  /** The organizations where the caller sees everyone. */
  organizationIds: string[]
  /** The groups whose individuals the caller sees besides: those led or belonged to, and those below them. */
  groupIds: string[]
  /** Where the caller sees certain people besides: everyone oneself, a device those it was given. */
  individualsIn: string[]
  individualIds: string[]
}

/** Everyone of these organizations: what administrators see, and what the service itself does for them. */
export const wholeSight = (organizationIds: string[]): Sight => ({
  organizationIds,
  groupIds: [],
  individualsIn: [],
  individualIds: [],
})

/** `reach` is where the caller may do what is asked; what they see there depends on what they are there. */
export async function sightOf(db: Database, actor: AnyActor, reach: string[]): Promise<Sight> {
  if (actor.kind === 'service') {
    const { individualIds } = actor
    return individualIds
      ? { organizationIds: [], groupIds: [], individualsIn: reach, individualIds }
      : wholeSight(reach)
  }
  const whereAs = (is: (membership: Actor['memberships'][number]) => boolean) =>
    reach.filter((id) => actor.memberships.some((one) => one.organizationId === id && is(one)))
  const organizationIds = whereAs(({ role, isRestricted }) => role !== 'patient' && !isRestricted)
  const restrictedIn = whereAs(({ role, isRestricted }) => role === 'provider' && isRestricted === true).filter(
    (id) => !organizationIds.includes(id),
  )
  const groupIds = restrictedIn.length > 0 ? await groupsOf(db, actor.userId, restrictedIn) : []
  return {
    organizationIds,
    groupIds,
    individualsIn: [...whereAs(({ role }) => role === 'patient'), ...restrictedIn],
    individualIds: [actor.individualId],
  }
}

async function groupsOf(db: Database, userId: string, organizationIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive own as (
      select g.id from group_staff s join individual_groups g on g.id = s.group_id
      where s.user_id = ${userId} and g.organization_id = any(${organizationIds}::uuid[])
      union
      select below.id from individual_groups below join own on below.parent_group_id = own.id)
    select id from own`.execute(db)
  return rows.map(({ id }) => id)
}

/** The condition that a person, in an organization, is seen. */
export function isSeen(sight: Sight, organizationId: RawBuilder<unknown>, individualId: RawBuilder<unknown>) {
  const { organizationIds, groupIds, individualsIn, individualIds } = sight
  const ways: RawBuilder<SqlBool>[] = [sql`${organizationId} = any(${organizationIds}::uuid[])`]
  if (groupIds.length > 0)
    ways.push(
      sql`exists (select from group_individuals seen join individual_groups g on g.id = seen.group_id
        where seen.individual_id = ${individualId} and seen.group_id = any(${groupIds}::uuid[])
        and g.organization_id = ${organizationId})`,
    )
  if (individualsIn.length > 0)
    ways.push(
      sql`(${organizationId} = any(${individualsIn}::uuid[]) and ${individualId} = any(${individualIds}::uuid[]))`,
    )
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`
}

/** The same of a row that was read already. */
export function isInSight(
  sight: Sight,
  row: { organizationId: string; individualId: string | null; groupIds: string[] },
): boolean {
  const { organizationIds, groupIds, individualsIn, individualIds } = sight
  return (
    organizationIds.includes(row.organizationId) ||
    row.groupIds.some((id) => groupIds.includes(id)) ||
    (row.individualId !== null &&
      individualsIn.includes(row.organizationId) &&
      individualIds.includes(row.individualId))
  )
}

/** Which of these individuals the caller sees. */
export async function seenAmong(db: Database, sight: Sight, individualIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ individualId: string }>`
    select distinct l.individual_id from listed_individuals l
    where l.individual_id = any(${individualIds}::uuid[]) and ${isSeen(sight, sql`l.organization_id`, sql`l.individual_id`)}`.execute(
    db,
  )
  return new Set(rows.map(({ individualId }) => individualId))
}
