import type { AnswerOf } from '@almoner/contract'
import {
  ACCESS_TOKEN_LIFETIME,
  login,
  logout,
  REFRESH_TOKEN_LIFETIME,
  refresh,
} from '@almoner/contract/identity/sessions'
import { passwordMatches } from '../../platform/auth/passwords.ts'
import { endSession, openSession, rotateSession, type Tokens } from '../../platform/auth/sessions.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import type { SignInAttempts } from '../../platform/limits/sign-in-attempts.ts'
import { findUser, findUserByUsername, organizationIdsOf, recordLogin } from './queries.ts'

const LONGEST_ACCESS = ACCESS_TOKEN_LIFETIME.maximum
const LONGEST_REFRESH = REFRESH_TOKEN_LIFETIME.maximum

export const signIn = (attempts: SignInAttempts) => [
  implement(
    login,
    async ({ body }, { db, now, ip }) => {
      await attempts.check(body.username, ip)
      const user = await findUserByUsername(db, body.username)
      // Compared before anything is decided: an unknown or a disabled user takes as long as a wrong password.
      const matches = await passwordMatches(body.password, user?.passwordHash)
      if (!user?.enabled || !matches) {
        await attempts.failed(body.username, ip)
        throw new Problem('LoginFailed')
      }
      await attempts.succeeded(body.username)
      const asked = body.accessTokenExpirationSeconds ?? LONGEST_ACCESS
      const accessSeconds = body.stickyAccessTokenExpiration ? asked : LONGEST_ACCESS
      const refreshSeconds = Math.min(body.refreshTokenExpirationSeconds ?? LONGEST_REFRESH, LONGEST_REFRESH)
      const tokens = await db.transaction().execute(async (trx) => {
        if (body.interactive) await recordLogin(trx, user.id, now)
        return openSession(trx, user.id, { accessSeconds, refreshSeconds }, { accessSeconds: asked }, now)
      })
      return signedIn(db, user, tokens)
    },
    { transaction: false },
  ),

  implement(
    refresh,
    async ({ body }, { db, now }) => {
      const { userId, ...tokens } = await rotateSession(db, body.refreshToken, now)
      return signedIn(db, await findUser(db, userId), tokens)
    },
    // Ending a stolen sign-in must hold although the request is refused.
    { transaction: false },
  ),

  implement(logout, async (_, { db, actor, now }) => {
    await endSession(db, actor.sessionId, now)
    return {}
  }),
]

async function signedIn(
  db: Database,
  user: { id: string; individualId: string },
  tokens: Tokens,
): Promise<AnswerOf<typeof login>> {
  const organizationIds = await organizationIdsOf(db, user.id)
  return { ...tokens, userId: user.id, individualId: user.individualId, organizationIds, redirectUrl: null }
}
