import { getWebhookDelivery, listWebhookDeliveries, resendWebhookDelivery } from '@almoner/contract/webhooks/deliveries'
import { testWebhook } from '@almoner/contract/webhooks/webhooks'
import { v7 } from 'uuid'
import type { Secrets } from '../../platform/auth/secrets.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { placeEvents } from '../../platform/events/event-log.ts'
import { Events } from '../../platform/events/events.ts'
import { implement } from '../../platform/http/implementation.ts'
import { attempt } from './attempt.ts'
import { messageOf, parcelOf } from './message.ts'
import { keepOutcome } from './outcome.ts'
import { attemptsOf, deliveriesPage, findDelivery, insertFinished, renewDelivery } from './queries/deliveries.ts'
import { findEvent, findLetter } from './queries/letters.ts'
import { findWebhook, lockWebhook } from './queries/webhooks.ts'
import type { WebhookServices } from './services.ts'
import { deliverWebhooksJob } from './tasks.ts'
import { found } from './webhooks.ts'

export const deliveries = ({ secrets, outbound }: WebhookServices) => [
  implement(listWebhookDeliveries, ({ filter, page }, { db, reach }) => deliveriesPage(db, reach, { filter, page })),

  implement(getWebhookDelivery, async ({ id }, { db, reach, audit }) => {
    const { individualId, ...answer } = await wholeDelivery(db, secrets, reach, id)
    audit.touched(individualId ? [individualId] : [], [answer.organizationId])
    return answer
  }),

  implement(resendWebhookDelivery, async ({ id }, { db, reach, queue, audit }) => {
    const { webhookId, organizationId } = foundDelivery(await findDelivery(db, reach, id))
    const { enabled } = found(await lockWebhook(db, reach, webhookId))
    if (!enabled) throw new Problem('WebhookDisabled')
    audit.touched([], [organizationId])
    await renewDelivery(db, id)
    await queue.add(deliverWebhooksJob, {}, { key: deliverWebhooksJob.name })
    return foundDelivery(await findDelivery(db, reach, id))
  }),

  // Without a transaction around it: the receiver may take its time.
  implement(
    testWebhook,
    async ({ id: webhookId }, { db, reach, audit, now }) => {
      const { organizationId } = found(await findWebhook(db, reach, webhookId))
      audit.touched([], [organizationId])
      const eventId = await new Events(db, now).publish('webhook.test', { organizationId, data: { webhookId } })
      await placeEvents(db)
      const delivery = { id: v7(), organizationId, webhookId, eventId, kind: 'webhook.test' }
      const letter = found(await findLetter(db, webhookId, eventId))
      const outcome = await attempt(outbound, parcelOf(secrets, { ...letter, id: delivery.id }))
      const { attemptedAt, status, error } = outcome
      await db.transaction().execute(async (trx) => {
        await insertFinished(trx, {
          ...delivery,
          state: error === null ? 'succeeded' : 'failed',
          dueAt: null,
          attemptCount: 1,
          lastAttemptAt: attemptedAt,
          lastStatus: status,
          lastError: error,
          createdAt: now,
          finishedAt: new Date(),
        })
        await keepOutcome(trx, { secrets }, delivery.id, 1, outcome)
        await audit.recordIn(trx)
      })
      const { individualId: _, ...answer } = await wholeDelivery(db, secrets, reach, delivery.id)
      return answer
    },
    { transaction: false },
  ),
]

function foundDelivery<Row>(delivery: Row | undefined): Row {
  if (!delivery) throw new Problem('NotFound', { what: 'delivery' })
  return delivery
}

/** With what was sent, what came of it, and whom the event is about. */
async function wholeDelivery(db: Database, secrets: Secrets, reach: string[], id: string) {
  const delivery = foundDelivery(await findDelivery(db, reach, id))
  const event = await findEvent(db, delivery.organizationId, delivery.eventId)
  const attempts = await attemptsOf(db, id)
  return {
    ...delivery,
    individualId: event?.individualId ?? null,
    body: event ? messageOf(event) : null,
    attempts: attempts.map(({ response, ...one }) => ({ ...one, ...opened(secrets, response) })),
  }
}

function opened(secrets: Secrets, response: Buffer | null) {
  const { headers = null, body = null } = response ? JSON.parse(secrets.decrypt(response)) : {}
  return { responseHeaders: headers, responseBody: body }
}
