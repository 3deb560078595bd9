import { randomInt } from 'node:crypto'
import {
  createMfaEmailChallenge,
  disableTotp,
  enableTotp,
  initiateTotp,
  listTotp,
  respondToMfaEmailChallenge,
} from '@almoner/contract/identity/second-factors'
import { v7 } from 'uuid'
import { areConsecutive, newTotpSecret, provisioningQrCode, provisioningUri } from '../../platform/auth/totp.ts'
import { pageOf } from '../../platform/db/paging.ts'
import { isUniqueViolation } from '../../platform/db/violations.ts'
import { render } from '../../platform/delivery/texts/render.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { authenticate, confirmPassword } from './credentials.ts'
import { inForm, sendNotice, verifiedContact } from './messages.ts'
import { organizationIdsOf } from './queries/organizations.ts'
import {
  answerChallenge,
  countChallengesSince,
  findEnabledTotp,
  findTotp,
  insertChallenge,
  insertTotp,
  removeUnfinishedTotp,
  setTotpEnabled,
  totpConfigurationsOf,
  tryChallenge,
} from './queries/second-factors.ts'
import { findAccount } from './queries/users.ts'
import { makeTicket, TICKET_MINUTES } from './second-factor-check.ts'
import type { IdentityServices } from './services.ts'
import { isSelfOrAdministered, touchOwner } from './sessions.ts'

const ISSUER = 'Almoner'
const MOST_TRIES = 5
const MOST_AN_HOUR = 10

interface TotpRow {
  id: string
  userId: string
  createdAt: Date
  enabledAt: Date | null
  lastUsedAt: Date | null
}

/** It may be gone by now: beginning a new set-up removes one that was never finished. */
function found(row: TotpRow | undefined): TotpRow {
  if (!row) throw new Problem('NotFound', { what: 'TOTP configuration' })
  return row
}

/** Without the secret, which is answered only when it is made. */
const shown = ({ id, userId, createdAt, enabledAt, lastUsedAt }: TotpRow) => ({
  id,
  userId,
  createdAt,
  enabledAt,
  enabled: enabledAt !== null,
  lastUsed: lastUsedAt,
})

export const secondFactors = ({ signInAttempts: attempts, secrets, outbox }: IdentityServices) => [
  implement(listTotp, async ({ filter, page }, { db, actor, audit }) => {
    const userId = filter.userId ?? actor.userId
    if (!(await isSelfOrAdministered(db, actor, userId))) throw new Problem('PermissionDenied')
    if (userId !== actor.userId) await touchOwner(db, audit, userId)
    const { items, total } = await pageOf(totpConfigurationsOf(db, userId), page)
    return { items: items.map(shown), total }
  }),

  implement(initiateTotp, async (_, { db, actor, now }) => {
    const account = await findAccount(db, actor.userId)
    if (!account) throw new Problem('NotFound', { what: 'user' })
    await removeUnfinishedTotp(db, actor.userId)
    const secret = newTotpSecret()
    const row = await insertTotp(db, {
      id: v7(),
      userId: actor.userId,
      secret: secrets.encrypt(secret),
      createdAt: now,
    })
    const uri = provisioningUri({ secret, issuer: ISSUER, account: account.username })
    const provisioningQrcode = await provisioningQrCode(uri)
    return { ...shown(row), secret: { sharedSecretKey: secret, provisioningUri: uri, provisioningQrcode } }
  }),

  implement(
    enableTotp,
    async ({ id, body }, { db, actor, now, ip, audit, queue }) => {
      const totp = await findTotp(db, id)
      if (totp?.userId !== actor.userId) throw new Problem('NotFound', { what: 'TOTP configuration' })
      const account = await confirmPassword(db, attempts, { userId: actor.userId, password: body.password, ip })
      if (await findEnabledTotp(db, actor.userId)) throw new Problem('TotpAlreadyEnabled')
      const [first = '', second = ''] = body.codes
      const step = areConsecutive(secrets.decrypt(totp.secret), [first, second], now)
      if (step === null) throw new Problem('TotpCodesWrong')
      audit.touched([account.individualId], await organizationIdsOf(db, account.id))
      try {
        return await db.transaction().execute(async (trx) => {
          await sendNotice({ outbox }, trx, queue.on(trx), account, 'second-factor-on', now)
          await audit.recordIn(trx)
          return shown(found(await setTotpEnabled(trx, id, now, step)))
        })
      } catch (error) {
        // Another was enabled at the same moment.
        throw isUniqueViolation(error, 'one_enabled_totp_per_user') ? new Problem('TotpAlreadyEnabled') : error
      }
    },
    { transaction: false },
  ),

  implement(
    disableTotp,
    async ({ id, body }, { db, actor, now, ip, audit, queue }) => {
      const totp = await findTotp(db, id)
      // An administrator may help someone who lost the device.
      const isAllowed = totp && (await isSelfOrAdministered(db, actor, totp.userId))
      const owner = isAllowed ? await findAccount(db, totp.userId) : undefined
      if (!owner) throw new Problem('NotFound', { what: 'TOTP configuration' })
      await confirmPassword(db, attempts, { userId: actor.userId, password: body.password, ip })
      audit.touched([owner.individualId], await organizationIdsOf(db, owner.id))
      return db.transaction().execute(async (trx) => {
        await sendNotice({ outbox }, trx, queue.on(trx), owner, 'second-factor-off', now)
        await audit.recordIn(trx)
        return shown(found(await setTotpEnabled(trx, id, null, null)))
      })
    },
    { transaction: false },
  ),

  implement(
    createMfaEmailChallenge,
    async ({ body }, { db, now, ip, queue, audit }) => {
      const account = await authenticate(db, attempts, { ...body, ip, audit })
      await attempts.wasNoFailure(account.id, ip)
      const way = verifiedContact(account)
      if (!way) throw new Problem('NoContact', { channel: 'email' })
      const recent = await countChallengesSince(db, account.id, new Date(now.getTime() - 3_600_000))
      if (recent >= MOST_AN_HOUR) throw new Problem('TooManyMessages', { seconds: 3600 })
      const [id, code] = [v7(), String(randomInt(1_000_000)).padStart(6, '0')]
      const expiresAt = new Date(now.getTime() + TICKET_MINUTES * 60_000)
      const { firstName, locale, individualId } = account
      const [organizationId] = account.organizationIds
      const rendered = render('mfa-code', locale, { firstName, code, minutes: TICKET_MINUTES })
      const common = {
        purpose: 'mfa-code',
        individualId,
        recipient: way.recipient,
        ...(organizationId ? { organizationId } : {}),
      }
      const codeFingerprint = secrets.fingerprint(`${id} ${code}`)
      await db.transaction().execute(async (trx) => {
        await insertChallenge(trx, { id, userId: account.id, codeFingerprint, expiresAt, createdAt: now })
        await outbox.post(trx, queue.on(trx), { ...common, ...inForm(way.channel, rendered) }, now)
      })
      return { id, expiresAt }
    },
    { transaction: false },
  ),

  implement(
    respondToMfaEmailChallenge,
    async ({ id, body }, { db, now, ip, audit }) => {
      const challenge = await tryChallenge(db, id, now, MOST_TRIES)
      if (!challenge) throw new Problem('MfaCodeWrong')
      const { userId, codeFingerprint } = challenge
      audit.calledBy(userId, await organizationIdsOf(db, userId))
      // Guessed over many challenges, a code is still guessed ten times at most.
      await attempts.begin(userId, ip)
      if (!secrets.isFingerprintOf(`${id} ${body.code.trim()}`, codeFingerprint)) throw new Problem('MfaCodeWrong')
      await attempts.wasNoFailure(userId, ip)
      await answerChallenge(db, id, now)
      return { mfaTicket: makeTicket(secrets, id, userId) }
    },
    // A wrong try counts although the request is refused.
    { transaction: false },
  ),
]
