// Who is in a group.

import { type RawBuilder, sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Group, GroupRow } from './groups.ts'

export type StaffKind = 'leader' | 'member'
type Individual = NonNullable<Group['individuals']>[number]
type Leader = NonNullable<Group['leaders']>[number]

/** A group whose individuals are asked for, and how many of them at most. */
export interface Wanted {
  id: string
  most: number
}

/** The patients of groups, each group's in the order of ids. `l` is the list's row of each. */
const individualsIn = (wanted: Wanted[], columns: RawBuilder<unknown>, joined = sql``) => sql`
  select g.id as group_id, one.*
  from unnest(${wanted.map(({ id }) => id)}::uuid[], ${wanted.map(({ most }) => most)}::int[]) wanted (id, most)
  join individual_groups g on g.id = wanted.id
  cross join lateral (
    (select l.individual_id as id, ${columns} from group_individuals m
      join listed_individuals l on l.organization_id = g.organization_id and l.account_type = 'regular'
        and l.individual_id = m.individual_id and l.state <> 'archived' ${joined}
      where m.group_id = g.id order by m.individual_id limit wanted.most)
    union all
    (select l.individual_id as id, ${columns} from listed_individuals l ${joined}
      where g.type in ('all_participants', 'unassigned') and l.organization_id = g.organization_id
        and l.account_type = 'regular' and l.state <> 'archived' and (g.type = 'all_participants' or l.group_ids = '{}')
      order by l.individual_id limit wanted.most)) one
  order by g.id, one.id`

export async function individualIdsOf(db: Database, wanted: Wanted[]): Promise<string[]> {
  const { rows } = await individualsIn(wanted, sql`l.organization_id`).execute(db)
  return (rows as { id: string }[]).map(({ id }) => id)
}

export async function individualsOf(db: Database, wanted: Wanted[]): Promise<(Individual & { groupId: string })[]> {
  const columns = sql`l.organization_id, l.first_name, l.last_name, l.first_name || ' ' || l.last_name as name,
    l.preferred_name, l.birth_date, i.communication_preferences, i.tz, l.registered, l.registration_invite,
    l.email_verified, l.phone_verified, l.email_verified or l.phone_verified as verified`
  const { rows } = await individualsIn(wanted, columns, sql`join individuals i on i.id = l.individual_id`).execute(db)
  return (rows as (Omit<Individual, 'owner'> & { groupId: string; organizationId: string })[]).map(
    ({ organizationId, ...row }) => ({ ...row, owner: { id: organizationId, type: 'organizations' } }),
  )
}

/** The staff of a group: who is archived, or no longer a provider or administrator there, is left out. */
export async function staffOf(db: Database, groupId: string): Promise<(Leader & { kind: StaffKind })[]> {
  const { rows } = await sql<Leader & { kind: StaffKind }>`
    select s.kind, s.user_id as id, l.individual_id, l.first_name, l.last_name, l.email, null as created_by_id,
      coalesce(l.communication_preferences, '{}') as communication_preferences, l.registration_invite,
      l.email_verified, l.phone_verified, l.email_verified or l.phone_verified as verified,
      l.state = 'registered' as enabled
    from group_staff s join individual_groups g on g.id = s.group_id join users u on u.id = s.user_id
    join listed_individuals l on l.organization_id = g.organization_id and l.account_type = 'provider'
      and l.individual_id = u.individual_id and l.state <> 'archived'
    where s.group_id = ${groupId} order by l.last_name_key, l.first_name_key, s.user_id`.execute(db)
  return rows
}

/** Someone named by a caller who may be in the group. */
export interface Person {
  id: string
  individualId: string
}

/** Which of these are patients of the organization whom the caller sees; also those in the group now, when it says so. */
export async function patientsAmong(
  db: Database,
  sight: Sight,
  { id, organizationId }: Pick<GroupRow, 'id' | 'organizationId'>,
  individualIds: string[],
  { orInGroup }: { orInGroup: boolean },
): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select l.individual_id as id, l.individual_id from listed_individuals l
    where l.organization_id = ${organizationId} and l.account_type = 'regular' and l.state <> 'archived'
      and l.individual_id = any(${individualIds}::uuid[])
      and ${isSeen(sight, sql`l.organization_id`, sql`l.individual_id`)}
    union
    select i.individual_id, i.individual_id from group_individuals i
    where ${orInGroup} and i.group_id = ${id} and i.individual_id = any(${individualIds}::uuid[])`.execute(db)
  return rows
}

/** Which of these are staff of the organization; also those in the group now, when it says so. */
export async function staffAmong(
  db: Database,
  { id, organizationId }: Pick<GroupRow, 'id' | 'organizationId'>,
  userIds: string[],
  { orInGroup }: { orInGroup: boolean },
): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select u.id, u.individual_id from users u
    join listed_individuals l on l.organization_id = ${organizationId} and l.account_type = 'provider'
      and l.individual_id = u.individual_id and l.state <> 'archived'
    where u.id = any(${userIds}::uuid[])
    union
    select u.id, u.individual_id from group_staff s join users u on u.id = s.user_id
    where ${orInGroup} and s.group_id = ${id} and s.user_id = any(${userIds}::uuid[])`.execute(db)
  return rows
}

/** The staff of an organization by their addresses; whose username it is comes first. */
export async function staffByAddress(
  db: Database,
  organizationId: string,
  addresses: string[],
): Promise<(Person & { address: string; isUsername: boolean })[]> {
  const { rows } = await sql<Person & { address: string; isUsername: boolean }>`
    with staff as (
      select u.id, u.individual_id, u.username, l.email from listed_individuals l join users u on u.id = l.user_id
      where l.organization_id = ${organizationId} and l.account_type = 'provider' and l.state <> 'archived')
    select asked.address, known.id, known.individual_id, known.is_username
    from unnest(${addresses}::text[]) asked (address)
    join (select id, individual_id, lower(username) as address, true as is_username from staff
      union all select id, individual_id, lower(email), false from staff) known on known.address = lower(asked.address)
    order by known.is_username desc`.execute(db)
  return rows
}

/**
 * Before their rows in groups are touched, and in the order of ids: whoever else changes the same people waits here,
 * and no two wait for each other.
 */
export const lockIndividuals = (db: Database, ids: string[]) =>
  sql`select id from individuals where id = any(${ids}::uuid[]) order by id for no key update`.execute(db)

const affected = ({ numAffectedRows }: { numAffectedRows?: bigint }): number => Number(numAffectedRows ?? 0)

export const addIndividuals = async (db: Database, groupId: string, ids: string[], now: Date): Promise<number> =>
  affected(
    await sql`insert into group_individuals (group_id, individual_id, added_at)
      select ${groupId}::uuid, id, ${now}::timestamptz from unnest(${ids}::uuid[]) id order by id on conflict do nothing`.execute(
      db,
    ),
  )

export const removeIndividuals = async (db: Database, groupId: string, ids: string[]): Promise<number> =>
  affected(
    await sql`delete from group_individuals
      where group_id = ${groupId} and individual_id = any(${ids}::uuid[])`.execute(db),
  )

export const addStaff = async (
  db: Database,
  groupId: string,
  kind: StaffKind,
  userIds: string[],
  now: Date,
): Promise<number> =>
  affected(
    await sql`insert into group_staff (group_id, kind, user_id, added_at)
      select ${groupId}::uuid, ${kind}::text, id, ${now}::timestamptz from unnest(${userIds}::uuid[]) id order by id on conflict do nothing`.execute(
      db,
    ),
  )

export const removeStaff = async (db: Database, groupId: string, kind: StaffKind, userIds: string[]): Promise<number> =>
  affected(
    await sql`delete from group_staff
      where group_id = ${groupId} and kind = ${kind} and user_id = any(${userIds}::uuid[])`.execute(db),
  )

/** Whoever leads the group and is not one of these leads it no longer. */
export async function removeOtherLeaders(db: Database, groupId: string, userIds: string[]): Promise<number> {
  return affected(
    await sql`delete from group_staff
      where group_id = ${groupId} and kind = 'leader' and user_id <> all(${userIds}::uuid[])`.execute(db),
  )
}
