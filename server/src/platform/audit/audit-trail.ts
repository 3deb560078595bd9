// The record of who did what. What a write did is recorded in its transaction; reads and refusals are recorded in
// batches within a second, and in the log at once, so that reading costs no commit and a crash loses none.

import { sql } from 'kysely'
import type { Logger } from 'pino'
import { v7 } from 'uuid'
import type { Database } from '../db/database.ts'

export interface AuditEntry {
  organizationId: string
  occurredAt: Date
  operation: string
  outcome: 'success' | 'refused'
  code: string | null
  userId: string | null
  serviceAccountId: string | null
  individualIds: string[]
  ip: string | null
  requestId: string
}

declare module '../db/tables.ts' {
  interface Tables {
    auditEvents: AuditEntry & { id: string }
  }
}

const FLUSH_MS = 500
const ROWS_A_STATEMENT = 500
// Should the database stay away for long, the log keeps what memory should not.
const MOST_WAITING = 100_000

export class AuditTrail {
  readonly #db: Database
  readonly #log: Logger
  #waiting: AuditEntry[] = []
  #timer: NodeJS.Timeout | null = null
  #flushing: Promise<void> = Promise.resolve()

  constructor(db: Database, log: Logger) {
    this.#db = db
    // Whatever else is logged, this is.
    this.#log = log.level === 'silent' ? log : log.child({}, { level: 'info' })
  }

  /** With the write it speaks of: through the same transaction. */
  async write(db: Database, entries: AuditEntry[]): Promise<void> {
    if (entries.length === 0) return
    // One text however many there are: hundreds may come in one transaction.
    const all = <T>(of: (entry: AuditEntry) => T) => entries.map(of)
    await sql`insert into audit_events (id, organization_id, occurred_at, operation, outcome, code, user_id,
        service_account_id, individual_ids, ip, request_id)
      select id, organization_id, occurred_at, operation, outcome, code, user_id, service_account_id,
        individual_ids::uuid[], ip, request_id
      from unnest(${entries.map(() => v7())}::uuid[], ${all((one) => one.organizationId)}::uuid[],
        ${all((one) => one.occurredAt)}::timestamptz[], ${all((one) => one.operation)}::text[],
        ${all((one) => one.outcome)}::text[], ${all((one) => one.code)}::text[], ${all((one) => one.userId)}::uuid[],
        ${all((one) => one.serviceAccountId)}::uuid[], ${all((one) => `{${one.individualIds.join()}}`)}::text[],
        ${all((one) => one.ip)}::text[], ${all((one) => one.requestId)}::text[])
        e (id, organization_id, occurred_at, operation, outcome, code, user_id, service_account_id, individual_ids, ip,
          request_id)`.execute(db)
  }

  /** Within a second, and in the log now. */
  later(entries: AuditEntry[]): void {
    for (const entry of entries) this.#log.info({ audit: entry }, 'audit')
    if (this.#waiting.length + entries.length > MOST_WAITING) return
    this.#waiting.push(...entries)
    this.#timer ??= setTimeout(() => this.#startFlush(), FLUSH_MS)
  }

  #startFlush(): void {
    this.#timer = null
    this.#flushing = this.#flushing.then(() => this.#flush())
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting.splice(0)
    while (batch.length > 0) {
      const some = batch.slice(0, ROWS_A_STATEMENT)
      try {
        await this.write(this.#db, some)
        batch.splice(0, some.length)
      } catch (error) {
        this.#log.error({ err: error, entries: batch.length }, 'audit events could not be stored; trying again')
        this.#waiting.unshift(...batch)
        this.#timer ??= setTimeout(() => this.#startFlush(), FLUSH_MS)
        return
      }
    }
  }

  /** Stores what waits. */
  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#startFlush()
    await this.#flushing
    if (this.#timer) clearTimeout(this.#timer)
  }
}
