// Telling people something. It is done through the caller's transaction, so they are told if, and only if, that commits.
// What goes out by e-mail and SMS is sent by a task, so that no caller holds up another over the same person.

import type { Locale, Severity } from '@almoner/contract'
import { v7 } from 'uuid'
import type { Database } from '../../platform/db/database.ts'
import type { Channel } from '../../platform/delivery/outbox.ts'
import { Events } from '../../platform/events/events.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { channelsFor, findRecipients, type Recipient } from './queries/recipients.ts'
import { insertDeliveries, insertNotifications } from './queries/telling.ts'
import { sendNotifications } from './send.ts'
import { dueTime } from './timing.ts'

export interface Notice {
  organizationId: string
  /** What makes it the same notice when told again: a person is told once of each key of an organization. To 255 letters. */
  key: string
  /** Dotted, such as `alert.fired`, to 100 letters. What stands before the dot is named in messages. */
  kind: string
  severity: Severity
  /** The individuals to tell. Whoever is archived, disabled or no member of the organization is left out. */
  recipientIds: string[]
  /** By which ways besides the list; what the person has and wants decides in the end. */
  channels: Channel[]
  /** Whom it is about; null when about nobody. */
  individualId: string | null
  /** Read in the list alone: neither goes out by e-mail or SMS, so they may name people and readings. */
  title: Record<Locale, string>
  text: Record<Locale, string>
  /** Where in the console it leads, such as `/alerts/…`. */
  path: string | null
}

/** A person told of a notice counts one. So many take five statements, and so does a single one. */
const MOST_AT_ONCE = 1000

/** The queue must be one on the same transaction. */
export async function notify(
  db: Database,
  { queue, now }: { queue: Queue; now: Date },
  notices: Notice[],
): Promise<void> {
  const told = notices.flatMap((notice) =>
    [...new Set(notice.recipientIds)].map((recipientId) => ({ ...notice, recipientId })),
  )
  for (let at = 0; at < told.length; at += MOST_AT_ONCE)
    await tell(db, { queue, now }, told.slice(at, at + MOST_AT_ONCE))
}

type Told = Notice & { recipientId: string }

async function tell(db: Database, { queue, now }: { queue: Queue; now: Date }, told: Told[]): Promise<void> {
  const recipients = new Map((await findRecipients(db, told)).map((one) => [placeOf(one, one.individualId), one]))
  const rows = told.flatMap((notice) => {
    const recipient = recipients.get(placeOf(notice, notice.recipientId))
    return recipient ? [{ ...worded(notice, recipient), recipient, id: v7(), createdAt: now }] : []
  })
  const added = await insertNotifications(db, rows)
  const fresh = rows.filter(({ id }) => added.has(id))
  const deliveries = fresh.flatMap((row) => deliveriesOf(row, now))
  await insertDeliveries(db, deliveries)
  await new Events(db, now).publishAll(
    'notification.created',
    fresh.map(({ id, organizationId, recipientId, kind, severity }) => ({
      organizationId,
      individualId: recipientId,
      data: { notificationId: id, kind, severity },
    })),
  )
  const recipientIds = new Set(deliveries.flatMap((one) => (one.isGathered ? [] : one.recipientId)))
  if (recipientIds.size > 0) await queue.add(sendNotifications, { recipientIds: [...recipientIds] })
}

const placeOf = ({ organizationId }: { organizationId: string }, individualId: string): string =>
  `${organizationId} ${individualId}`

const worded = ({ title, text, ...notice }: Told, { locale }: Recipient) => ({
  ...notice,
  title: title[locale],
  text: text[locale],
})

function deliveriesOf(
  row: { id: string; recipientId: string; recipient: Recipient; severity: Severity; channels: Channel[] },
  now: Date,
) {
  const { id: notificationId, recipientId, recipient, severity, channels } = row
  const wanted = channelsFor(recipient, severity).filter((channel) => channels.includes(channel))
  return wanted.map((channel) => {
    const dueAt = dueTime(now, recipient.choices, severity, recipient.tz)
    return { notificationId, channel, recipientId, dueAt, isGathered: dueAt > now }
  })
}
