import type { Conditions } from '@almoner/contract'
import type { USER_STATES } from '@almoner/contract/identity/users'
import { sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import { textHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'

import { groupsSeen } from './patients.ts'

export interface ExportedPatient {
  individualId: string
  firstName: string
  lastName: string
  birthDate: string | null
  gender: string | null
  email: string | null
  mobilePhone: string | null
  locale: string
  username: string
  preferredName: string | null
  tz: string | null
  groups: { id: string; name: string }[]
  state: string
  registrationInvite: string
  createdTime: Date
}

type States = Conditions<(typeof USER_STATES)[number]>

/** The patients of an organization in the order of ids, the next ones after one of them. */
export async function patientsAfter(
  db: Database,
  sight: Sight,
  { organizationId, states, after }: { organizationId: string; states: States | undefined; after: string | null },
  limit: number,
): Promise<ExportedPatient[]> {
  const isArchivedAsked = states?.every((group) => group.some(({ value }) => value === 'archived')) ?? false
  const { rows } = await sql<ExportedPatient>`
    select l.individual_id, i.first_name, i.last_name, i.birth_date, i.gender, i.email, i.mobile_phone, i.locale,
      u.username, i.preferred_name, i.tz, l.state, l.registration_invite, l.created_time,
      (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name), g.id), '[]')
        from individual_groups g where g.id = any(${groupsSeen(sight, sql`l`)})) as groups
    from listed_individuals l join individuals i on i.id = l.individual_id join users u on u.id = l.user_id
    where l.organization_id = ${organizationId} and l.account_type = 'regular'
      and l.individual_id > ${after ?? NONE} and ${isSeen(sight, sql`l.organization_id`, sql`l.individual_id`)}
      and (l.state <> 'archived' or ${isArchivedAsked}) and ${textHolds(sql`l.state`, states ?? [])}
    order by l.individual_id limit ${limit}`.execute(db)
  return rows
}

const NONE = '00000000-0000-0000-0000-000000000000'

/** The names that more than one group of an organization has, in lower case. */
export async function sharedGroupNames(db: Database, organizationId: string): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select lower(trim(name)) as name from individual_groups
    where organization_id = ${organizationId} and type = 'regular' group by 1 having count(*) > 1`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
