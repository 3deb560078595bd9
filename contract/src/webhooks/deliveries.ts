import { EVENT_KINDS } from '../events.ts'
import {
  action,
  anyObject,
  datetime,
  get,
  integer,
  list,
  listOf,
  many,
  matches,
  nullable,
  objectOf,
  one,
  oneOf,
  optional,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'

const PATH = '/integrator/v1/webhook-deliveries/'
const access = roles('org-admin', 'job')

export const WEBHOOK_DELIVERY_STATES = ['pending', 'succeeded', 'failed', 'canceled'] as const
/** So many attempts of a delivery are answered, the newest first. */
export const MOST_ATTEMPTS_SHOWN = 50

const Attempt = objectOf({
  number: integer(),
  attemptedAt: datetime(),
  durationMs: nullable(integer()),
  requestHeaders: nullable(anyObject({ description: 'Null when the service ended during the attempt.' })),
  responseStatus: nullable(integer({ description: 'Null when there was no answer.' })),
  responseHeaders: nullable(anyObject()),
  responseBody: nullable(text({ description: 'The first 4 KiB.' })),
  error: nullable(text({ description: 'Why it counts as failed, in words; null when it succeeded.' })),
})

export const WebhookDelivery = resource('webhook-deliveries', {
  organizationId: uuid(),
  webhookId: uuid(),
  eventId: uuid(),
  kind: text(),
  state: oneOf(WEBHOOK_DELIVERY_STATES, {
    description:
      '`pending` until it succeeded or was given up; `canceled` when its webhook was disabled or deleted before that.',
  }),
  attemptCount: integer({ description: 'How often it was attempted, resends included.' }),
  nextAttemptAt: nullable(datetime()),
  lastAttemptAt: nullable(datetime()),
  lastStatus: nullable(integer({ description: 'The status that the last attempt was answered with.' })),
  lastError: nullable(text()),
  createdAt: datetime(),
  finishedAt: nullable(datetime()),
  body: optional(nullable(anyObject({ description: 'What is sent. Not in lists; null when the event is gone.' }))),
  attempts: optional(
    listOf(Attempt, { description: `The newest first, at most ${MOST_ATTEMPTS_SHOWN}. Not in lists.` }),
  ),
})

export const listWebhookDeliveries = list({
  id: 'list-webhook-deliveries',
  summary: 'List what was sent to webhooks',
  description: 'The newest first. Deliveries are kept for 30 days.',
  path: PATH,
  access,
  query: { organizationId: optional(uuid()) },
  filter: {
    webhookId: matches(uuid()),
    state: matches(oneOf(WEBHOOK_DELIVERY_STATES)),
    kind: matches(oneOf(EVENT_KINDS)),
  },
  answer: many(WebhookDelivery),
})

export const getWebhookDelivery = get({
  id: 'get-webhook-delivery',
  summary: 'Get a delivery with its body and its attempts',
  recorded: true,
  path: `${PATH}{id}/`,
  access,
  answer: one(WebhookDelivery),
})

export const resendWebhookDelivery = action({
  id: 'resend-webhook-delivery',
  summary: 'Send a delivery again',
  description:
    'In whatever state it is, it is attempted again from now on for up to a day, under the same `webhook-id`. One that is being sent at this moment is left as it is.',
  recorded: true,
  path: `${PATH}{id}/resend/`,
  access,
  answer: one(WebhookDelivery),
})
