import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Secrets } from './secrets.ts'

/** Every column that holds encrypted values. */
const PLACES = [
  ['totp_configurations', 'secret'],
  ['outbound_messages', 'body'],
  ['idempotent_answers', 'answer'],
  ['webhooks', 'secret'],
  ['webhooks', 'previous_secret'],
  ['webhook_attempts', 'response'],
] as const

const AT_ONCE = 1000

/** Encrypts with the key of now what earlier keys encrypted; answers how many values that were, by place. */
export async function encryptAnew(db: Database, secrets: Secrets): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [table, column] of PLACES) {
    let count = 0
    for (let some = AT_ONCE; some === AT_ONCE; count += some) some = await encryptSome(db, secrets, table, column)
    counts[`${table}.${column}`] = count
  }
  return counts
}

async function encryptSome(db: Database, secrets: Secrets, table: string, column: string): Promise<number> {
  const head = secrets.currentHead
  const { rows } = await sql<{ place: string; sealed: Buffer }>`
    select ctid::text as place, ${sql.id(column)} as sealed from ${sql.table(table)}
    where length(${sql.id(column)}) > 0 and substring(${sql.id(column)} from 1 for ${head.length}::int) <> ${head}
    limit ${sql.lit(AT_ONCE)}`.execute(db)
  for (const { place, sealed } of rows) {
    // Found by its place on the disk; one that was written anew meanwhile has another place, and the key of now.
    await sql`update ${sql.table(table)} set ${sql.id(column)} = ${secrets.encrypt(secrets.decrypt(sealed))}
      where ctid = ${place}::tid and ${sql.id(column)} = ${sealed}`.execute(db)
  }
  return rows.length
}
