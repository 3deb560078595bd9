import { tokenHash } from '../../../platform/auth/tokens.ts'
import type { Database } from '../../../platform/db/database.ts'

type Purpose = 'invitation' | 'password-reset'

export interface Link {
  token: string
  purpose: Purpose
  userId: string
  channel: 'email' | 'sms'
  expiresAt: Date
}

export async function insertLink(db: Database, { token, ...link }: Link, now: Date): Promise<void> {
  await db
    .insertInto('oneTimeLinks')
    .values({ hash: tokenHash(token), ...link, createdAt: now })
    .execute()
}

/** Links are spent under a lock on their user: whoever holds that lock finds one as it is. */
export const findLink = (db: Database, purpose: Purpose, token: string) =>
  db
    .selectFrom('oneTimeLinks')
    .select(['userId', 'channel', 'usedAt', 'expiresAt'])
    .where('hash', '=', tokenHash(token))
    .where('purpose', '=', purpose)
    .executeTakeFirst()

/** Every open link of this purpose stops working: it was used, or a newer one was sent. */
export async function spendLinks(db: Database, purpose: Purpose, userId: string, now: Date): Promise<void> {
  await db
    .updateTable('oneTimeLinks')
    .set({ usedAt: now })
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .execute()
}

export async function countLinksSince(db: Database, purpose: Purpose, userId: string, since: Date): Promise<number> {
  const rows = await db
    .selectFrom('oneTimeLinks')
    .select('hash')
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('createdAt', '>', since)
    .execute()
  return rows.length
}

/** Invitations and resets that were sent stop working. */
export async function spendAllLinks(db: Database, userId: string, now: Date): Promise<void> {
  await spendLinks(db, 'invitation', userId, now)
  await spendLinks(db, 'password-reset', userId, now)
}
