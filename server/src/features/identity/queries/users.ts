import type { AnswerOf, InputOf, Page } from '@almoner/contract'
import type { getUser, listUsers } from '@almoner/contract/identity/users'
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../../../platform/db/any-of.ts'
import { escapeLike, textHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'

export type User = AnswerOf<typeof getUser>

/** What signing in and its relatives need of a user. */
export interface Account {
  id: string
  individualId: string
  username: string
  passwordHash: string | null
  state: User['state']
  archivedFrom: User['state'] | null
  emailVerified: boolean
  phoneVerified: boolean
  firstName: string
  lastName: string
  email: string | null
  mobilePhone: string | null
  locale: User['locale']
}

const accounts = (db: Database) =>
  db
    .selectFrom('users')
    .innerJoin('individuals', 'individuals.id', 'users.individualId')
    .select(['users.id', 'individualId', 'username', 'passwordHash', 'state', 'archivedFrom'])
    .select(['emailVerified', 'phoneVerified'])
    .select(['firstName', 'lastName', 'email', 'mobilePhone', 'locale'])

export const findAccountByUsername = (db: Database, username: string): Promise<Account | undefined> =>
  accounts(db).where(sql`lower(username)`, '=', sql`lower(${username})`).executeTakeFirst()

export const findAccount = (db: Database, id: string): Promise<Account | undefined> =>
  accounts(db).where('users.id', '=', id).executeTakeFirst()

/** A user with a lock, so that what is decided about its state still holds when it is written. */
export const lockAccount = (db: Database, id: string): Promise<Account | undefined> =>
  accounts(db).where('users.id', '=', id).forUpdate('users').executeTakeFirst()

/** Those who administer an organization and can sign in. */
export const administratorsOf = (db: Database, organizationId: string): Promise<Account[]> =>
  accounts(db)
    .innerJoin('memberships', 'memberships.userId', 'users.id')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'org-admin')
    .where('state', '=', 'registered')
    .orderBy('users.id')
    .execute()

/** Users as seen from the given organizations: those who belong to one of them, with the roles they hold there. */
function usersQuery(reach: string[], condition: RawBuilder<unknown>, tail: RawBuilder<unknown>) {
  return sql<User & { total: number }>`
    select u.id, u.username, u.individual_id, i.first_name, i.last_name, i.email, i.mobile_phone, i.locale, m.roles,
      u.state, u.registration_invite, u.email_verified, u.phone_verified, u.last_login_at as last_login_time,
      u.registered_at as registration_completed_time, u.created_at as created_time, (count(*) over ())::int as total
    from (select user_id, array_agg(distinct role order by role) as roles from memberships
      where organization_id = any(${reach}::uuid[]) group by user_id) m
    join users u on u.id = m.user_id
    join individuals i on i.id = u.individual_id
    where ${condition} ${tail}`
}

export async function usersPage(db: Database, reach: string[], input: InputOf<typeof listUsers>): Promise<Page<User>> {
  const { filter, page } = input
  const part = filter.text === undefined ? undefined : sql`lower(${`%${escapeLike(filter.text)}%`})`
  const conditions = [
    sql`u.state <> 'archived' or ${filter.state !== undefined}`,
    textHolds(sql`u.state`, filter.state ?? []),
    textHolds(sql`u.registration_invite`, filter.registrationInvite ?? []),
    ...(filter.role ? filter.role.map((group) => sql`m.roles && ${group.map(({ value }) => value)}::text[]`) : []),
    ...(part ? [sql`lower(i.first_name || ' ' || i.last_name) like ${part} or lower(u.username) like ${part}`] : []),
  ]
  const condition = sql.join(
    conditions.map((one) => sql`(${one})`),
    sql` and `,
  )
  const order = sql`order by lower(i.last_name), lower(i.first_name), u.id`
  const at = (limit: number, offset: number) =>
    usersQuery(reach, condition, sql`${order} limit ${limit} offset ${offset}`).execute(db)
  const { rows } = await at(page.limit, page.offset)
  const [first] = rows.length > 0 || page.offset === 0 ? rows : (await at(1, 0)).rows
  return { items: rows, total: first?.total ?? 0 }
}

export async function findUser(db: Database, reach: string[], id: string): Promise<User | undefined> {
  const { rows } = await usersQuery(reach, sql`u.id = ${id}`, sql``).execute(db)
  return rows[0]
}

export async function changeUser(db: Database, id: string, change: UserChange): Promise<void> {
  if (Object.keys(change).length > 0) await db.updateTable('users').set(change).where('id', '=', id).execute()
}

export interface UserChange {
  state?: User['state']
  archivedFrom?: User['state'] | null
  passwordHash?: string
  registrationInvite?: User['registrationInvite']
  emailVerified?: boolean
  phoneVerified?: boolean
  registeredAt?: Date
  lastLoginAt?: Date
  lastActivityAt?: Date
  username?: string
}

export async function changeIndividual(
  db: Database,
  id: string,
  change: { firstName?: string; lastName?: string; preferredName?: string | null; locale?: User['locale'] },
): Promise<void> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length > 0) await db.updateTable('individuals').set(given).where('id', '=', id).execute()
}

/** In which of the given organizations a user is a member. */
export async function membershipsWithin(db: Database, userId: string, organizationIds: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('organizationId')
    .distinct()
    .where('userId', '=', userId)
    .where('organizationId', '=', anyOf(organizationIds))
    .execute()
  return rows.map(({ organizationId }) => organizationId)
}

export async function replaceRoles(
  db: Database,
  userId: string,
  organizationIds: string[],
  roles: User['roles'],
): Promise<void> {
  await db
    .deleteFrom('memberships')
    .where('userId', '=', userId)
    .where('organizationId', '=', anyOf(organizationIds))
    .execute()
  const rows = organizationIds.flatMap((organizationId) =>
    [...new Set(roles)].map((role) => ({ userId, organizationId, role })),
  )
  await db.insertInto('memberships').values(rows).execute()
}

/** Lets only one at a time change who administers an organization. */
export const lockOrganizations = (db: Database, ids: string[]) =>
  sql`select id from organizations where id = any(${ids}::uuid[]) order by id for no key update`.execute(db)

/** The organizations of these that have no administrator who can sign in. */
export async function withoutAdministrator(db: Database, organizationIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from organizations o where o.id = any(${organizationIds}::uuid[]) and not exists (
      select from memberships m join users u on u.id = m.user_id
      where m.organization_id = o.id and m.role = 'org-admin' and u.state = 'registered')`.execute(db)
  return rows.map(({ id }) => id)
}
