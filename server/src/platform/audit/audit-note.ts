// What a request says of itself for the audit trail.

import type { Operation } from '@almoner/contract'
import type { AnyActor } from '../auth/actor.ts'
import type { Database } from '../db/database.ts'
import type { AuditEntry, AuditTrail } from './audit-trail.ts'

export interface AuditedRequest {
  operation: Operation
  actor: AnyActor | null
  ip: string
  requestId: string
  now: Date
}

/** What belongs to no organization is kept under this one. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

/** How many an entry names; what concerns more becomes several. */
const MOST_INDIVIDUALS = 1000

export class AuditNote {
  readonly #individualIds = new Set<string>()
  readonly #organizationIds = new Set<string>()
  #userId: string | null = null
  #trail: AuditTrail | null = null
  #entries: (() => AuditEntry[]) | null = null
  #isRecorded = false

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

  /** Told by the platform what there is to record, and where; a handler with a transaction of its own may then record. */
  recordsBy(trail: AuditTrail, entries: () => AuditEntry[]): void {
    this.#trail = trail
    this.#entries = entries
  }

  /** Records the call now, in the transaction of what it did. */
  recordIn(db: Database): Promise<void> {
    return AuditNote.recordAllIn(db, [this])
  }

  /** The same for several calls that one transaction does. */
  static async recordAllIn(db: Database, notes: AuditNote[]): Promise<void> {
    const open = notes.filter((note) => !note.isRecorded)
    const [first] = open
    const trail = first ? first.#trail : null
    const entries = open.flatMap((note) => (note.#entries ? note.#entries() : []))
    await trail?.write(db, entries)
    for (const note of open) note.#isRecorded = true
  }

  /** Records whose records were touched since the last time: for what goes on long after its request. */
  recordSoFar(): void {
    if (this.#individualIds.size === 0) return
    const occurredAt = new Date()
    this.#trail?.later((this.#entries?.() ?? []).map((entry) => ({ ...entry, occurredAt })))
    this.#individualIds.clear()
    this.#organizationIds.clear()
  }

  /** Takes back that it was recorded: the transaction was not. */
  forget(): void {
    this.#isRecorded = false
  }

  get isRecorded(): boolean {
    return this.#isRecorded
  }

  /** One entry for each organization concerned (those said, else those in reach) and each thousand individuals. */
  entries(request: AuditedRequest, outcome: AuditEntry['outcome'], code: string | null, reach: string[]): AuditEntry[] {
    const { operation, actor, ip, requestId, now } = request
    const said = this.#organizationIds.size > 0 ? [...this.#organizationIds] : reach
    const individuals = [...this.#individualIds]
    const parts = Array.from({ length: Math.max(1, Math.ceil(individuals.length / MOST_INDIVIDUALS)) }, (_, index) =>
      individuals.slice(index * MOST_INDIVIDUALS, (index + 1) * MOST_INDIVIDUALS),
    )
    const entry = {
      occurredAt: now,
      operation: operation.id,
      outcome,
      code,
      userId: this.#userId ?? (actor?.kind === 'user' ? actor.userId : null),
      serviceAccountId: actor?.kind === 'service' ? actor.serviceAccountId : null,
      ip,
      requestId,
    }
    return (said.length > 0 ? said : [NO_ORGANIZATION]).flatMap((organizationId) =>
      parts.map((individualIds) => ({ organizationId, individualIds, ...entry })),
    )
  }
}
