import {
  comparison,
  datetime,
  exactly,
  list,
  listOf,
  many,
  matches,
  nullable,
  oneOf,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'

export const OUTCOMES = ['success', 'refused'] as const

export const AuditEvent = resource('audit-events', {
  organizationId: uuid(),
  occurredAt: datetime(),
  operation: text({ description: 'The id of the operation.' }),
  outcome: oneOf(OUTCOMES),
  code: nullable(text({ description: 'Why it was refused.' })),
  userId: nullable(uuid()),
  serviceAccountId: nullable(uuid()),
  individualIds: listOf(uuid(), { description: 'Whose records were read or written.' }),
  ip: nullable(text()),
  requestId: text(),
})

export const listAuditEvents = list({
  id: 'list-audit-events',
  summary: 'List who did what, newest first',
  path: '/identity/v1/audit-events/',
  access: roles('org-admin'),
  query: { organizationId: uuid() },
  filter: {
    userId: exactly(uuid()),
    individualId: exactly(uuid()),
    operation: matches(text({ maxLength: 127 })),
    outcome: matches(oneOf(OUTCOMES)),
    cmpOccurredAt: comparison(),
  },
  answer: many(AuditEvent),
})
