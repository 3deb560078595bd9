// What a request says of itself for the audit trail.

import type { Operation } from '@almoner/contract'
import type { AnyActor } from '../auth/actor.ts'
import type { AuditEntry } from './audit-trail.ts'

export interface AuditedRequest {
  operation: Operation
  actor: AnyActor | null
  ip: string
  requestId: string
  now: Date
}

/** What belongs to no organization is kept under this one. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

export class AuditNote {
  readonly #individualIds = new Set<string>()
  readonly #organizationIds = new Set<string>()
  #userId: string | null = null

  /** Says whose records a call reads or writes, and in which organizations. */
  touched(individualIds: string[], organizationIds: string[] = []): void {
    for (const id of individualIds) this.#individualIds.add(id)
    for (const id of organizationIds) this.#organizationIds.add(id)
  }

  /** Says who calls, when that is known only by the call itself: a sign-in. */
  calledBy(userId: string, organizationIds: string[]): void {
    this.#userId = userId
    for (const id of organizationIds) this.#organizationIds.add(id)
  }

  get isWritten(): boolean {
    return this.#userId !== null || this.#individualIds.size > 0
  }

  /** One entry for each organization concerned: those said, else those in reach. */
  entries(request: AuditedRequest, outcome: AuditEntry['outcome'], code: string | null, reach: string[]): AuditEntry[] {
    const { operation, actor, ip, requestId, now } = request
    const said = this.#organizationIds.size > 0 ? [...this.#organizationIds] : reach
    const entry = {
      occurredAt: now,
      operation: operation.id,
      outcome,
      code,
      userId: actor?.kind === 'user' ? actor.userId : this.#userId,
      serviceAccountId: actor?.kind === 'service' ? actor.serviceAccountId : null,
      individualIds: [...this.#individualIds],
      ip,
      requestId,
    }
    return (said.length > 0 ? said : [NO_ORGANIZATION]).map((organizationId) => ({ organizationId, ...entry }))
  }
}
