// From the filters of the list of individuals to SQL.

import type { Conditions, InputOf } from '@almoner/contract'
import type { listIndividuals } from '@almoner/contract/people/individuals'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import { escapeLike, partHolding, valueHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'

export type ListFilters = InputOf<typeof listIndividuals>['filter']
type Condition = RawBuilder<SqlBool>

interface ListConditions {
  /** On `listed_individuals l`. */
  conditions: Condition[]
  /** How many hold them all: by what the database keeps counted where that can tell, and else by counting. */
  total: RawBuilder<number>
}

export async function listConditions(
  db: Database,
  sight: Sight,
  self: string,
  { organizationId, filter }: { organizationId: string; filter: ListFilters },
): Promise<ListConditions> {
  const isWhole = sight.organizationIds.includes(organizationId)
  const accountType = filter.accountType ?? 'regular'
  const isListed = [sql<SqlBool>`l.organization_id = ${organizationId}`, sql<SqlBool>`l.account_type = ${accountType}`]
  const kept: Condition[] = [
    ...stateHolds(filter.state),
    ...isOneOf('registered', filter.registered),
    ...isOneOf('registration_invite', filter.registrationInvite),
    ...isOneOf('email_verified', filter.emailVerified),
    ...isOneOf('phone_verified', filter.phoneVerified),
  ]
  const others: Condition[] = [
    ...(isWhole ? [] : [isSeen(sight, sql`l.organization_id`, sql`l.individual_id`)]),
    ...wordsHold(filter.text),
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
  ]
  const groups = await askedGroups(db, sight, organizationId, filter.individualGroupId)
  const notSelf = filter.excludeSelf ? [sql<SqlBool>`l.individual_id <> ${self}`] : []
  const conditions = [...isListed, ...kept, ...others, ...groups.map(isInOneOf), ...notSelf]

  const counted = (table: 'listed_counts' | 'listed_individuals', of: RawBuilder<unknown>, some: Condition[]) =>
    sql<number>`(select ${of} from ${sql.table(table)} l where ${sql.join(some, sql` and `)})`
  const summed = (more: Condition[]) =>
    counted('listed_counts', sql`coalesce(sum(change), 0)::int`, [...isListed, ...kept, ...more])
  const [group] = groups
  const isPlain = others.length === 0 && accountType === 'regular'
  const oneself = [...isListed, ...kept, sql<SqlBool>`l.individual_id = ${self}`]
  if (others.length === 0 && groups.length === 0)
    return {
      conditions,
      total: filter.excludeSelf
        ? sql`${summed([])} - ${counted('listed_individuals', sql`count(*)::int`, oneself)}`
        : summed([]),
    }
  if (isPlain && !filter.excludeSelf && groups.length === 1 && group) {
    if (isUnassignedAlone(group)) return { conditions, total: summed([sql`not l.is_assigned`]) }
    if (group.memberIds.length === 1 && !group.hasEveryone && !group.hasUnassigned && isUnfiltered(filter))
      return {
        conditions,
        total: sql`(select coalesce(sum(change), 0)::int from group_counts where group_id = ${group.memberIds[0]})`,
      }
  }
  return { conditions, total: counted('listed_individuals', sql`count(*)::int`, conditions) }
}

/** Nothing is asked of the person but to be in a group. */
const isUnfiltered = ({ state, registered, registrationInvite, emailVerified, phoneVerified }: ListFilters): boolean =>
  !state && !registered && !registrationInvite && !emailVerified && !phoneVerified

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
      const part = partHolding(sql`sort_key(${value}::text)`)
      return sql`(${key} like ${part} and lower(${at}) like lower(${`%${escapeLike(String(value))}%`}))`
    })
    return sql<SqlBool>`(${sql.join(tests, sql` or `)})`
  })
}

/** Each word is part of a name or of the address, whatever its case and accents. */
export function wordsHold(text: string | undefined): Condition[] {
  const words = text?.split(/\s+/).filter((word) => word !== '') ?? []
  return words.map((word) => {
    // What a fullwidth sign is folded to may mean something in a pattern, so the key is escaped, not the word.
    const part = partHolding(sql`sort_key(${word}::text)`)
    return sql<SqlBool>`(l.last_name_key like ${part} or l.first_name_key like ${part} or l.email_key like ${part})`
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

/** The groups of one filter, of which a person is to be in one. */
interface AskedGroups {
  memberIds: string[]
  hasEveryone: boolean
  hasUnassigned: boolean
}

/** Groups of other organizations, and those the caller does not see, have nobody in them. */
async function askedGroups(
  db: Database,
  sight: Sight,
  organizationId: string,
  filter: Conditions<string> | undefined,
): Promise<AskedGroups[]> {
  if (!filter) return []
  const ids = filter.flatMap(valuesOf)
  const known = await db
    .selectFrom('individualGroups')
    .select(['id', 'type'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('organizationId', '=', organizationId)
    .execute()
  const isWhole = sight.organizationIds.includes(organizationId)
  const seen = known.filter(({ id }) => isWhole || sight.groupIds.includes(id))
  return filter.map((group) => {
    const asked = seen.filter(({ id }) => valuesOf(group).includes(id))
    return {
      memberIds: asked.filter(({ type }) => type === 'regular' || type === 'provider_only').map(({ id }) => id),
      hasEveryone: asked.some(({ type }) => type === 'all_participants'),
      hasUnassigned: asked.some(({ type }) => type === 'unassigned'),
    }
  })
}

const isUnassignedAlone = ({ memberIds, hasEveryone, hasUnassigned }: AskedGroups): boolean =>
  hasUnassigned && !hasEveryone && memberIds.length === 0

function isInOneOf({ memberIds, hasEveryone, hasUnassigned }: AskedGroups): Condition {
  const [only, ...more] = memberIds
  const isMember =
    more.length > 0 ? sql`g.group_id = any(${memberIds}::uuid[])` : only ? sql`g.group_id = ${only}` : null
  const ways: Condition[] = [
    ...(isMember
      ? [sql<SqlBool>`exists (select from group_individuals g where g.individual_id = l.individual_id and ${isMember})`]
      : []),
    ...(hasEveryone ? [sql<SqlBool>`l.account_type = 'regular'`] : []),
    ...(hasUnassigned ? [sql<SqlBool>`(l.account_type = 'regular' and l.group_ids = '{}')`] : []),
  ]
  return ways.length > 0 ? sql`(${sql.join(ways, sql` or `)})` : sql`false`
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
