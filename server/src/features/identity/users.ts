import { createUser, getUser, listUsers, modifyUser } from '@almoner/contract/identity/users'
import { isValidPhoneNumber } from 'libphonenumber-js'
import { v7 } from 'uuid'
import { endSessionsOf } from '../../platform/auth/sessions.ts'
import type { Database } from '../../platform/db/database.ts'
import { isUniqueViolation } from '../../platform/db/violations.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { sendInvitation } from './messages.ts'
import { findOrganization, organizationIdsOf } from './queries/organizations.ts'
import {
  changeIndividual,
  changeUser,
  findUser,
  lockAccount,
  lockOrganizations,
  membershipsWithin,
  replaceRoles,
  type User,
  usersPage,
  withoutAdministrator,
} from './queries/users.ts'
import type { IdentityServices } from './services.ts'
import { type Move, nextState } from './user-states.ts'

const MOVES: Record<string, Move> = {
  active: 'activate',
  disabled: 'disable',
  force_reset_password: 'forceReset',
  archived: 'archive',
}

export const users = (services: IdentityServices) => [
  implement(listUsers, async (input, { db, reach, audit }) => {
    const page = await usersPage(db, reach, input)
    audit.touched(page.items.map(({ individualId }) => individualId))
    return page
  }),

  implement(getUser, async ({ id }, { db, reach, audit }) => {
    const user = found(await findUser(db, reach, id))
    audit.touched([user.individualId], await membershipsWithin(db, id, reach))
    return user
  }),

  implement(createUser, async ({ body }, { db, reach, queue, now, audit }) => {
    const { organizationId, firstName, lastName, email = null, mobilePhone = null, locale, role, notifications } = body
    const username = chooseUsername(body)
    const [id, individualId] = [v7(), v7()]
    await db
      .insertInto('individuals')
      .values({ id: individualId, firstName, lastName, email, mobilePhone, locale, createdAt: now })
      .execute()
    try {
      await db.insertInto('users').values({ id, individualId, username, passwordHash: null, createdAt: now }).execute()
    } catch (error) {
      throw isUniqueViolation(error, 'users_by_username') ? new Problem('UsernameTaken') : error
    }
    await db.insertInto('memberships').values({ userId: id, organizationId, role }).execute()
    if (notifications.length > 0) {
      const account = await lockAccount(db, id)
      const organization = await findOrganization(db, organizationId)
      if (account) await sendInvitation(services, db, queue, account, { organization, channels: notifications }, now)
    }
    audit.touched([individualId], [organizationId])
    return found(await findUser(db, reach, id))
  }),

  implement(modifyUser, async ({ id, body }, { db, reach, now, audit }) => {
    const within = await membershipsWithin(db, id, reach)
    await lockOrganizations(db, within)
    const account = within.length > 0 ? await lockAccount(db, id) : undefined
    if (!account) throw new Problem('NotFound', { what: 'user' })
    const { firstName, lastName, locale } = body
    await changeIndividual(db, account.individualId, { firstName, lastName, locale })
    if (body.state) await moveUser(db, account, body.state, reach, now)
    if (body.roles) await replaceRoles(db, id, within, body.roles)
    if ((body.state || body.roles) && (await withoutAdministrator(db, within)).length > 0)
      throw new Problem('LastAdministrator')
    audit.touched([account.individualId], within)
    return found(await findUser(db, reach, id))
  }),
]

/** A user of several organizations is moved only by someone who administers all of them. */
async function moveUser(
  db: Database,
  account: { id: string; state: User['state']; emailVerified: boolean; phoneVerified: boolean },
  wanted: string,
  reach: string[],
  now: Date,
): Promise<void> {
  const organizations = await organizationIdsOf(db, account.id)
  if (organizations.some((id) => !reach.includes(id))) throw new Problem('PermissionDenied')
  const isVerified = account.emailVerified || account.phoneVerified
  const state = nextState(account.state, MOVES[wanted] as Move, { isVerified })
  if (!state) throw new Problem('StateNotAllowed', { from: account.state, to: wanted })
  await changeUser(db, account.id, { state })
  if (state !== 'registered') await endSessionsOf(db, account.id, now)
}

function chooseUsername({
  email,
  mobilePhone,
  username,
}: {
  email?: string | undefined
  mobilePhone?: string | undefined
  username?: string | undefined
}): string {
  if (mobilePhone !== undefined && !isValidPhoneNumber(mobilePhone)) {
    throw new Problem('InvalidValue', {
      pointer: '/data/attributes/mobile-phone',
      fault: 'must be a phone number that exists',
    })
  }
  const contacts = [email, mobilePhone].filter((contact) => contact !== undefined)
  const [first] = contacts
  if (first === undefined) throw new Problem('MissingValue', { pointer: '/data/attributes/email' })
  if (username === undefined) return first
  const same = contacts.find((contact) => contact.toLowerCase() === username.toLowerCase())
  if (same === undefined) throw new Problem('UsernameMismatch')
  return same
}

function found(user: User | undefined): User {
  if (!user) throw new Problem('NotFound', { what: 'user' })
  return user
}
