// A new person: the individual, the user who will sign in as that person, and what they are in an organization.

import type { ErrorEntry, Locale, Role } from '@almoner/contract'
import type { NOTIFICATIONS } from '@almoner/contract/identity/users'
import type { Gender } from '@almoner/contract/people/patients'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { v7 } from 'uuid'
import type { Database } from '../../platform/db/database.ts'
import { isUniqueViolation } from '../../platform/db/violations.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { sendInvitation } from './messages.ts'
import { findOrganization } from './queries/organizations.ts'
import { lockAccount } from './queries/users.ts'
import type { IdentityServices } from './services.ts'

export interface NewAccount {
  organizationId: string
  role: Exclude<Role, 'device' | 'job'>
  firstName: string
  lastName: string
  preferredName?: string | undefined
  birthDate?: string | undefined
  gender?: Gender | undefined
  tz?: string | undefined
  email: string | null
  mobilePhone: string | null
  username: string
  locale: Locale
  notifications: (typeof NOTIFICATIONS)[number][]
}

export async function createAccount(
  services: Pick<IdentityServices, 'outbox' | 'publicUrl'>,
  db: Database,
  queue: Queue,
  account: NewAccount,
  now: Date,
): Promise<{ userId: string; individualId: string }> {
  const { organizationId, role, username, notifications, ...person } = account
  const { firstName, lastName, preferredName, birthDate, gender, tz, email, mobilePhone, locale } = person
  const [userId, individualId] = [v7(), v7()]
  await db
    .insertInto('individuals')
    .values({
      id: individualId,
      firstName,
      lastName,
      preferredName: preferredName ?? null,
      birthDate: birthDate ?? null,
      gender: gender ?? null,
      tz: tz ?? null,
      email,
      mobilePhone,
      locale,
      createdAt: now,
    })
    .execute()
  await withFreeUsername(() =>
    db.insertInto('users').values({ id: userId, individualId, username, passwordHash: null, createdAt: now }).execute(),
  )
  await db.insertInto('memberships').values({ userId, organizationId, role }).execute()
  if (notifications.length > 0) {
    const invited = await lockAccount(db, userId)
    const organization = await findOrganization(db, organizationId)
    if (invited) await sendInvitation(services, db, queue, invited, { organization, channels: notifications }, now)
  }
  return { userId, individualId }
}

/** Whoever sets a username is told when it is taken. */
export async function withFreeUsername<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw isUniqueViolation(error, 'users_by_username') ? new Problem('UsernameTaken') : error
  }
}

interface GivenContacts {
  email?: string | undefined
  mobilePhone?: string | undefined
  username?: string | undefined
}

interface Contacts {
  email: string | null
  /** In E.164 form. */
  mobilePhone: string | null
  username: string
  faults: ErrorEntry[]
}

/** The addresses of a new person and the username, which is one of them, with everything that is wrong about them. */
export function checkContacts(given: GivenContacts, pointer = '/data/attributes'): Contacts {
  const faults: ErrorEntry[] = []
  const email = given.email ?? null
  const mobilePhone = given.mobilePhone === undefined ? null : phoneOf(given.mobilePhone)
  if (given.mobilePhone !== undefined && !mobilePhone) {
    const fault = 'must be a phone number that exists, such as +12025550123'
    faults.push(...new Problem('InvalidValue', { pointer: `${pointer}/mobile-phone`, fault }).entries)
  }
  if (given.email === undefined && given.mobilePhone === undefined)
    faults.push(...new Problem('MissingValue', { pointer: `${pointer}/email` }).entries)
  const wanted = given.username === undefined ? undefined : (phoneOf(given.username) ?? given.username).toLowerCase()
  const username = [email, mobilePhone].find(
    (contact) => contact !== null && (wanted === undefined || contact.toLowerCase() === wanted),
  )
  // Whether a username equals a phone number that is wrong itself is not worth saying.
  if (!username && faults.length === 0)
    faults.push(...new Problem('UsernameMismatch', { pointer: `${pointer}/username` }).entries)
  return { email, mobilePhone, username: username ?? '', faults }
}

/** Numbers without a country are read as those of the United States, where both locales are. */
export function phoneOf(value: string): string | null {
  const parsed = parsePhoneNumberFromString(value, 'US')
  return parsed?.isValid() ? parsed.number : null
}
