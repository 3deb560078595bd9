import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { findLink } from './queries/links.ts'

/** Whom a link was sent to, and how; refuses one that is used, expired or made up, and says what to do. */
export async function followLink(
  db: Database,
  purpose: 'invitation' | 'password-reset',
  token: string,
  now: Date,
): Promise<{ userId: string; channel: 'email' | 'sms' }> {
  const link = await findLink(db, purpose, token)
  if (!link) throw new Problem('LinkInvalid')
  if (link.usedAt) throw new Problem('LinkUsed')
  if (link.expiresAt <= now) throw new Problem('LinkExpired')
  return link
}
