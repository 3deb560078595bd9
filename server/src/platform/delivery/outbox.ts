// Messages on their way out. One is posted in the caller's transaction, so it is sent if, and only if, that commits.

import type { Generated } from 'kysely'
import { v7 } from 'uuid'
import type { Secrets } from '../auth/secrets.ts'
import type { Database } from '../db/database.ts'
import { job, type Queue } from '../queue/queue.ts'

export type Channel = 'email' | 'sms'

declare module '../db/tables.ts' {
  interface Tables {
    outboundMessages: {
      id: string
      organizationId: string | null
      individualId: string | null
      channel: Channel
      purpose: string
      recipient: string
      subject: string | null
      body: Buffer | null
      status: Generated<'created' | 'sent' | 'failed'>
      attempts: Generated<number>
      error: Generated<string | null>
      createdAt: Date
      sentAt: Generated<Date | null>
    }
  }
}

export interface OutgoingMessage {
  channel: Channel
  organizationId?: string
  individualId?: string
  /** What it is for, such as `invitation`; whoever wants to know how it ended listens by this name. */
  purpose: string
  /** An e-mail address, or a telephone number in E.164. */
  recipient: string
  subject?: string
  text: string
  html?: string
}

/** What is kept encrypted in the row. */
export interface Body {
  text: string
  html?: string
}

export const deliverMessageJob = job<{ id: string }>('deliver-message')

export class Outbox {
  readonly #secrets: Secrets

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  /** Answers the message's id. The queue must be one on the same database or transaction. */
  async post(db: Database, queue: Queue, message: OutgoingMessage, now: Date): Promise<string> {
    const { channel, organizationId, individualId, purpose, recipient, subject, text, html } = message
    const id = v7()
    const body: Body = { text, ...(html === undefined ? {} : { html }) }
    const row = {
      id,
      organizationId: organizationId ?? null,
      individualId: individualId ?? null,
      channel,
      purpose,
      recipient,
      subject: subject ?? null,
      body: this.#secrets.encrypt(JSON.stringify(body)),
      createdAt: now,
    }
    await db.insertInto('outboundMessages').values(row).execute()
    await queue.add(deliverMessageJob, { id })
    return id
  }
}
