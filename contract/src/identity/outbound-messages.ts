import {
  datetime,
  integer,
  list,
  many,
  matches,
  nullable,
  oneOf,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'

export const CHANNELS = ['email', 'sms'] as const
export const DELIVERY_STATUSES = ['created', 'sent', 'failed'] as const

export const OutboundMessage = resource('outbound-messages', {
  organizationId: uuid(),
  individualId: nullable(uuid()),
  channel: oneOf(CHANNELS),
  purpose: text(),
  recipient: text(),
  subject: nullable(text()),
  text: nullable(
    text({ description: 'Until it is sent: afterwards it is erased, because it may hold a link that works once.' }),
  ),
  status: oneOf(DELIVERY_STATUSES),
  attempts: integer(),
  error: nullable(text()),
  createdAt: datetime(),
  sentAt: nullable(datetime()),
})

export const listOutboundMessages = list({
  id: 'list-outbound-messages',
  summary: 'List the emails and texts that were sent or wait to be sent',
  description: 'Without a gateway configured they wait here, and can be read here.',
  path: '/identity/v1/outbound-messages/',
  access: roles('org-admin'),
  recorded: true,
  query: { organizationId: uuid() },
  filter: { status: matches(oneOf(DELIVERY_STATUSES)), channel: matches(oneOf(CHANNELS)) },
  answer: many(OutboundMessage),
})
