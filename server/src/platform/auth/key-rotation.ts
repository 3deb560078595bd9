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
    const { rows } = await sql<{ place: string; sealed: Buffer }>`
      select ctid::text as place, ${sql.id(column)} as sealed from ${sql.table(table)} where length(${sql.id(column)}) > 0`.execute(
      db,
    )
    const outdated = rows.filter(({ sealed }) => secrets.isOutdated(sealed))
    for (const { place, sealed } of outdated) {
      // Found by its place on the disk; one that was written anew meanwhile has another place, and the key of now.
      await sql`update ${sql.table(table)} set ${sql.id(column)} = ${secrets.encrypt(secrets.decrypt(sealed))}
        where ctid = ${place}::tid and ${sql.id(column)} = ${sealed}`.execute(db)
    }
    counts[`${table}.${column}`] = outdated.length
  }
  return counts
}
