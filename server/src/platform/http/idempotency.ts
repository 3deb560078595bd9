// A POST with an Idempotency-Key is carried out once: repeated within 24 hours it gets the same answer again.

import type { Operation } from '@almoner/contract'
import { sql } from 'kysely'
import { type AnyActor, callerId } from '../auth/actor.ts'
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
      expiresAt: Date
    }
  }
}

export interface KeyedRequest {
  key: string
  actor: AnyActor | null
  operation: Operation
  path: string
  body: unknown
  now: Date
}

const NOBODY = '00000000-0000-0000-0000-000000000000'
const KEPT_MS = 24 * 3600 * 1000
// Long enough to send a request again whose answer was lost, and no longer: tokens are otherwise kept as hashes alone.
const SECRETS_KEPT_MS = 60_000
const CLAIM_MS = 60_000
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
 * Claims the key by a row, works, and keeps the answer in that row. Inside the transaction of the work, a second
 * request with the same key waits on the row until the first commits; if the first fails, its claim is gone with it.
 * Work that has no transaction around it (`own`) holds no connection meanwhile: its claim is visible at once, taken
 * back when it fails, and void after a minute in case the process died.
 */
export async function once(
  db: Database,
  secrets: Secrets,
  request: KeyedRequest,
  own: boolean,
  work: () => Promise<string>,
): Promise<string> {
  const { key, now, operation } = request
  const expiresAt = new Date(now.getTime() + (operation.givesSecrets ? SECRETS_KEPT_MS : KEPT_MS))
  const caller = request.actor ? callerId(request.actor) : NOBODY
  const content = JSON.stringify([operation.id, request.path, request.body])
  const isThisKey = sql<boolean>`caller = ${caller} and key = ${key}`
  await sql`delete from idempotent_answers where ${isThisKey}
    and (expires_at < ${now} or answer = '' and created_at < ${new Date(now.getTime() - CLAIM_MS)})`.execute(db)
  const claim = await sql`insert into idempotent_answers (caller, key, request_hash, answer, created_at, expires_at)
    values (${caller}, ${key}, ${secrets.fingerprint(content)}, '', ${now}, ${expiresAt}) on conflict do nothing`.execute(
    db,
  )
  if (claim.numAffectedRows === 1n) {
    try {
      const answer = await work()
      await sql`update idempotent_answers set answer = ${secrets.encrypt(answer)} where ${isThisKey}`.execute(db)
      return answer
    } catch (error) {
      if (own) await sql`delete from idempotent_answers where ${isThisKey}`.execute(db)
      throw error
    }
  }
  const earlier = await db
    .selectFrom('idempotentAnswers')
    .select(['requestHash', 'answer'])
    .where(isThisKey)
    .executeTakeFirst()
  if (earlier && !secrets.isFingerprintOf(content, earlier.requestHash)) throw new Problem('IdempotencyKeyReused')
  if (!earlier || earlier.answer.length === 0) throw new Problem('RequestInProgress')
  return secrets.decrypt(earlier.answer)
}

export async function forgetOldAnswers(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('idempotentAnswers').where('expiresAt', '<', now).execute()
}
