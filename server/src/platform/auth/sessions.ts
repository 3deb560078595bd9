// Sign-ins and the tokens they are given.

import { REFRESH_TOKEN_LIFETIME } from '@almoner/contract/identity/sessions'
import type { Generated } from 'kysely'
import { v7 } from 'uuid'
import type { Database } from '../db/database.ts'
import { Problem } from '../errors/problem.ts'
import { newToken, tokenHash } from './tokens.ts'

declare module '../db/tables.ts' {
  interface Tables {
    sessions: {
      id: string
      userId: string
      accessSeconds: number
      refreshSeconds: number
      queueDelayMs: Generated<number>
      ip: string | null
      userAgent: string | null
      createdAt: Date
      lastUsedAt: Date
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

const KEPT_MS = REFRESH_TOKEN_LIFETIME.maximum * 1000

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

export interface NewSession {
  userId: string
  /** What refreshed tokens get. */
  lifetimes: Lifetimes
  /** What the first access token gets. */
  firstAccessSeconds: number
  queueDelayMs: number
  ip: string
  userAgent: string | null
}

export async function openSession(db: Database, session: NewSession, now: Date): Promise<Tokens> {
  const { userId, lifetimes, firstAccessSeconds, queueDelayMs, ip, userAgent } = session
  const id = v7()
  const row = { id, userId, ...lifetimes, queueDelayMs, ip, userAgent, createdAt: now, lastUsedAt: now, endedAt: null }
  await db.insertInto('sessions').values(row).execute()
  return issueTokens(db, id, { ...lifetimes, accessSeconds: firstAccessSeconds }, now)
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
  refused: (userId: string) => Promise<void>,
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
        'users.state',
      ])
      .where('hash', '=', hash)
      .where('kind', '=', 'refresh')
      .forUpdate('sessionTokens')
      .executeTakeFirst()
    if (!token || token.endedAt || token.state !== 'registered') return 'TokenInvalid'
    if (token.spentAt) {
      await endSession(trx, token.sessionId, now)
      await refused(token.userId)
      return 'TokenInvalid'
    }
    if (token.expiresAt <= now) return 'TokenExpired'
    await trx.updateTable('sessionTokens').set({ spentAt: now }).where('hash', '=', hash).execute()
    await trx.updateTable('sessions').set({ lastUsedAt: now }).where('id', '=', token.sessionId).execute()
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

export async function isSessionOpen(db: Database, sessionId: string): Promise<boolean> {
  const open = db.selectFrom('sessions').select('id').where('id', '=', sessionId).where('endedAt', 'is', null)
  return (await open.executeTakeFirst()) !== undefined
}

/** Every sign-in of a user, or every other one. */
export async function endSessionsOf(db: Database, userId: string, now: Date, except?: string): Promise<void> {
  let query = db.updateTable('sessions').set({ endedAt: now }).where('userId', '=', userId).where('endedAt', 'is', null)
  if (except) query = query.where('id', '!=', except)
  await query.execute()
}

/**
 * Sign-ins of which no token works any more. An expired access token of a living sign-in is kept, for as long as a
 * refresh token can live, because it is answered "expired, refresh it" and not "invalid".
 */
export async function forgetExpiredSessions(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('sessionTokens')
    .where('expiresAt', '<', new Date(now.getTime() - KEPT_MS))
    .execute()
  await db
    .deleteFrom('sessions')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessionTokens')
            .select('hash')
            .whereRef('sessionTokens.sessionId', '=', 'sessions.id')
            .where('expiresAt', '>', now),
        ),
      ),
    )
    .execute()
}
