// What happens to every request before anything is read of its body: who is calling, is there quota left.

import { type Operation, QUOTA_COST, QUOTA_HEADERS } from '@almoner/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuditNote } from '../audit/audit-note.ts'
import { type AnyActor, callerId } from '../auth/actor.ts'
import type { TokenCheck } from '../auth/token-check.ts'
import { Problem } from '../errors/problem.ts'
import { addressKey } from '../limits/address-key.ts'
import type { Counter } from '../limits/quota.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: AnyActor | null
    audit: AuditNote
  }
}

export interface Admission {
  tokens: TokenCheck
  quota: Counter
  userQuota: number
  anonymousQuota: number
}

const QUERY_LIMIT = 4096

/** The operation is undefined for a path that leads nowhere: that is metered too. */
export async function admit(
  admission: Admission,
  operation: Operation | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const needsToken = operation !== undefined && operation.access.kind !== 'anyone'
  const { actor, refusal } = await identify(admission.tokens, needsToken, request)
  request.actor = actor
  await meter(admission, actor, operation?.cost ?? QUOTA_COST.read, request, reply)
  if (refusal) throw refusal
  const { url } = request.raw as { url: string }
  // PostgreSQL's text cannot hold it, and no honest filter does.
  if (url.includes('%00')) throw new Problem('MalformedRequest', { reason: 'its address holds a NUL' })
  const query = url.length - 1 - url.indexOf('?')
  if (url.includes('?') && query > QUERY_LIMIT) throw new Problem('QueryTooLong', { limit: QUERY_LIMIT })
}

/**
 * A token is looked at wherever one is sent, so that its owner's quota is used. A refusal is kept until the call is
 * metered, so that guessing tokens costs quota too.
 */
export async function identify(
  tokens: TokenCheck,
  needsToken: boolean,
  { headers }: FastifyRequest,
): Promise<{ actor: AnyActor | null; refusal?: Problem }> {
  const { authorization } = headers
  const refused = (refusal: Problem) => (needsToken ? { actor: null, refusal } : { actor: null })
  if (authorization === undefined) return refused(new Problem('NotAuthenticated'))
  const [, token] = /^Bearer +([\w-]+)$/i.exec(authorization) ?? []
  if (!token) return refused(new Problem('TokenInvalid'))
  try {
    return { actor: await tokens.verify(token, new Date()) }
  } catch (error) {
    if (error instanceof Problem) return refused(error)
    throw error
  }
}

/** Counts units against the caller's quota, and says in the headers how much is left. */
export async function meter(
  admission: Admission,
  actor: AnyActor | null,
  cost: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const [key, limit] = actor
    ? [callerId(actor), actor.quota ?? admission.userQuota]
    : [addressKey(request.ip), admission.anonymousQuota]
  const usage = await admission.quota.consume(key, cost, limit)
  reply.headers({
    [QUOTA_HEADERS.limit]: usage.limit,
    [QUOTA_HEADERS.used]: usage.used,
    [QUOTA_HEADERS.remaining]: usage.remaining,
    [QUOTA_HEADERS.reset]: usage.resetAt,
  })
  if (usage.exceeded) throw new Problem('QuotaExceeded', { limit, seconds: usage.secondsLeft })
}
