import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Secrets } from './secrets.ts'

/** Every column that holds encrypted values. */
const PLACES = [
  ['totp_configurations', 'secret'],
  ['outbound_messages', 'body'],
  ['idempotent_answers', 'answer'],
] as const

/** Encrypts with the key of now what earlier keys encrypted; answers how many values that were, by place. */
export async function encryptAnew(db: Database, secrets: Secrets): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [table, column] of PLACES) {
    const { rows } = await sql<{ sealed: Buffer }>`
      select ${sql.id(column)} as sealed from ${sql.table(table)} where length(${sql.id(column)}) > 0`.execute(db)
    const outdated = rows.filter(({ sealed }) => secrets.isOutdated(sealed))
    for (const { sealed } of outdated) {
      // Each sealed value has a nonce of its own, so it names its row; one that changed meanwhile is new already.
      await sql`update ${sql.table(table)} set ${sql.id(column)} = ${secrets.encrypt(secrets.decrypt(sealed))}
        where ${sql.id(column)} = ${sealed}`.execute(db)
    }
    counts[`${table}.${column}`] = outdated.length
  }
  return counts
}
