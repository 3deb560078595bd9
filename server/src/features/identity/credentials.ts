// Telling whether someone is who they say, and whether a new password will do.

import { LEAST_LENGTH, LEAST_STRENGTH } from '@almoner/contract/identity/passwords'
import { NIL } from 'uuid'
import type { AuditNote } from '../../platform/audit/audit-note.ts'
import { passwordMatches } from '../../platform/auth/passwords.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { SignInAttempts } from '../../platform/limits/sign-in-attempts.ts'
import { organizationIdsOf } from './queries/organizations.ts'
import { type Account, findAccount, findAccountByUsername } from './queries/users.ts'
import type { IdentityServices } from './services.ts'

// Whoever must set a new password is told so, and only after giving the right old one.
const MAY_KNOW = new Set<Account['state']>(['registered', 'force_reset_password'])

/**
 * Username and password of someone not signed in. An unknown or a disabled user takes as long as a wrong password.
 * The attempt counts as failed until the caller says that it `succeeded`.
 */
export async function authenticate(
  db: Database,
  attempts: SignInAttempts,
  { username, password, ip, audit }: { username: string; password: string; ip: string; audit: AuditNote },
): Promise<Account & { organizationIds: string[] }> {
  const account = await findAccountByUsername(db, username)
  // Asked for nobody as well, so that a user who exists takes no longer.
  const organizationIds = await organizationIdsOf(db, account?.id ?? NIL)
  if (account) audit.calledBy(account.id, organizationIds)
  await attempts.begin(account?.id ?? username, ip)
  const matches = await passwordMatches(password, account?.passwordHash)
  if (!account || !matches || !MAY_KNOW.has(account.state)) throw new Problem('LoginFailed')
  if (account.state === 'force_reset_password') throw new Problem('PasswordResetRequired')
  return { ...account, organizationIds }
}

/** The password of someone who is signed in, before something that a stolen sign-in must not do. */
export async function confirmPassword(
  db: Database,
  attempts: SignInAttempts,
  { userId, password, ip }: { userId: string; password: string; ip: string },
): Promise<Account> {
  const account = await findAccount(db, userId)
  if (!account) throw new Problem('NotFound', { what: 'user' })
  await attempts.begin(userId, ip)
  if (!(await passwordMatches(password, account.passwordHash))) throw new Problem('PasswordWrong')
  await attempts.succeeded(userId, ip)
  return account
}

/** Refuses a password that is easily guessed or known to be leaked. */
export async function acceptPassword(
  { strength, pwned }: Pick<IdentityServices, 'strength' | 'pwned'>,
  password: string,
  { username, firstName, lastName, locale }: Account,
): Promise<void> {
  if ([...password].length < LEAST_LENGTH) throw new Problem('PasswordTooShort', { least: LEAST_LENGTH })
  const { value, suggestions } = await strength.check(
    password,
    [username, `${firstName} ${lastName}`, firstName, lastName],
    locale,
  )
  if (value < LEAST_STRENGTH) throw new Problem('PasswordTooWeak', { suggestions: suggestions.join(' ') })
  const { times } = await pwned.timesSeen(password)
  if (times) throw new Problem('PasswordLeaked')
}
