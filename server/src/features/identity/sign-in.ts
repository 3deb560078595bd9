import { type AnswerOf, LOCALES } from '@almoner/contract'
import {
  ACCESS_TOKEN_LIFETIME,
  login,
  logout,
  REFRESH_TOKEN_LIFETIME,
  refresh,
} from '@almoner/contract/identity/sessions'
import { endSession, openSession, rotateSession, type Tokens } from '../../platform/auth/sessions.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { authenticate } from './credentials.ts'
import { documentsToAgree, organizationIdsOf, recordAgreements } from './queries/organizations.ts'
import { type Account, changeIndividual, changeUser, findAccount, lockAccount } from './queries/users.ts'
import { checkSecondFactor } from './second-factor-check.ts'
import type { IdentityServices } from './services.ts'

const LONGEST_ACCESS = ACCESS_TOKEN_LIFETIME.maximum
const LONGEST_REFRESH = REFRESH_TOKEN_LIFETIME.maximum
// A second factor that is guessed at is a failed sign-in like a wrong password.
const GUESSES = new Set(['TotpInvalid', 'MfaTicketInvalid'])

export const signIn = ({ signInAttempts: attempts, secrets }: IdentityServices) => [
  implement(
    login,
    async ({ body }, { db, now, ip, userAgent, audit }) => {
      const { username, password } = body
      const user = await authenticate(db, attempts, { username, password, ip, audit })
      const { organizationIds } = user
      try {
        const spendFactor = await checkSecondFactor(db, secrets, user, body, now)
        const agreed = await checkAgreements(db, user.id, organizationIds, body.serviceDocumentAgreements ?? [])
        const asked = body.accessTokenExpirationSeconds ?? LONGEST_ACCESS
        const tokens = await db.transaction().execute(async (trx) => {
          await refuseIfChanged(trx, user)
          await spendFactor(trx)
          await recordAgreements(trx, user.id, agreed, now)
          const locale = LOCALES.find((one) => one === body.locale)
          if (locale) await changeIndividual(trx, user.individualId, { locale })
          await changeUser(trx, user.id, { lastActivityAt: now, ...(body.interactive ? { lastLoginAt: now } : {}) })
          const tokens = await openSession(
            trx,
            {
              userId: user.id,
              lifetimes: {
                accessSeconds: body.stickyAccessTokenExpiration ? asked : LONGEST_ACCESS,
                refreshSeconds: Math.min(body.refreshTokenExpirationSeconds ?? LONGEST_REFRESH, LONGEST_REFRESH),
              },
              firstAccessSeconds: asked,
              queueDelayMs: body.simulatedQueueDelay ?? 0,
              ip,
              userAgent,
            },
            now,
          )
          await audit.recordIn(trx)
          return tokens
        })
        await attempts.succeeded(user.id, ip)
        return signedIn(user, organizationIds, tokens)
      } catch (error) {
        const isGuess = error instanceof Problem && GUESSES.has(error.code ?? '')
        if (!isGuess) await attempts.wasNoFailure(user.id, ip)
        throw error
      }
    },
    // Comparing a password takes long: no connection is held meanwhile.
    { transaction: false },
  ),

  implement(
    refresh,
    async ({ body }, { db, now, audit }) => {
      const { userId, ...tokens } = await rotateSession(db, body.refreshToken, now, async (owner) =>
        audit.calledBy(owner, await organizationIdsOf(db, owner)),
      )
      const user = await findAccount(db, userId)
      if (!user) throw new Problem('TokenInvalid')
      await changeUser(db, userId, { lastActivityAt: now })
      return signedIn(user, await organizationIdsOf(db, userId), tokens)
    },
    // Ending a stolen sign-in must hold although the request is refused.
    { transaction: false },
  ),

  implement(logout, async (_, { db, actor, now, audit }) => {
    audit.calledBy(actor.userId, [])
    await endSession(db, actor.sessionId, now)
    return {}
  }),
]

/** Comparing the password took a while: one that was changed meanwhile, or a user disabled, signs nobody in. */
async function refuseIfChanged(trx: Database, { id, passwordHash }: Account): Promise<void> {
  const now = await lockAccount(trx, id)
  if (now?.passwordHash !== passwordHash || now.state !== 'registered') throw new Problem('LoginFailed')
}

/** The documents that this sign-in agrees to; refuses while one in force is not agreed to. */
async function checkAgreements(
  db: Database,
  userId: string,
  organizationIds: string[],
  given: string[],
): Promise<string[]> {
  const open = await documentsToAgree(db, userId, organizationIds)
  const agreedTo = new Set(given)
  const missing = open.filter(({ id }) => !agreedTo.has(id))
  if (missing.length > 0) {
    const titles = missing.map(({ title }) => title)
    throw new Problem('ServiceDocumentsRequired', { titles, documents: missing })
  }
  return open.map(({ id }) => id)
}

function signedIn(
  user: { id: string; individualId: string },
  organizationIds: string[],
  tokens: Tokens,
): AnswerOf<typeof login> {
  return { ...tokens, userId: user.id, individualId: user.individualId, organizationIds, redirectUrl: null }
}
