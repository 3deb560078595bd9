import { EVENT_KINDS } from '../events.ts'
import {
  action,
  boolean,
  create,
  datetime,
  defaulted,
  get,
  integer,
  list,
  listOf,
  many,
  modify,
  nullable,
  one,
  oneOf,
  optional,
  remove,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'
import { WebhookDelivery } from './deliveries.ts'

const PATH = '/integrator/v1/webhooks/'
const access = roles('org-admin', 'job')

export const MOST_WEBHOOKS = 50
export const DISABLED_REASONS = ['manual', 'failing', 'gone'] as const
/** What can be subscribed to: a test is sent to the webhook that is tested, and to no other. */
const SUBSCRIBABLE = EVENT_KINDS.filter((kind) => kind !== 'webhook.test')

const url = text({ minLength: 1, maxLength: 2048, description: 'An http or https address that takes POST.' })
const description = text({ maxLength: 255 })
const kinds = listOf(oneOf(SUBSCRIBABLE), {
  maxItems: 200,
  description: 'The kinds of events to send. All, also those of later versions, when it is empty.',
})

export const Webhook = resource('webhooks', {
  organizationId: uuid(),
  url: text(),
  description: text(),
  kinds: listOf(text()),
  enabled: boolean(),
  disabledAt: nullable(datetime()),
  disabledReason: nullable(
    oneOf(DISABLED_REASONS, {
      description:
        '`manual` by a caller, `failing` after a day without a success, `gone` when the receiver answered 410.',
    }),
  ),
  lastDeliveryAt: nullable(datetime({ description: 'When something was last sent to it.' })),
  lastSuccessAt: nullable(datetime()),
  consecutiveFailures: integer({ description: 'Failed attempts since the last success.' }),
  createdAt: datetime(),
  createdBy: uuid({ description: 'The id of the user or of the service account.' }),
  secret: optional(text({ description: 'Only in the answer of the call that made it.' })),
})

export const listWebhooks = list({
  id: 'list-webhooks',
  summary: 'List webhooks',
  description: 'The oldest first.',
  path: PATH,
  access,
  query: { organizationId: optional(uuid()) },
  answer: many(Webhook),
})

export const createWebhook = create({
  id: 'create-webhook',
  summary: 'Create a webhook',
  description: `Events from now on are sent to it, as the Standard Webhooks specification says. The secret is answered here alone. An organization has at most ${MOST_WEBHOOKS}.`,
  givesSecrets: true,
  recorded: true,
  path: PATH,
  access,
  resource: Webhook,
  attributes: {
    organizationId: uuid(),
    url,
    description: defaulted(description, ''),
    kinds: defaulted(kinds, []),
    enabled: defaulted(boolean(), true),
  },
})

export const getWebhook = get({
  id: 'get-webhook',
  summary: 'Get a webhook',
  path: `${PATH}{id}/`,
  access,
  answer: one(Webhook),
})

export const modifyWebhook = modify({
  id: 'modify-webhook',
  summary: 'Change a webhook',
  description:
    'Disabling it cancels what waits to be sent. Enabling it begins anew: failures of before are forgotten, and events of the time between are not sent.',
  recorded: true,
  path: `${PATH}{id}/`,
  access,
  resource: Webhook,
  attributes: {
    url: optional(url),
    description: optional(description),
    kinds: optional(kinds),
    enabled: optional(boolean()),
  },
})

export const deleteWebhook = remove({
  id: 'delete-webhook',
  summary: 'Delete a webhook',
  description: 'What waits to be sent is canceled. Its deliveries can be read until they are 30 days old.',
  recorded: true,
  path: `${PATH}{id}/`,
  access,
})

export const testWebhook = action({
  id: 'test-webhook',
  summary: 'Send a test event now',
  description:
    'Sends one `webhook.test` event, once, and answers how that went. A disabled webhook can be tested too. Nothing of it counts as a failure or a success of the webhook.',
  recorded: true,
  cost: 20,
  path: `${PATH}{id}/test/`,
  access,
  answer: one(WebhookDelivery),
})

export const rotateWebhookSecret = action({
  id: 'rotate-webhook-secret',
  summary: 'Give a webhook a new secret',
  description:
    'The new secret is answered here alone. For 24 hours what is sent is signed with the one before too; one before that stops at once.',
  givesSecrets: true,
  recorded: true,
  path: `${PATH}{id}/rotate-secret/`,
  access,
  answer: one(Webhook),
})
