// What became of an attempt: written in one transaction, together with what follows from it.

import type { Database } from '../../platform/db/database.ts'
import { Events } from '../../platform/events/events.ts'
import { Queue } from '../../platform/queue/queue.ts'
import { tellAdministrators } from '../identity/index.ts'
import type { Outcome } from './attempt.ts'
import { type Claimed, claimNext } from './queries/claiming.ts'
import { cancelPending, endDelivery, keepAttempt, putOff } from './queries/deliveries.ts'
import { disableWebhook, noteFailure, noteSuccess } from './queries/webhooks.ts'
import { nextDelay } from './retry-plan.ts'
import type { WebhookServices } from './services.ts'

type Services = Pick<WebhookServices, 'secrets' | 'outbox'>

/** Sent once, and no word about the health of its webhook. */
export const isTest = (kind: string): boolean => kind === 'webhook.test'

/** Answers what the same endpoint is to be sent next, when that is wanted and this was a success. */
export async function recordOutcome(
  services: Services,
  db: Database,
  claimed: Claimed,
  outcome: Outcome,
  wantsNext: boolean,
): Promise<Claimed | null> {
  const { id, webhookId, kind, number, roundCount, roundStartedAt } = claimed
  const now = new Date()
  const { status, error, attemptedAt, askedMs } = outcome
  const end = { number, status, error }
  // What was not sent says nothing about the endpoint, and is not going to be sent.
  const counts = !isTest(kind) && outcome.requestHeaders !== null
  return db.transaction().execute(async (trx) => {
    // The webhook first, as everyone does who changes both.
    if (error === null) {
      if (counts) await noteSuccess(trx, claimed, attemptedAt)
      await endDelivery(trx, id, 'succeeded', end, now)
      await keepOutcome(trx, services, id, number, outcome)
      return counts && wantsNext ? claimNext(trx, webhookId) : null
    }
    const health = counts ? await noteFailure(trx, claimed, attemptedAt) : null
    const isGone = outcome.isGone && health?.isCurrent === true
    const delay = counts ? nextDelay({ count: roundCount, startedAt: roundStartedAt }, askedMs, now) : null
    if (delay === null || isGone) await endDelivery(trx, id, 'failed', end, now)
    else await putOff(trx, id, delay, end)
    await keepOutcome(trx, services, id, number, outcome)
    if (isGone || health?.isGivenUp) await disable(services, trx, webhookId, isGone ? 'gone' : 'failing', now)
    return null
  })
}

export const keepOutcome = (
  db: Database,
  { secrets }: Pick<Services, 'secrets'>,
  deliveryId: string,
  number: number,
  { attemptedAt, durationMs, requestHeaders, status, response, error }: Outcome,
) =>
  keepAttempt(db, {
    deliveryId,
    number,
    attemptedAt,
    durationMs,
    requestHeaders,
    responseStatus: status,
    response: response && secrets.encrypt(JSON.stringify(response)),
    error,
  })

async function disable(
  { outbox }: Pick<Services, 'outbox'>,
  trx: Database,
  webhookId: string,
  reason: 'failing' | 'gone',
  now: Date,
): Promise<void> {
  const disabled = await disableWebhook(trx, webhookId, reason, now)
  if (!disabled) return
  const { organizationId, url } = disabled
  await cancelPending(trx, webhookId, now)
  await new Events(trx, now).publish('webhook.disabled', { organizationId, data: { webhookId, reason } })
  // The host alone: the rest of an address may hold what only its receiver should know.
  const { host } = new URL(url)
  await tellAdministrators({ outbox }, trx, new Queue(trx), organizationId, `webhook-${reason}`, { host }, now)
}
