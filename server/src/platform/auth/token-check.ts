// Who a token speaks for.

import type { ROLES, SERVICE_ROLES } from '@almoner/contract'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../db/database.ts'
import { Problem } from '../errors/problem.ts'
import type { Actor, AnyActor, ServiceActor } from './actor.ts'
import { isServiceToken, tokenHash } from './tokens.ts'

interface Verified {
  actor: AnyActor
  expiresAt: Date | null
}

// How long a verified token is believed without asking again, so a sign-out reaches every process within a second.
const BELIEVED_MS = 1000
const BELIEVED_TOKENS = 50_000

export class TokenCheck {
  readonly #verified: LRUCache<string, Verified>

  constructor(db: Database) {
    // `fetch` lets concurrent requests with the same token share one query.
    this.#verified = new LRUCache({
      max: BELIEVED_TOKENS,
      ttl: BELIEVED_MS,
      fetchMethod: (key) => {
        const hash = Buffer.from(key.slice(1), 'base64')
        return key.startsWith('s') ? findServiceActor(db, hash) : findActor(db, hash)
      },
    })
  }

  async verify(token: string, now: Date): Promise<AnyActor> {
    const key = (isServiceToken(token) ? 's' : 'u') + tokenHash(token).toString('base64')
    const verified = await this.#verified.fetch(key)
    if (!verified) throw new Problem('TokenInvalid')
    if (verified.expiresAt && verified.expiresAt <= now) throw new Problem('TokenExpired')
    return verified.actor
  }
}

async function findActor(db: Database, hash: Buffer): Promise<Verified | undefined> {
  const { rows } = await sql<Omit<Actor, 'kind'> & { expiresAt: Date; memberships: Actor['memberships'] }>`
    select t.session_id, t.expires_at, s.queue_delay_ms, u.id as user_id, u.individual_id,
      coalesce(u.quota, (select max(o.quota) from memberships m join organizations o on o.id = m.organization_id where m.user_id = u.id)) as quota,
      (select coalesce(json_agg(json_build_object('organizationId', m.organization_id, 'role', m.role,
          'isRestricted', m.role = 'provider' and o.restrict_providers_to_groups)), '[]')
        from memberships m join organizations o on o.id = m.organization_id where m.user_id = u.id) as memberships
    from session_tokens t
    join sessions s on s.id = t.session_id
    join users u on u.id = s.user_id
    where t.hash = ${hash} and t.kind = 'access' and s.ended_at is null and u.state = 'registered'`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { expiresAt, ...actor } = row
  return { actor: { kind: 'user', ...actor }, expiresAt }
}

async function findServiceActor(db: Database, hash: Buffer): Promise<Verified | undefined> {
  const row = await db
    .selectFrom('serviceAccountTokens')
    .innerJoin('serviceAccounts', 'serviceAccounts.id', 'serviceAccountTokens.serviceAccountId')
    .innerJoin('organizations', 'organizations.id', 'serviceAccounts.organizationId')
    .select(['serviceAccountId', 'organizationId', 'kind', 'scopes', 'individualIds', 'expiresAt', 'quota'])
    .select('serviceAccounts.name')
    .where('hash', '=', hash)
    .where('revokedAt', 'is', null)
    .where('isActive', '=', true)
    .executeTakeFirst()
  if (!row) return undefined
  const { serviceAccountId, organizationId, kind: role, name, scopes, quota, expiresAt } = row
  const actor: ServiceActor = {
    kind: 'service',
    serviceAccountId,
    name,
    scopes,
    individualIds: role === 'device' ? row.individualIds : null,
    quota,
    memberships: [{ organizationId, role }],
  }
  return { actor, expiresAt }
}

declare module '../db/tables.ts' {
  interface Tables {
    memberships: { userId: string; organizationId: string; role: (typeof ROLES)[number] }
    serviceAccounts: {
      id: string
      organizationId: string
      name: string
      kind: (typeof SERVICE_ROLES)[number]
      scopes: string[]
      individualIds: string[]
      isActive: boolean
      createdBy: string
      createdAt: Date
    }
    serviceAccountTokens: {
      id: string
      hash: Buffer
      serviceAccountId: string
      name: string
      expiresAt: Date | null
      revokedAt: Date | null
      createdAt: Date
    }
  }
}
