// Sends what lies in the outbox.
//
// Delivery is at least once. A worker that dies after the gateway took a message, and before that is recorded, leaves
// the job to be run again, and the message goes out a second time; a mail then carries the same Message-ID. An attempt
// is counted before it begins, so even a message that brings down its worker each time is given up in the end.

import type { Selectable } from 'kysely'
import type { Secrets } from '../auth/secrets.ts'
import type { Database } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { type Task, task } from '../queue/queue.ts'
import { type Gateway, Refusal } from './gateway.ts'
import { type Body, type Channel, deliverMessageJob } from './outbox.ts'

type Message = Selectable<Tables['outboundMessages']>

export type DeliveredMessage = Pick<Message, 'id' | 'individualId' | 'organizationId' | 'channel' | 'purpose'>

/** Called by the purpose of a message, in the transaction that records how it ended. */
export type Outcomes = Record<
  string,
  (db: Database, message: DeliveredMessage, outcome: 'sent' | 'failed') => Promise<void>
>

export interface DeliveryParts {
  mailer: Gateway | undefined
  texter: Gateway | undefined
  secrets: Secrets
  outcomes: Outcomes
}

/** With the queue's growing delays, the last attempt is made about half an hour after the first. */
export const MAXIMUM_ATTEMPTS = 8
const LONGEST_REASON = 1000

export function deliverMessage({ mailer, texter, secrets, outcomes }: DeliveryParts): Task<{ id: string }> {
  const gateways: Record<Channel, Gateway | undefined> = { email: mailer, sms: texter }

  async function send(gateway: Gateway, { id, recipient, subject, body }: Message): Promise<void> {
    if (!body) throw new Refusal('The message has no body.')
    const { text, html }: Body = JSON.parse(secrets.decrypt(body))
    await gateway.send({ id, recipient, subject, text, html })
  }

  async function end(
    db: Database,
    { id, individualId, organizationId, channel, purpose }: Message,
    outcome: 'sent' | 'failed',
    change: { sentAt?: Date; error: string | null },
  ): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('outboundMessages')
        .set({ ...change, status: outcome, body: null })
        .where('id', '=', id)
        .where('status', '=', 'created')
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return
      await outcomes[purpose]?.(trx, { id, individualId, organizationId, channel, purpose }, outcome)
    })
  }

  return task<{ id: string }>({
    ...deliverMessageJob,
    async run({ id }, { db, now, log }) {
      const message = await findCreated(db, id)
      const gateway = message && gateways[message.channel]
      // Without a gateway the message lies in the outbox, and nothing is wrong.
      if (!message || !gateway) return
      if (message.attempts >= MAXIMUM_ATTEMPTS)
        return end(db, message, 'failed', { error: message.error ?? 'No attempt came to an end.' })
      const attempts = message.attempts + 1
      await change(db, id, { attempts })
      try {
        // Nothing of the database is held meanwhile: a gateway may take its time.
        await send(gateway, message)
      } catch (failure) {
        const error = reasonOf(failure)
        if (!(failure instanceof Refusal) && attempts < MAXIMUM_ATTEMPTS) {
          await change(db, id, { error })
          // Says nothing of the reason, which may name the recipient: what is thrown here is logged.
          throw new Error(`Attempt ${attempts} to deliver message ${id} failed.`)
        }
        await end(db, message, 'failed', { error })
        return log.warn({ message: id, purpose: message.purpose, attempts }, 'a message could not be delivered')
      }
      await end(db, message, 'sent', { sentAt: now, error: null })
    },
  })
}

const findCreated = (db: Database, id: string): Promise<Message | undefined> =>
  db.selectFrom('outboundMessages').selectAll().where('id', '=', id).where('status', '=', 'created').executeTakeFirst()

const change = (db: Database, id: string, values: { attempts: number } | { error: string }) =>
  db.updateTable('outboundMessages').set(values).where('id', '=', id).execute()

function reasonOf(failure: unknown): string {
  const { message, cause } = failure as Error
  // What fetch throws says only that it failed; its cause says why.
  const reason = failure instanceof TypeError && cause instanceof Error ? `${message}: ${cause.message}` : message
  // PostgreSQL's text cannot hold a NUL, and the words are another system's.
  return reason.replaceAll('\0', '').slice(0, LONGEST_REASON)
}
