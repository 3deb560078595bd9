import {
  action,
  comparison,
  datetime,
  get,
  list,
  many,
  matches,
  nullable,
  number,
  objectOf,
  one,
  oneOf,
  optional,
  resource,
  roles,
  SEVERITIES,
  text,
  uuid,
} from '../vocabulary/index.ts'
import { ALERT_KINDS, firedOn } from './alert-rules.ts'

const PATH = '/lachesis/v1/alerts/'
export const ALERT_STATES = ['open', 'acknowledged', 'cleared'] as const
export const CLEAR_REASONS = ['readings', 'by-hand', 'rule-changed'] as const

export const Alert = resource('alerts', {
  organizationId: uuid(),
  ruleId: uuid(),
  ruleName: text({ description: 'As it was when the alert fired.' }),
  individualId: uuid(),
  individual: objectOf({ firstName: text(), lastName: text() }),
  kind: oneOf(ALERT_KINDS),
  metricType: text(),
  field: nullable(text()),
  severity: oneOf(SEVERITIES),
  state: oneOf(ALERT_STATES),
  source: nullable(text({ description: 'Where the reading came from.' })),
  value: nullable(number({ description: 'What was read; null where nothing was.' })),
  message: text({ description: 'What happened, in words.' }),
  ...firedOn,
  firedAt: datetime({ description: 'The time of the reading, or when the silence had lasted long enough.' }),
  createdAt: datetime({ description: 'When it was noticed.' }),
  acknowledgedAt: nullable(datetime()),
  acknowledgedBy: nullable(uuid({ description: 'A user.' })),
  note: nullable(text()),
  clearedAt: nullable(datetime()),
  clearedBy: nullable(uuid({ description: 'A user; null when it cleared by itself.' })),
  clearReason: nullable(oneOf(CLEAR_REASONS)),
})

export const listAlerts = list({
  id: 'list-alerts',
  summary: 'List alerts',
  description: 'Of the individuals the caller sees, the newest first.',
  path: PATH,
  access: roles('org-admin', 'provider', 'job'),
  recorded: true,
  query: { organizationId: optional(uuid()) },
  filter: {
    state: matches(oneOf(ALERT_STATES)),
    severity: matches(oneOf(SEVERITIES)),
    individualId: matches(uuid()),
    ruleId: matches(uuid()),
    metricType: matches(text({ maxLength: 63 })),
    cmpFiredAt: comparison(),
  },
  sort: { fields: ['firedAt', 'severity'], default: '-fired-at' },
  answer: many(Alert),
})

export const getAlert = get({
  id: 'get-alert',
  summary: 'Get an alert',
  path: `${PATH}{id}/`,
  access: roles('org-admin', 'provider', 'job'),
  recorded: true,
  answer: one(Alert),
})

const note = optional(text({ minLength: 1, maxLength: 1000, description: 'What was found, or done.' }))

export const acknowledgeAlert = action({
  id: 'acknowledge-alert',
  summary: 'Acknowledge an alert',
  description: 'Says that someone has taken it up. It clears by itself when the readings are back.',
  path: `${PATH}{id}/acknowledge/`,
  access: roles('org-admin', 'provider'),
  recorded: true,
  body: { note },
  answer: one(Alert),
})

export const clearAlert = action({
  id: 'clear-alert',
  summary: 'Clear an alert by hand',
  description: 'It fires again only after the readings were back in between.',
  path: `${PATH}{id}/clear/`,
  access: roles('org-admin', 'provider'),
  recorded: true,
  body: { note },
  answer: one(Alert),
})
