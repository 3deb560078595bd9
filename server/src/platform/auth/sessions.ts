// Sign-ins and the check of their tokens.

import type { Role } from '@almoner/contract'
import { type Generated, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { v7 } from 'uuid'
import type { Database } from '../db/database.ts'
import { Problem } from '../errors/problem.ts'
import type { Actor } from './actor.ts'
import { newToken, tokenHash } from './tokens.ts'

declare module '../db/tables.ts' {
  interface Tables {
    users: {
      id: string
      individualId: string
      username: string
      passwordHash: string | null
      enabled: Generated<boolean>
      quota: Generated<number | null>
      lastLoginAt: Generated<Date | null>
      createdAt: Date
    }
    memberships: { userId: string; organizationId: string; role: Role }
    sessions: {
      id: string
      userId: string
      accessSeconds: number
      refreshSeconds: number
      createdAt: Date
      endedAt: Date | null
    }
    sessionTokens: {
      hash: Buffer
      sessionId: string
      kind: 'access' | 'refresh'
      expiresAt: Date
      spentAt: Date | null
    }
  }
}

export interface Tokens {
  accessToken: string
  accessTokenExpiresAt: Date
  refreshToken: string
  refreshTokenExpiresAt: Date
}

export interface Lifetimes {
  accessSeconds: number
  refreshSeconds: number
}

interface Verified {
  actor: Actor
  expiresAt: Date
}

// How long a verified token is believed without asking again, so a sign-out reaches every process within a second.
const BELIEVED_MS = 1000
const BELIEVED_TOKENS = 50_000

export class Sessions {
  readonly #db: Database
  readonly #verified: LRUCache<string, Verified>

  constructor(db: Database) {
    this.#db = db
    // `fetch` lets concurrent requests with the same token share one query.
    this.#verified = new LRUCache({
      max: BELIEVED_TOKENS,
      ttl: BELIEVED_MS,
      fetchMethod: (hash) => findActor(this.#db, Buffer.from(hash, 'base64')),
    })
  }

  /** Who an access token speaks for. */
  async verify(accessToken: string, now: Date): Promise<Actor> {
    const verified = await this.#verified.fetch(tokenHash(accessToken).toString('base64'))
    if (!verified) throw new Problem('TokenInvalid')
    if (verified.expiresAt <= now) throw new Problem('TokenExpired')
    return verified.actor
  }
}

async function findActor(db: Database, hash: Buffer): Promise<Verified | undefined> {
  const { rows } = await sql<{
    sessionId: string
    expiresAt: Date
    userId: string
    individualId: string
    quota: number | null
    memberships: { organizationId: string; role: Role }[]
  }>`
    select t.session_id, t.expires_at, u.id as user_id, u.individual_id,
      coalesce(u.quota, (select max(o.quota) from memberships m join organizations o on o.id = m.organization_id where m.user_id = u.id)) as quota,
      (select coalesce(json_agg(json_build_object('organizationId', m.organization_id, 'role', m.role)), '[]')
        from memberships m where m.user_id = u.id) as memberships
    from session_tokens t
    join sessions s on s.id = t.session_id
    join users u on u.id = s.user_id
    where t.hash = ${hash} and t.kind = 'access' and s.ended_at is null and u.enabled`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { expiresAt, ...actor } = row
  return { actor, expiresAt }
}

export async function openSession(
  db: Database,
  userId: string,
  lifetimes: Lifetimes,
  given: Partial<Lifetimes>,
  now: Date,
): Promise<Tokens> {
  const id = v7()
  await db
    .insertInto('sessions')
    .values({ id, userId, ...lifetimes, createdAt: now, endedAt: null })
    .execute()
  return issueTokens(db, id, { ...lifetimes, ...given }, now)
}

async function issueTokens(db: Database, sessionId: string, lifetimes: Lifetimes, now: Date): Promise<Tokens> {
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const tokens: Tokens = {
    accessToken: newToken(),
    accessTokenExpiresAt: after(lifetimes.accessSeconds),
    refreshToken: newToken(),
    refreshTokenExpiresAt: after(lifetimes.refreshSeconds),
  }
  await db
    .insertInto('sessionTokens')
    .values([
      {
        hash: tokenHash(tokens.accessToken),
        sessionId,
        kind: 'access',
        expiresAt: tokens.accessTokenExpiresAt,
        spentAt: null,
      },
      {
        hash: tokenHash(tokens.refreshToken),
        sessionId,
        kind: 'refresh',
        expiresAt: tokens.refreshTokenExpiresAt,
        spentAt: null,
      },
    ])
    .execute()
  return tokens
}

/**
 * Exchanges a refresh token, once. A spent token that is shown again has been stolen, or its thief has been here
 * already: either way the sign-in ends.
 */
export async function rotateSession(
  db: Database,
  refreshToken: string,
  now: Date,
): Promise<Tokens & { userId: string }> {
  const hash = tokenHash(refreshToken)
  const outcome = await db.transaction().execute(async (trx) => {
    const token = await trx
      .selectFrom('sessionTokens')
      .innerJoin('sessions', 'sessions.id', 'sessionTokens.sessionId')
      .innerJoin('users', 'users.id', 'sessions.userId')
      .select([
        'sessionId',
        'sessions.userId',
        'sessionTokens.expiresAt',
        'spentAt',
        'endedAt',
        'accessSeconds',
        'refreshSeconds',
        'users.enabled',
      ])
      .where('hash', '=', hash)
      .where('kind', '=', 'refresh')
      .forUpdate('sessionTokens')
      .executeTakeFirst()
    if (!token || token.endedAt || !token.enabled) return 'TokenInvalid'
    if (token.spentAt) {
      await endSession(trx, token.sessionId, now)
      return 'TokenInvalid'
    }
    if (token.expiresAt <= now) return 'TokenExpired'
    await trx.updateTable('sessionTokens').set({ spentAt: now }).where('hash', '=', hash).execute()
    return { userId: token.userId, ...(await issueTokens(trx, token.sessionId, token, now)) }
  })
  if (typeof outcome === 'string') throw new Problem(outcome)
  return outcome
}

export async function endSession(db: Database, sessionId: string, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ endedAt: now })
    .where('id', '=', sessionId)
    .where('endedAt', 'is', null)
    .execute()
}

/** Tokens past their time, and sign-ins of which none is left. */
export async function forgetExpiredSessions(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('sessionTokens').where('expiresAt', '<', now).execute()
  await db
    .deleteFrom('sessions')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('sessionTokens').select('hash').whereRef('sessionTokens.sessionId', '=', 'sessions.id'))),
    )
    .execute()
}
