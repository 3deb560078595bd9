// From events to deliveries: one for each event and each webhook that wants it.

import { v7 } from 'uuid'
import type { EventReader } from '../../platform/events/event-readers.ts'
import { Queue } from '../../platform/queue/queue.ts'
import { isTest } from './outcome.ts'
import { insertDeliveries } from './queries/deliveries.ts'
import { subscriptions } from './queries/webhooks.ts'
import { deliverWebhooksJob } from './tasks.ts'

export const webhookReader: EventReader = {
  name: 'webhooks',
  async read(db, events, now) {
    const organizationIds = [...new Set(events.map(({ organizationId }) => organizationId))]
    const webhooks = await subscriptions(db, organizationIds)
    if (webhooks.length === 0) return
    const byOrganization = Map.groupBy(webhooks, ({ organizationId }) => organizationId)
    const deliveries = events.flatMap(({ id: eventId, organizationId, kind }) =>
      (byOrganization.get(organizationId) ?? [])
        .filter(({ kinds }) => !isTest(kind) && (kinds.length === 0 || kinds.includes(kind)))
        .map(({ id: webhookId }) => ({ id: v7(), organizationId, webhookId, eventId, kind })),
    )
    if (deliveries.length === 0) return
    await insertDeliveries(db, deliveries, now)
    await new Queue(db).add(deliverWebhooksJob, {}, { key: deliverWebhooksJob.name })
  },
}
