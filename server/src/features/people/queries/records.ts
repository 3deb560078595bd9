// Whole records, and what moves from one to another.

import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

const records = (db: Database) =>
  db
    .selectFrom('individuals')
    .innerJoin('users', 'users.individualId', 'individuals.id')
    .select(['individuals.id', 'mergedInto', 'firstName', 'lastName', 'preferredName', 'birthDate', 'gender', 'tz'])
    .select(['email', 'mobilePhone', 'communicationPreferences', 'users.id as userId', 'state', 'passwordHash'])
    .select(['emailVerified', 'phoneVerified'])
    .select(sql<string[]>`array(select distinct role from memberships m where m.user_id = users.id)`.as('roles'))

export type IndividualRecord = NonNullable<Awaited<ReturnType<typeof findRecord>>>

export const findRecord = (db: Database, id: string) => records(db).where('individuals.id', '=', id).executeTakeFirst()

/** With their users, in the order of ids, so that two who lock the same records wait for each other. */
export async function lockRecords(db: Database, ids: string[]): Promise<void> {
  await sql`select from users where individual_id = any(${ids}::uuid[]) order by id for update`.execute(db)
  await sql`select from individuals where id = any(${ids}::uuid[]) order by id for update`.execute(db)
}

/** Each signs in as the other from now on. */
export const exchangeUsers = (db: Database, one: IndividualRecord, other: IndividualRecord) =>
  sql`update users set individual_id = case id when ${one.userId} then ${other.id}::uuid else ${one.id}::uuid end
    where id = any(${[one.userId, other.userId]}::uuid[])`.execute(db)

/** Groups, tags and organizations; what both have stays once. */
export async function moveBelongings(db: Database, from: string, into: string): Promise<void> {
  await sql`insert into group_individuals (group_id, individual_id, added_at)
    select group_id, ${into}, added_at from group_individuals where individual_id = ${from}
    on conflict do nothing`.execute(db)
  await db.deleteFrom('groupIndividuals').where('individualId', '=', from).execute()
  await sql`insert into individual_tags (tag_id, individual_id)
    select tag_id, ${into} from individual_tags where individual_id = ${from} on conflict do nothing`.execute(db)
  await db.deleteFrom('individualTags').where('individualId', '=', from).execute()
  await sql`insert into memberships (user_id, organization_id, role)
    select kept.id, m.organization_id, m.role from memberships m
    join users gone on gone.id = m.user_id and gone.individual_id = ${from}
    cross join users kept where kept.individual_id = ${into} on conflict do nothing`.execute(db)
}
