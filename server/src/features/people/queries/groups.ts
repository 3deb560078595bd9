import type { AnswerOf, Conditions, InputOf, Page } from '@almoner/contract'
import type { getGroup, listGroups } from '@almoner/contract/people/groups'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import { escapeLike, textHolds, valueHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'
import { pageOf } from '../../../platform/db/paging.ts'

export type Group = AnswerOf<typeof getGroup>
type Condition = RawBuilder<SqlBool>

const groupColumns = [
  'id',
  'name',
  'nodeType',
  'type',
  'tags',
  'organizationId',
  'parentGroupId',
  'isActive',
  'lastModifiedTime',
] as const

export interface GroupRow
  extends Pick<Group, 'id' | 'name' | 'nodeType' | 'type' | 'tags' | 'organizationId' | 'isActive'> {
  parentGroupId: string | null
  lastModifiedTime: Date
}

const isGroupSeen = ({ organizationIds, groupIds }: Sight): Condition =>
  sql`(organization_id = any(${organizationIds}::uuid[]) or id = any(${groupIds}::uuid[]))`

export const findGroup = (db: Database, sight: Sight, id: string): Promise<GroupRow | undefined> =>
  db
    .selectFrom('individualGroups')
    .select(groupColumns)
    .where('id', '=', id)
    .where(isGroupSeen(sight))
    .executeTakeFirst()

export function groupsPage(db: Database, sight: Sight, input: InputOf<typeof listGroups>): Promise<Page<GroupRow>> {
  const { filter, exclude, ids, name, type, page } = input
  const conditions: Condition[] = [
    ...(filter.includeInactive ? [] : [sql<SqlBool>`is_active`]),
    ...(ids ? [sql<SqlBool>`id = any(${ids}::uuid[])`] : []),
    ...(filter.excludeIds ? [sql<SqlBool>`id <> all(${filter.excludeIds}::uuid[])`] : []),
    ...(name === undefined ? [] : [sql<SqlBool>`lower(name) = lower(${name})`]),
    ...(filter.text === undefined ? [] : [sql<SqlBool>`lower(name) like lower(${`%${escapeLike(filter.text)}%`})`]),
    ...(filter.tags ? [hasTag(filter.tags)] : []),
    ...(filter.nodeType ? [textHolds(sql`node_type`, filter.nodeType)] : []),
    ...(filter.treeNodeType ? [textHolds(treeNodeType, filter.treeNodeType)] : []),
    ...(filter.top ? [isTop(sight, { orInactive: filter.includeInactive === true })] : []),
    ...(filter.parentGroupId ? [valueHolds(sql`parent_group_id`, filter.parentGroupId)] : []),
    ...(filter.cmpLastModifiedTime ? [valueHolds(sql`last_modified_time`, filter.cmpLastModifiedTime)] : []),
    ...allOf(filter.leaderId, isLedByOneOf),
    ...allOf(filter.individualId, holdsOneOf),
    ...(exclude.individualId === undefined ? [] : [sql<SqlBool>`not ${holdsOneOf([exclude.individualId])}`]),
    ...(filter.eligibleIndividualId === undefined ? [] : [couldHold(sight, filter.eligibleIndividualId)]),
  ]
  const query = db
    .selectFrom('individualGroups')
    .select(groupColumns)
    .where(isGroupSeen(sight))
    .where('type', '=', sql<Group['type']>`any(${type}::text[])`)
    .$if(conditions.length > 0, (some) => some.where(sql<SqlBool>`${sql.join(conditions, sql` and `)}`))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
  return pageOf(query, page)
}

/** Where a tree begins: a group below one that the caller does not see, or that is not active, has nowhere else to be. */
const isTop = (
  { organizationIds, groupIds }: Sight,
  { orInactive }: { orInactive: boolean },
): Condition => sql`not exists (
  select from individual_groups above
  where above.id = individual_groups.parent_group_id and (above.is_active or ${orInactive})
    and (above.organization_id = any(${organizationIds}::uuid[]) or above.id = any(${groupIds}::uuid[])))`

/** A comma is OR, a repeated parameter is AND. */
const allOf = (filter: Conditions<string> | undefined, test: (ids: string[]) => Condition): Condition[] =>
  (filter ?? []).map((group) => test(group.flatMap(({ value }) => (value === null ? [] : [value]))))

const hasTag = (tags: string[]): Condition => sql`exists (
  select from unnest(tags) tag where lower(tag) = any(array(select lower(one) from unnest(${tags}::text[]) one)))`

const treeNodeType = sql`case when exists (
  select from individual_groups below where below.parent_group_id = individual_groups.id and below.is_active)
  then 'non-leaf' else 'leaf' end`

const isLedByOneOf = (userIds: string[]): Condition => sql`exists (
  select from group_staff s join users u on u.id = s.user_id
  join listed_individuals l on l.organization_id = individual_groups.organization_id and l.account_type = 'provider'
    and l.individual_id = u.individual_id and l.state <> 'archived'
  where s.group_id = individual_groups.id and s.kind = 'leader' and s.user_id = any(${userIds}::uuid[]))`

/** Those a group counts: who is archived is in none. */
const holdsOneOf = (individualIds: string[]): Condition => sql`exists (
  select from listed_individuals l
  where l.organization_id = individual_groups.organization_id and l.account_type = 'regular' and l.state <> 'archived'
    and l.individual_id = any(${individualIds}::uuid[])
    and (individual_groups.id = any(l.group_ids) or individual_groups.type = 'all_participants'
      or (individual_groups.type = 'unassigned' and l.group_ids = '{}')))`

const couldHold = (sight: Sight, individualId: string): Condition => sql`(is_active and type = 'regular' and exists (
  select from listed_individuals l
  where l.organization_id = individual_groups.organization_id and l.account_type = 'regular' and l.state <> 'archived'
    and l.individual_id = ${individualId} and individual_groups.id <> all(l.group_ids)
    and ${isSeen(sight, sql`l.organization_id`, sql`l.individual_id`)}))`

export type GroupDetail = Pick<Group, 'childCount' | 'individualsCount' | 'leaderIds'> & {
  id: string
  parentName: string | null
}

/** What is known of groups besides their rows. */
export async function groupDetails(db: Database, ids: string[]): Promise<GroupDetail[]> {
  const { rows } = await sql<GroupDetail>`
    select g.id, above.name as parent_name,
      (select count(*)::int from individual_groups below where below.parent_group_id = g.id and below.is_active) as child_count,
      case when g.type in ('all_participants', 'unassigned') then (
          select coalesce(sum(c.change), 0)::int from listed_counts c where c.organization_id = g.organization_id
            and c.account_type = 'regular' and c.state <> 'archived' and not (g.type = 'unassigned' and c.is_assigned))
        else (select coalesce(sum(c.change), 0)::int from group_counts c where c.group_id = g.id)
        end as individuals_count,
      array(select s.user_id from group_staff s join users u on u.id = s.user_id
        join listed_individuals l on l.organization_id = g.organization_id and l.account_type = 'provider'
          and l.individual_id = u.individual_id and l.state <> 'archived'
        where s.group_id = g.id and s.kind = 'leader' order by s.user_id) as leader_ids
    from individual_groups g left join individual_groups above on above.id = g.parent_group_id
    where g.id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** The groups a user leads, and those below them. */
export async function groupsLedBy(db: Database, userId: string, organizationIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive led as (
      select g.id from group_staff s join individual_groups g on g.id = s.group_id
      where s.user_id = ${userId} and s.kind = 'leader' and g.organization_id = any(${organizationIds}::uuid[])
      union
      select below.id from individual_groups below join led on below.parent_group_id = led.id)
    select id from led`.execute(db)
  return rows.map(({ id }) => id)
}

export const insertGroup = (
  db: Database,
  row: Omit<GroupRow, 'isActive' | 'parentGroupId'> & { createdAt: Date },
): Promise<GroupRow> => db.insertInto('individualGroups').values(row).returning(groupColumns).executeTakeFirstOrThrow()

export const changeGroup = (
  db: Database,
  { id, organizationId }: GroupRow,
  change: Partial<Pick<GroupRow, 'name' | 'tags' | 'isActive' | 'parentGroupId' | 'lastModifiedTime'>>,
): Promise<GroupRow> =>
  db
    .updateTable('individualGroups')
    .set(change)
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .returning(groupColumns)
    .executeTakeFirstOrThrow()

/** Lets only one at a time change who is in these groups. Adding a new patient elsewhere need not wait. */
export const lockGroups = (db: Database, ids: string[]) =>
  sql`select id from individual_groups where id = any(${ids}::uuid[]) order by id for no key update`.execute(db)

/** Lets only one at a time change the tree of an organization. */
export const lockTree = (db: Database, organizationId: string) =>
  sql`select id from organizations where id = ${organizationId} for no key update`.execute(db)

/** Those below a group, at any depth. */
export async function groupsBelow(db: Database, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive tree as (
      select id from individual_groups where parent_group_id = ${id}
      union
      select below.id from individual_groups below join tree on below.parent_group_id = tree.id)
    select id from tree`.execute(db)
  return rows.map((row) => row.id)
}
