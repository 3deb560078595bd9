import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

const totpColumns = ['id', 'userId', 'createdAt', 'enabledAt', 'lastUsedAt', 'secret', 'lastStep'] as const

export const totpConfigurationsOf = (db: Database, userId: string) =>
  db
    .selectFrom('totpConfigurations')
    .select(totpColumns)
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')

export const findTotp = (db: Database, id: string) =>
  db.selectFrom('totpConfigurations').select(totpColumns).where('id', '=', id).executeTakeFirst()

export const findEnabledTotp = (db: Database, userId: string) =>
  totpConfigurationsOf(db, userId).where('enabledAt', 'is not', null).executeTakeFirst()

export const insertTotp = (db: Database, row: { id: string; userId: string; secret: Buffer; createdAt: Date }) =>
  db
    .insertInto('totpConfigurations')
    .values({ ...row, enabledAt: null, lastUsedAt: null, lastStep: null })
    .returning(totpColumns)
    .executeTakeFirstOrThrow()

/** Older set-ups that were never finished are forgotten when a new one begins. */
export async function removeUnfinishedTotp(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('totpConfigurations').where('userId', '=', userId).where('enabledAt', 'is', null).execute()
}

export const setTotpEnabled = (db: Database, id: string, enabledAt: Date | null, lastStep: number | null) =>
  db
    .updateTable('totpConfigurations')
    .set({ enabledAt, ...(lastStep === null ? {} : { lastStep: String(lastStep) }) })
    .where('id', '=', id)
    .returning(totpColumns)
    .executeTakeFirst()

/** Uses up a code, and with it every earlier one. False when it was used already, also by someone at the same moment. */
export async function spendTotpStep(db: Database, id: string, step: number, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`update totp_configurations set last_step = ${step}, last_used_at = ${now}
    where id = ${id} and enabled_at is not null and (last_step is null or last_step < ${step})`.execute(db)
  return numAffectedRows === 1n
}

export interface NewChallenge {
  id: string
  userId: string
  codeFingerprint: Buffer
  expiresAt: Date
  createdAt: Date
}

/** A new challenge takes the place of those still open. */
export async function insertChallenge(db: Database, row: NewChallenge): Promise<void> {
  const open = db.updateTable('mfaEmailChallenges').set({ expiresAt: row.createdAt }).where('userId', '=', row.userId)
  await open.where('answeredAt', 'is', null).where('expiresAt', '>', row.createdAt).execute()
  await db.insertInto('mfaEmailChallenges').values(row).execute()
}

export async function countChallengesSince(db: Database, userId: string, since: Date): Promise<number> {
  const recent = db.selectFrom('mfaEmailChallenges').select('id').where('userId', '=', userId)
  return (await recent.where('createdAt', '>', since).execute()).length
}

/** Counts a try before its code is looked at, so that tries at the same moment count too. */
export const tryChallenge = (db: Database, id: string, now: Date, mostTries: number) =>
  db
    .updateTable('mfaEmailChallenges')
    .set({ attempts: sql`attempts + 1` })
    .where('id', '=', id)
    .where('attempts', '<', mostTries)
    .where('answeredAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning(['userId', 'codeFingerprint'])
    .executeTakeFirst()

export async function answerChallenge(db: Database, id: string, now: Date): Promise<void> {
  await db.updateTable('mfaEmailChallenges').set({ answeredAt: now }).where('id', '=', id).execute()
}

/** Uses up the ticket of an answered challenge. False when it was used, or was another user's. */
export async function spendChallenge(
  db: Database,
  id: string,
  userId: string,
  answeredAfter: Date,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mfaEmailChallenges')
    .set({ spentAt: now })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('answeredAt', '>', answeredAfter)
    .where('spentAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
