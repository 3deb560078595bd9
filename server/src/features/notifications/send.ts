// Sends what is due by e-mail and SMS. A message is posted in the transaction that marks its notices as sent: a crash
// neither loses nor doubles one.

import type { Database } from '../../platform/db/database.ts'
import type { Channel, Outbox } from '../../platform/delivery/outbox.ts'
import { job, Queue, type Task, task } from '../../platform/queue/queue.ts'
import { messageOf } from './messages.ts'
import {
  dropDeliveries,
  findWaiting,
  holdDeliveries,
  lockSendingTo,
  markSent,
  messagesSince,
  recipientsToSend,
  type WaitingDelivery,
} from './queries/deliveries.ts'
import { channelsFor, findRecipients, type Recipient } from './queries/recipients.ts'
import { planMessages, WINDOW_MS } from './storm.ts'
import { outsideQuietHours } from './timing.ts'

export interface SendingServices {
  outbox: Outbox
  publicUrl: string
}

/** To these people; without any, to everyone for whom something is due. */
export const sendNotifications = job<{ recipientIds?: string[] }>('send-notifications')

export const sendNotificationsTask = (services: SendingServices): Task<{ recipientIds?: string[] }> =>
  task<{ recipientIds?: string[] }>({
    ...sendNotifications,
    cron: '* * * * *',
    async run({ recipientIds }, { db, now, log }) {
      for (const recipientId of await recipientsToSend(db, now, recipientIds))
        try {
          await db.transaction().execute((trx) => sendTo(services, trx, recipientId, now))
        } catch (error) {
          // One person's failure keeps nobody else waiting, and what is due is looked for again within the minute.
          log.error({ err: error, recipientId }, 'notifications could not be sent; trying again')
        }
    },
  })

async function sendTo(services: SendingServices, db: Database, recipientId: string, now: Date): Promise<void> {
  await lockSendingTo(db, recipientId)
  const waiting = await findWaiting(db, recipientId, now)
  if (waiting.length === 0) return
  const recipients = new Map((await findRecipients(db, waiting)).map((one) => [one.organizationId, one]))
  for (const [channel, deliveries] of Map.groupBy(waiting, (one) => one.channel))
    await sendBy(services, db, channel, deliveries, recipients, now)
}

type Wanted = WaitingDelivery & { recipient: Recipient }

/** What waits for one person by one way. */
async function sendBy(
  { outbox, publicUrl }: SendingServices,
  db: Database,
  channel: Channel,
  waiting: WaitingDelivery[],
  recipients: Map<string, Recipient>,
  now: Date,
): Promise<void> {
  // Much may have changed since it was told: who belongs where, what they want, and what they have read by themselves.
  const wanted = waiting.flatMap((delivery): Wanted[] => {
    const recipient = recipients.get(delivery.organizationId)
    const isWanted = recipient && !delivery.readAt && channelsFor(recipient, delivery.severity).includes(channel)
    return isWanted ? [{ ...delivery, recipient }] : []
  })
  if (wanted.length < waiting.length) {
    const kept = new Set(idsOf(wanted))
    const dropped = idsOf(waiting).filter((id) => !kept.has(id))
    await dropDeliveries(db, channel, dropped)
  }
  const [first] = wanted
  if (!first) return
  const { open = [], quiet = [] } = Object.groupBy(wanted, (one) => (mayGo(one, now) > now ? 'quiet' : 'open'))
  const recent = await messagesSince(db, first.recipientId, channel, new Date(now.getTime() - WINDOW_MS))
  const { messages, held, heldUntil } = planMessages(open, recent, now)
  for (const notices of messages) {
    const { recipient, organizationId } = notices[0] as Wanted
    const common = { purpose: 'notification', organizationId, individualId: recipient.individualId }
    const address = recipient.contacts[channel] as string
    const message = { ...common, recipient: address, ...messageOf(channel, recipient, notices, publicUrl) }
    const messageId = await outbox.post(db, new Queue(db), message, now)
    await markSent(db, channel, idsOf(notices), messageId, now)
  }
  const later = [
    ...quiet.map((one) => ({ ...one, dueAt: mayGo(one, now) })),
    ...held.map((one) => ({ ...one, dueAt: mayGo(one, heldUntil) })),
  ]
  if (later.length > 0) await holdDeliveries(db, channel, later)
}

const idsOf = (deliveries: WaitingDelivery[]): string[] => deliveries.map(({ notificationId }) => notificationId)

const mayGo = ({ recipient, severity }: Wanted, from: Date): Date =>
  outsideQuietHours(from, recipient.choices, severity, recipient.tz)
