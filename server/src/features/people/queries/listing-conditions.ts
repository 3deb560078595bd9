// From the filters of the list of individuals to SQL.

import type { Conditions, InputOf } from '@almoner/contract'
import type { listIndividuals } from '@almoner/contract/people/individuals'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import { escapeLike, valueHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'

export type ListFilters = InputOf<typeof listIndividuals>['filter']
type Condition = RawBuilder<SqlBool>

interface ListConditions {
  /** On `listed_individuals l`. */
  conditions: Condition[]
  /** The same on `listed_counts l`, where that can answer how many there are, the caller among them. */
  counted: Condition[] | null
}

export async function listConditions(
  db: Database,
  sight: Sight,
  self: string,
  { organizationId, filter }: { organizationId: string; filter: ListFilters },
): Promise<ListConditions> {
  const kept: Condition[] = [
    sql`l.organization_id = ${organizationId}`,
    sql`l.account_type = ${filter.accountType ?? 'regular'}`,
    ...stateHolds(filter.state),
    ...isOneOf('registered', filter.registered),
    ...isOneOf('registration_invite', filter.registrationInvite),
    ...isOneOf('email_verified', filter.emailVerified),
    ...isOneOf('phone_verified', filter.phoneVerified),
  ]
  const groups = filter.individualGroupId ? await groupHolds(db, sight, organizationId, filter.individualGroupId) : []
  const others: Condition[] = [
    ...(sight.organizationIds.includes(organizationId)
      ? []
      : [isSeen(sight, sql`l.organization_id`, sql`l.individual_id`)]),
    ...foldedHolds('first_name', filter.firstName),
    ...foldedHolds('last_name', filter.lastName),
    ...foldedHolds('email', filter.email),
    ...plainHolds('phone', filter.phone),
    ...(filter.birthDate ? [valueHolds(sql`l.birth_date`, filter.birthDate)] : []),
    ...(filter.individualIds ? [sql<SqlBool>`l.individual_id = any(${filter.individualIds}::uuid[])`] : []),
    ...(filter.onlyInGroupsWithLeaderId ?? []).map((group) => isLedBy(organizationId, valuesOf(group))),
    ...(filter.tagIds ? [hasTag(organizationId, filter.tagIds)] : []),
    // Texts and workflows are not there yet: nobody has one.
    ...(filter.lastTextStatus || filter.smsMode || filter.workflowtypeName ? [sql<SqlBool>`false`] : []),
    ...groups,
  ]
  const notSelf = filter.excludeSelf ? [sql<SqlBool>`l.individual_id <> ${self}`] : []
  return { conditions: [...kept, ...others, ...notSelf], counted: others.length === 0 ? kept : null }
}

const valuesOf = <T>(group: Conditions<T>[number]): T[] => group.flatMap(({ value }) => (value === null ? [] : [value]))

/** Archived ones are left out unless asked for. That they are not is said besides, because most indexes hold only the others. */
function stateHolds(states: ListFilters['state']): Condition[] {
  const isArchivedAsked = states?.every((group) => valuesOf(group).includes('archived')) ?? false
  return [...isOneOf('state', states), ...(isArchivedAsked ? [] : [sql<SqlBool>`l.state <> 'archived'`])]
}

const isOneOf = (column: string, filter: Conditions<string> | Conditions<boolean> | undefined): Condition[] =>
  (filter ?? []).map((group) => {
    const values = valuesOf<string | boolean>(group as Conditions<string | boolean>[number])
    const at = sql.ref(`l.${column}`)
    return values.length === 1 ? sql`${at} = ${values[0]}` : sql`${at} = any(${values})`
  })

const COMPARISONS = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const

/**
 * Text is looked for by its key, which the indexes hold, and then compared in its own letters: a key has no accents,
 * and an exact match is exact but for case.
 */
function foldedHolds(column: string, filter: Conditions<string> | undefined): Condition[] {
  const [at, key] = [sql.ref(`l.${column}`), sql.ref(`l.${column}_key`)]
  return (filter ?? []).map((group) => {
    const tests = group.map(({ operator, value }) => {
      if (operator === 'is') return sql`(${key} = sort_key(${value}::text) and lower(${at}) = lower(${value}))`
      if (operator !== 'contains') return sql`${key} ${COMPARISONS[operator]} sort_key(${value}::text)`
      const part = `%${escapeLike(String(value))}%`
      return sql`(${key} like sort_key(${part}::text) and lower(${at}) like lower(${part}))`
    })
    return sql<SqlBool>`(${sql.join(tests, sql` or `)})`
  })
}

function plainHolds(column: string, filter: Conditions<string> | undefined): Condition[] {
  const at = sql.ref(`l.${column}`)
  return (filter ?? []).map((group) => {
    const tests = group.map(({ operator, value }) => {
      if (operator === 'contains') return sql`${at} like ${`%${escapeLike(String(value))}%`}`
      return operator === 'is' ? sql`${at} = ${value}` : sql`${at} ${COMPARISONS[operator]} ${value} collate "C"`
    })
    return sql<SqlBool>`(${sql.join(tests, sql` or `)})`
  })
}

/** Groups of other organizations, and those the caller does not see, have nobody in them. */
async function groupHolds(
  db: Database,
  sight: Sight,
  organizationId: string,
  filter: Conditions<string>,
): Promise<Condition[]> {
  const ids = filter.flatMap(valuesOf)
  const known = await db
    .selectFrom('individualGroups')
    .select(['id', 'type'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('organizationId', '=', organizationId)
    .execute()
  const seen = sight.organizationIds.includes(organizationId)
    ? known
    : known.filter(({ id }) => sight.groupIds.includes(id))
  return filter.map((group) => {
    const asked = seen.filter(({ id }) => valuesOf(group).includes(id))
    const [members, everyone, nobody] = [
      asked.filter(({ type }) => type === 'regular' || type === 'provider_only').map(({ id }) => id),
      asked.some(({ type }) => type === 'all_participants'),
      asked.some(({ type }) => type === 'unassigned'),
    ]
    const isIn = sql<SqlBool>`exists (select from group_individuals g
      where g.individual_id = l.individual_id and g.group_id = any(${members}::uuid[]))`
    return sql<SqlBool>`(${isIn} or (l.account_type = 'regular' and (${everyone} or (${nobody} and l.group_ids = '{}'))))`
  })
}

const isLedBy = (organizationId: string, userIds: string[]): Condition => sql`exists (
  select from group_individuals i join group_staff s on s.group_id = i.group_id and s.kind = 'leader'
  join individual_groups g on g.id = i.group_id
  where i.individual_id = l.individual_id and s.user_id = any(${userIds}::uuid[])
  and g.organization_id = ${organizationId})`

const hasTag = (organizationId: string, tagIds: string[]): Condition => sql`exists (
  select from individual_tags i join tags t on t.id = i.tag_id
  where i.individual_id = l.individual_id and i.tag_id = any(${tagIds}::uuid[])
  and t.organization_id = ${organizationId})`
