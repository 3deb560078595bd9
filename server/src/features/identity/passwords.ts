import {
  changePassword,
  checkPasswordStrength,
  requestPasswordReset,
  resetPassword,
} from '@almoner/contract/identity/passwords'
import { hashPassword } from '../../platform/auth/passwords.ts'
import { endSessionsOf, isSessionOpen } from '../../platform/auth/sessions.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { acceptPassword, confirmPassword } from './credentials.ts'
import { followLink } from './links.ts'
import { passwordResetRequested, sendNotice } from './messages.ts'
import { spendLinks } from './queries/links.ts'
import { organizationIdsOf } from './queries/organizations.ts'
import { changeUser, findAccount, lockAccount } from './queries/users.ts'
import type { IdentityServices } from './services.ts'
import { nextState } from './user-states.ts'

export const passwords = (services: IdentityServices) => [
  implement(
    checkPasswordStrength,
    async ({ body }, { db, actor }) => {
      const account = await findAccount(db, actor.userId)
      const { value, label, suggestions } = await services.advice.check(actor.userId, body.password, account?.locale)
      const pwned = body.checkPwned
        ? await services.pwned.timesSeen(body.password)
        : { times: null, message: 'Not asked for.' }
      return { pwned, strength: { label, value }, suggestions }
    },
    { transaction: false },
  ),

  implement(
    changePassword,
    async ({ body }, { db, actor, now, ip, queue, audit }) => {
      const account = await confirmPassword(db, services.signInAttempts, {
        userId: actor.userId,
        password: body.currentPassword,
        ip,
      })
      await acceptPassword(services, body.password, account)
      const passwordHash = await hashPassword(body.password)
      audit.calledBy(actor.userId, await organizationIdsOf(db, actor.userId))
      await db.transaction().execute(async (trx) => {
        // Meanwhile the password may have been reset by its owner, and this sign-in ended.
        const current = await lockAccount(trx, account.id)
        const isOpen = await isSessionOpen(trx, actor.sessionId)
        if (!isOpen || current?.passwordHash !== account.passwordHash) throw new Problem('PasswordWrong')
        await changeUser(trx, account.id, { passwordHash })
        await endSessionsOf(trx, account.id, now, actor.sessionId)
        await spendLinks(trx, 'password-reset', account.id, now)
        await sendNotice(services, trx, queue.on(trx), account, 'password-changed', now)
        await audit.recordIn(trx)
      })
      return {}
    },
    { transaction: false },
  ),

  // What is sent, and to whom, is found out later by a job: the answer takes as long for a user as for nobody.
  implement(requestPasswordReset, async ({ body }, { queue }) => {
    await queue.add(passwordResetRequested, { sealed: services.secrets.encrypt(body.username).toString('base64') })
    return {}
  }),

  implement(
    resetPassword,
    async ({ body }, { db, now, queue, audit }) => {
      const { userId } = await followLink(db, 'password-reset', body.token, now)
      const account = await findAccount(db, userId)
      if (!account) throw new Problem('LinkInvalid')
      await acceptPassword(services, body.password, account)
      const passwordHash = await hashPassword(body.password)
      audit.calledBy(userId, await organizationIdsOf(db, userId))
      await db.transaction().execute(async (trx) => {
        await setNewPassword(services, trx, queue.on(trx), { userId, token: body.token, passwordHash }, now)
        await audit.recordIn(trx)
      })
      return { username: account.username }
    },
    { transaction: false },
  ),
]

/** The user is locked first, as everywhere; then the link is followed again, for it may have been used meanwhile. */
async function setNewPassword(
  services: IdentityServices,
  trx: Database,
  queue: Queue,
  reset: { userId: string; token: string; passwordHash: string },
  now: Date,
): Promise<void> {
  const { userId, token, passwordHash } = reset
  const account = await lockAccount(trx, userId)
  await followLink(trx, 'password-reset', token, now)
  const state = account && nextState(account.state, 'resetPassword', { isVerified: true })
  if (!account || !state) throw new Problem('LinkInvalid')
  await changeUser(trx, userId, { passwordHash, state })
  await spendLinks(trx, 'password-reset', userId, now)
  await endSessionsOf(trx, userId, now)
  await sendNotice(services, trx, queue, account, 'password-changed', now)
}
