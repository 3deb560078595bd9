import { confirmInvitation, register, resendInvitation } from '@almoner/contract/identity/users'
import { hashPassword } from '../../platform/auth/passwords.ts'
import { seenAmong, sightOf } from '../../platform/auth/sight.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { acceptPassword } from './credentials.ts'
import { followLink } from './links.ts'
import { sendInvitation } from './messages.ts'
import { spendLinks } from './queries/links.ts'
import { findOrganization, organizationIdsOf } from './queries/organizations.ts'
import {
  type Account,
  changeUser,
  findAccount,
  findAccountByUsername,
  lockAccount,
  membershipsWithin,
} from './queries/users.ts'
import type { IdentityServices } from './services.ts'
import { nextState } from './user-states.ts'

const verifiedBy = (channel: 'email' | 'sms') =>
  channel === 'email' ? { emailVerified: true } : { phoneVerified: true }

export const invitations = (services: IdentityServices) => [
  implement(resendInvitation, async ({ body }, { db, actor, reach, queue, now, audit }) => {
    const named = await findAccountByUsername(db, body.username)
    const [organizationId] = named ? await membershipsWithin(db, named.id, reach) : []
    const account = named && (await lockAccount(db, named.id))
    const seen = account && (await seenAmong(db, await sightOf(db, actor, reach), [account.individualId]))
    if (!account || !organizationId || !seen?.has(account.individualId)) throw new Problem('NotFound', { what: 'user' })
    if (account.state !== 'init' && account.state !== 'confirmed') throw new Problem('AlreadyRegistered')
    const organization = await findOrganization(db, organizationId)
    await sendInvitation(services, db, queue, account, { organization, channels: body.notifications }, now)
    audit.touched([account.individualId], [organizationId])
    return { username: account.username, registrationInvite: 'sent' as const, notifications: body.notifications }
  }),

  implement(confirmInvitation, async ({ body }, { db, now, audit }) => {
    const { userId } = await followLink(db, 'invitation', body.token, now)
    const { username, firstName, locale, state } = await invited(db, userId, 'confirm')
    // Followed again with the user locked: a newer invitation may have taken its place.
    const { channel } = await followLink(db, 'invitation', body.token, now)
    await changeUser(db, userId, { ...verifiedBy(channel), state })
    audit.calledBy(userId, await organizationIdsOf(db, userId))
    return { username, firstName, locale }
  }),

  implement(
    register,
    async ({ body }, { db, now, audit }) => {
      const { userId } = await followLink(db, 'invitation', body.token, now)
      const account = await findAccount(db, userId)
      if (!account) throw new Problem('LinkInvalid')
      await acceptPassword(services, body.password, account)
      const passwordHash = await hashPassword(body.password)
      audit.calledBy(userId, await organizationIdsOf(db, userId))
      // The link is followed again, with the user locked: it may have been used while the password was looked at.
      await db.transaction().execute(async (trx) => {
        const { state } = await invited(trx, userId, 'register')
        const { channel } = await followLink(trx, 'invitation', body.token, now)
        await changeUser(trx, userId, {
          ...verifiedBy(channel),
          passwordHash,
          state,
          registrationInvite: 'accepted',
          registeredAt: now,
        })
        await spendLinks(trx, 'invitation', userId, now)
        await audit.recordIn(trx)
      })
      return { username: account.username }
    },
    { transaction: false },
  ),
]

/** The invited user in the state that this makes of it; a user who was disabled meanwhile has no valid link. */
async function invited(db: Database, userId: string, move: 'confirm' | 'register'): Promise<Account> {
  const account = await lockAccount(db, userId)
  const state = account && nextState(account.state, move, { isVerified: true })
  if (account?.state === 'registered') throw new Problem('LinkUsed')
  if (!account || !state) throw new Problem('LinkInvalid')
  return { ...account, state }
}
