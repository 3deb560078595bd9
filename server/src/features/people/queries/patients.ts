import type { AnswerOf } from '@almoner/contract'
import type { createPatient } from '@almoner/contract/people/patients'
import { type RawBuilder, sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import type { Database } from '../../../platform/db/database.ts'

export type Patient = Omit<AnswerOf<typeof createPatient>, 'meta'>

/** The groups of a row of the list that the caller sees. */
export const groupsSeen = ({ organizationIds, groupIds }: Sight, row: RawBuilder<unknown>) =>
  sql<string[]>`case when ${row}.organization_id = any(${organizationIds}::uuid[]) then ${row}.group_ids
    else array(select id from unnest(${row}.group_ids) id where id = any(${groupIds}::uuid[])) end`

/** A patient the caller sees; of one organization only, where there are several. */
export async function findPatient(db: Database, sight: Sight, id: string): Promise<Patient | undefined> {
  const { rows } = await sql<Patient>`
    select i.id, i.first_name, i.last_name, i.preferred_name, i.birth_date, i.gender, i.email, i.mobile_phone, i.locale,
      i.tz, i.communication_preferences, u.username, l.organization_id,
      ${groupsSeen(sight, sql`l`)} as individual_group_ids
    from listed_individuals l join individuals i on i.id = l.individual_id join users u on u.id = l.user_id
    where l.individual_id = ${id} and l.account_type = 'regular'
      and ${isSeen(sight, sql`l.organization_id`, sql`l.individual_id`)}
    order by l.organization_id limit 1`.execute(db)
  return rows[0]
}

/** Those with the same name, but for case and accents, and the same birth date. */
export async function lookalikes(
  db: Database,
  sight: Sight,
  {
    organizationId,
    firstName,
    lastName,
    birthDate,
  }: {
    organizationId: string
    firstName: string
    lastName: string
    birthDate: string
  },
): Promise<string[]> {
  const { rows } = await sql<{ individualId: string }>`
    select l.individual_id from listed_individuals l
    where l.organization_id = ${organizationId} and l.account_type = 'regular' and l.state <> 'archived'
      and l.birth_date = ${birthDate} and l.last_name_key = sort_key(${lastName}::text)
      and l.first_name_key = sort_key(${firstName}::text)
      and ${isSeen(sight, sql`l.organization_id`, sql`l.individual_id`)}
    order by l.individual_id limit 20`.execute(db)
  return rows.map(({ individualId }) => individualId)
}

/** Which of these groups a patient can be put into. */
export async function groupsToJoin(db: Database, organizationId: string, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('individualGroups')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('organizationId', '=', organizationId)
    .where('type', '=', 'regular')
    .where('isActive', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function joinGroups(db: Database, individualId: string, groupIds: string[], now: Date): Promise<void> {
  if (groupIds.length === 0) return
  await db
    .insertInto('groupIndividuals')
    .values(groupIds.map((groupId) => ({ groupId, individualId, addedAt: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .updateTable('individualGroups')
    .set({ lastModifiedTime: now })
    .where('id', '=', sql<string>`any(${groupIds}::uuid[])`)
    .execute()
}

export async function changePatient(db: Database, id: string, change: object): Promise<void> {
  if (Object.keys(change).length > 0) await db.updateTable('individuals').set(change).where('id', '=', id).execute()
}

export interface PatientUser {
  userId: string
  roles: string[]
  mergedInto: string | null
}

/** Who signs in as this person, and the roles held anywhere. */
export async function findUserOf(db: Database, individualId: string): Promise<PatientUser | undefined> {
  const { rows } = await sql<PatientUser>`
    select u.id as user_id, array(select distinct role from memberships m where m.user_id = u.id) as roles, i.merged_into
    from users u join individuals i on i.id = u.individual_id where u.individual_id = ${individualId}`.execute(db)
  return rows[0]
}
