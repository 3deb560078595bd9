// Who could be added to a group.

import type { InputOf, Item, Page } from '@almoner/contract'
import type { EligibleMember, getEligibleMembers } from '@almoner/contract/people/group-members'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import { textHolds, valueHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'
import { wordsHold } from './listing-conditions.ts'

type Condition = RawBuilder<SqlBool>
type Input = Pick<InputOf<typeof getEligibleMembers>, 'filter' | 'page' | 'memberType'>
type Eligible = Omit<Item<typeof EligibleMember>, 'memberType'>

/** People of an organization who are in none of these groups, in the order of names. */
export async function eligiblePage(
  db: Database,
  sight: Sight,
  organizationId: string,
  groupIds: string[],
  { filter, page, memberType }: Input,
): Promise<Page<Eligible>> {
  const isPatient = memberType === 'individual'
  const conditions: Condition[] = [
    sql`l.organization_id = ${organizationId}`,
    sql`l.account_type = ${sql.lit(isPatient ? 'regular' : 'provider')}`,
    sql`l.state <> 'archived'`,
    isPatient
      ? sql`not (l.group_ids && ${groupIds}::uuid[])`
      : sql`not exists (select from group_staff s
          where s.group_id = any(${groupIds}::uuid[]) and s.kind = ${memberType} and s.user_id = l.user_id)`,
  ]
  const narrower = [
    ...(filter.registrationInvite ? [textHolds(sql`l.registration_invite`, filter.registrationInvite)] : []),
    ...(filter.verified ? [valueHolds(sql`(l.email_verified or l.phone_verified)`, filter.verified)] : []),
    ...wordsHold(filter.text),
    ...(isPatient && !sight.organizationIds.includes(organizationId)
      ? [isSeen(sight, sql`l.organization_id`, sql`l.individual_id`)]
      : []),
  ]
  const isKeptCounted = isPatient && narrower.length === 0 && groupIds.length <= 1
  const [items, total] = await Promise.all([
    rowsOf(db, [...conditions, ...narrower], page),
    isKeptCounted ? patientsOutside(db, organizationId, groupIds) : countOf(db, [...conditions, ...narrower]),
  ])
  return { items, total }
}

/** Found along the index of last names, until the page is full. */
async function rowsOf(db: Database, conditions: Condition[], page: Input['page']): Promise<Eligible[]> {
  const { rows } = await sql<Eligible>`
    select r.user_id as id, r.individual_id, r.first_name, r.last_name, r.email, r.email_verified, r.phone_verified,
      r.email_verified or r.phone_verified as verified,
      coalesce(r.communication_preferences, '{}') as communication_preferences
    from (select l.organization_id, l.account_type, l.individual_id from listed_individuals l
      where ${sql.join(conditions, sql` and `)} order by l.last_name_key, l.individual_id
      limit ${sql.lit(page.limit)} offset ${sql.lit(page.offset)}) page
    join listed_individuals r using (organization_id, account_type, individual_id)
    order by r.last_name_key, r.individual_id`.execute(db)
  return rows
}

async function countOf(db: Database, conditions: Condition[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from listed_individuals l where ${sql.join(conditions, sql` and `)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** By what the database keeps counted: all there are, without those of the one group. */
async function patientsOutside(db: Database, organizationId: string, groupIds: string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select coalesce(sum(change), 0) from listed_counts
        where organization_id = ${organizationId} and account_type = 'regular' and state <> 'archived')
      - (select coalesce(sum(change), 0) from group_counts where group_id = any(${groupIds}::uuid[])))::int as count`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
