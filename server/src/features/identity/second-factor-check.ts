// The second factor of a sign-in. It is checked first and used up last, so that a sign-in that is refused for another
// reason can be sent again with the same code.

import type { Secrets } from '../../platform/auth/secrets.ts'
import { matchingStep } from '../../platform/auth/totp.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { verifiedContact } from './messages.ts'
import { requiresSecondFactor } from './queries/organizations.ts'
import { findEnabledTotp, spendChallenge, spendTotpStep } from './queries/second-factors.ts'
import type { Account } from './queries/users.ts'

export const TICKET_MINUTES = 10

interface Given {
  totpCode?: string | undefined
  mfaTicket?: string | undefined
}

/** Uses up what proved the second factor; refuses when it was used in the meantime. */
type Spend = (db: Database) => Promise<void>

export async function checkSecondFactor(
  db: Database,
  secrets: Secrets,
  user: Account & { organizationIds: string[] },
  given: Given,
  now: Date,
): Promise<Spend> {
  const totp = await findEnabledTotp(db, user.id)
  if (totp) {
    if (given.totpCode === undefined) throw new Problem('TotpRequired')
    const step = matchingStep(secrets.decrypt(totp.secret), given.totpCode, now)
    if (step === null || (totp.lastStep !== null && step <= Number(totp.lastStep))) throw new Problem('TotpInvalid')
    return async (trx) => {
      if (!(await spendTotpStep(trx, totp.id, step, now))) throw new Problem('TotpInvalid')
    }
  }
  if (!(await requiresSecondFactor(db, user.organizationIds))) return async () => {}
  if (given.mfaTicket === undefined) throw new Problem('MfaRequired', { methods: methodsOf(user) })
  const challengeId = readTicket(secrets, given.mfaTicket, user.id)
  const answeredAfter = new Date(now.getTime() - TICKET_MINUTES * 60_000)
  return async (trx) => {
    const spent = challengeId && (await spendChallenge(trx, challengeId, user.id, answeredAfter, now))
    if (!spent) throw new Problem('MfaTicketInvalid')
  }
}

/** A code is sent by the way someone is known to be reached; whoever has none must be helped by an administrator. */
const methodsOf = (user: Account): string[] => [verifiedContact(user)?.channel ?? []].flat()

export const makeTicket = (secrets: Secrets, challengeId: string, userId: string): string =>
  secrets.encrypt(JSON.stringify({ challengeId, userId })).toString('base64url')

function readTicket(secrets: Secrets, ticket: string, userId: string): string | null {
  try {
    const content = JSON.parse(secrets.decrypt(Buffer.from(ticket, 'base64url')))
    return content.userId === userId ? content.challengeId : null
  } catch {
    // Altered, cut or made up: whatever it is, it is no ticket of ours.
    return null
  }
}
