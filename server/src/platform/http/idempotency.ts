// A POST with an Idempotency-Key is carried out once: repeated within 24 hours it gets the same answer again.

import { sql } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import type { Secrets } from '../auth/secrets.ts'
import type { Database } from '../db/database.ts'
import { Problem } from '../errors/problem.ts'

declare module '../db/tables.ts' {
  interface Tables {
    idempotentAnswers: {
      caller: string
      key: string
      requestHash: Buffer
      answer: Buffer
      createdAt: Date
    }
  }
}

export interface KeyedRequest {
  key: string
  actor: Actor | null
  operationId: string
  path: string
  body: unknown
  now: Date
}

const NOBODY = '00000000-0000-0000-0000-000000000000'
const KEPT_MS = 24 * 3600 * 1000
const KEY = /^[\x21-\x7e]{1,255}$/

export function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && KEY.test(header)) return header
  throw new Problem('InvalidParameter', {
    parameter: 'Idempotency-Key',
    fault: 'must be 1 to 255 visible ASCII characters',
  })
}

/**
 * Runs inside the transaction of the work itself. The row is written first: a second request with the same key waits
 * on it until the first commits, then finds the answer; if the first fails, its row is gone and the second works.
 */
export async function once(
  db: Database,
  secrets: Secrets,
  request: KeyedRequest,
  work: () => Promise<string>,
): Promise<string> {
  const { key, actor, now } = request
  const caller = actor?.userId ?? NOBODY
  const requestHash = secrets.fingerprint(JSON.stringify([request.operationId, request.path, request.body]))
  await db
    .deleteFrom('idempotentAnswers')
    .where('caller', '=', caller)
    .where('key', '=', key)
    .where('createdAt', '<', kept(now))
    .execute()
  const claimed = await sql`insert into idempotent_answers (caller, key, request_hash, answer, created_at)
    values (${caller}, ${key}, ${requestHash}, '', ${now}) on conflict do nothing`.execute(db)
  const mine = db.updateTable('idempotentAnswers').where('caller', '=', caller).where('key', '=', key)
  if (claimed.numAffectedRows === 1n) {
    const answer = await work()
    await mine.set({ answer: secrets.encrypt(answer) }).execute()
    return answer
  }
  const earlier = await db
    .selectFrom('idempotentAnswers')
    .select(['requestHash', 'answer'])
    .where('caller', '=', caller)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (!earlier.requestHash.equals(requestHash)) throw new Problem('IdempotencyKeyReused')
  return secrets.decrypt(earlier.answer)
}

const kept = (now: Date) => new Date(now.getTime() - KEPT_MS)

export async function forgetOldAnswers(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('idempotentAnswers').where('createdAt', '<', kept(now)).execute()
}
