import { METRIC_TYPE_NAMES } from '../metrics/metric-types.ts'
import {
  action,
  boolean,
  create,
  data,
  datetime,
  defaulted,
  get,
  integer,
  list,
  listOf,
  many,
  matches,
  modify,
  nullable,
  number,
  objectOf,
  one,
  oneOf,
  optional,
  remove,
  resource,
  roles,
  SEVERITIES,
  text,
  uuid,
} from '../vocabulary/index.ts'

export const ALERT_RULES_PATH = '/lachesis/v1/alert-rules/'
export const ALERT_KINDS = ['watermark', 'range', 'no-data'] as const
export const ALERT_CHANNELS = ['in-app', 'email', 'sms'] as const
const DIRECTIONS = ['above', 'below'] as const
/** Minutes; thirty days. */
export const LONGEST_PERIOD = 30 * 24 * 60
/** Hours; a year. */
export const LONGEST_SILENCE = 365 * 24
/** Days that a dry run looks back. */
export const DRY_RUN_DAYS = 90
const MOST_RECIPIENTS = 100

const notify = objectOf({
  individualIds: defaulted(
    listOf(uuid(), { maxItems: MOST_RECIPIENTS, description: 'Of staff: who is told in any case.' }),
    [],
  ),
  groupIds: defaulted(
    listOf(uuid(), { maxItems: MOST_RECIPIENTS, description: 'The leaders and members of these groups are told.' }),
    [],
  ),
  patient: defaulted(boolean({ description: 'Whether the patient is told.' }), false),
  channels: defaulted(
    listOf(oneOf(ALERT_CHANNELS), {
      minItems: 1,
      maxItems: ALERT_CHANNELS.length,
      description: 'By which ways, as far as each person wants and has them.',
    }),
    ['in-app'],
  ),
})

const worklistEntry = objectOf({
  groupId: uuid({ description: 'Whose worklist it goes to.' }),
  text: text({ minLength: 1, maxLength: 1000 }),
  dueInHours: integer({ minimum: 0, maximum: 24 * 365 }),
})

const name = text({ minLength: 1, maxLength: 255 })
const metricType = oneOf(METRIC_TYPE_NAMES, { description: 'A metric type.' })
const field = nullable(text({ maxLength: 63, description: 'A numeric field of the type. Not for `no-data`.' }))
const kind = oneOf(ALERT_KINDS, {
  description:
    '`watermark`: a reading crosses a threshold. `range`: every reading of a period lies in a range. `no-data`: no reading for some hours.',
})

/** What each kind is made of; which of these belong to which kind is checked when a rule is saved. */
const terms = {
  direction: nullable(oneOf(DIRECTIONS, { description: 'Of a watermark.' })),
  threshold: nullable(
    number({ description: 'Of a watermark: it fires when a reading lies beyond it and the one before did not.' }),
  ),
  clearThreshold: nullable(
    number({ description: 'Of a watermark: back at this it clears. The threshold itself when it is null.' }),
  ),
  from: nullable(number({ description: 'Of a range: included.' })),
  to: nullable(number({ description: 'Of a range: not included.' })),
  period: nullable(integer({ minimum: 1, maximum: LONGEST_PERIOD, description: 'Of a range: minutes.' })),
  hours: nullable(integer({ minimum: 1, maximum: LONGEST_SILENCE, description: 'Of `no-data`.' })),
}

const { clearThreshold: _, ...firing } = terms
/** Of an alert: what it fired on, as its rule was then. */
export const firedOn = firing

const settings = {
  severity: oneOf(SEVERITIES),
  notify,
  worklistEntry: nullable(worklistEntry),
  enabled: boolean(),
}

export const AlertRule = resource('alert-rules', {
  organizationId: uuid(),
  name: text(),
  individualId: nullable(uuid({ description: 'Whom it watches, if one person.' })),
  groupId: nullable(uuid({ description: 'Whom it watches, if a group and all below it.' })),
  metricType,
  field,
  kind,
  ...terms,
  ...settings,
  effectiveFrom: datetime({ description: 'Readings before this do not count.' }),
  createdAt: datetime(),
  createdBy: uuid(),
  lastModifiedAt: datetime(),
})

const optionalTerms = {
  direction: optional(terms.direction),
  threshold: optional(terms.threshold),
  clearThreshold: optional(terms.clearThreshold),
  from: optional(terms.from),
  to: optional(terms.to),
  period: optional(terms.period),
  hours: optional(terms.hours),
}

const watched = {
  organizationId: uuid(),
  individualId: optional(nullable(uuid())),
  groupId: optional(nullable(uuid())),
  metricType,
  field: optional(field),
  kind,
  ...optionalTerms,
}

export const listAlertRules = list({
  id: 'list-alert-rules',
  summary: 'List alert rules',
  description:
    'In the order of names: those for the organization, and those for individuals and groups the caller sees.',
  path: ALERT_RULES_PATH,
  access: roles('org-admin', 'provider', 'job'),
  query: { organizationId: optional(uuid()) },
  filter: {
    individualId: matches(uuid()),
    groupId: matches(uuid()),
    metricType: matches(text({ maxLength: 63 })),
    kind: matches(oneOf(ALERT_KINDS)),
    severity: matches(oneOf(SEVERITIES)),
    enabled: matches(boolean()),
    name: matches(text({ maxLength: 255 }), ['contains']),
  },
  answer: many(AlertRule),
})

export const getAlertRule = get({
  id: 'get-alert-rule',
  summary: 'Get an alert rule',
  path: `${ALERT_RULES_PATH}{id}/`,
  access: roles('org-admin', 'provider', 'job'),
  answer: one(AlertRule),
})

export const createAlertRule = create({
  id: 'create-alert-rule',
  summary: 'Create an alert rule',
  description:
    'For one individual, for a group and all below it, or for everyone of the organization when neither is given. Only administrators make one for everyone. It looks at readings from now on.',
  path: ALERT_RULES_PATH,
  access: roles('org-admin', 'provider'),
  recorded: true,
  resource: AlertRule,
  attributes: {
    ...watched,
    name,
    severity: settings.severity,
    notify: defaulted(notify, { individualIds: [], groupIds: [], patient: false, channels: ['in-app'] }),
    worklistEntry: optional(settings.worklistEntry),
    enabled: defaulted(boolean(), true),
  },
})

export const modifyAlertRule = modify({
  id: 'modify-alert-rule',
  summary: 'Modify an alert rule',
  description:
    'What is left out stays. A change of what it watches, or of when it fires, holds from now on: its open alerts are cleared, and the next reading is the first it looks at.',
  path: `${ALERT_RULES_PATH}{id}/`,
  access: roles('org-admin', 'provider'),
  recorded: true,
  resource: AlertRule,
  attributes: {
    name: optional(name),
    individualId: optional(nullable(uuid())),
    groupId: optional(nullable(uuid())),
    metricType: optional(metricType),
    field: optional(field),
    kind: optional(kind),
    ...optionalTerms,
    severity: optional(settings.severity),
    notify: optional(notify),
    worklistEntry: optional(settings.worklistEntry),
    enabled: optional(boolean()),
  },
})

export const deleteAlertRule = remove({
  id: 'delete-alert-rule',
  summary: 'Delete an alert rule',
  description: 'Its open alerts are cleared; alerts that it fired are kept.',
  path: `${ALERT_RULES_PATH}{id}/`,
  access: roles('org-admin', 'provider'),
  recorded: true,
})

const foundAlert = objectOf({
  individualId: uuid(),
  source: nullable(text()),
  value: nullable(number()),
  firedAt: datetime(),
  clearedAt: nullable(datetime({ description: 'Null when it would be open still.' })),
})

export const dryRunAlertRule = action({
  id: 'dry-run-alert-rule',
  summary: 'Try an alert rule on stored readings',
  description:
    'Answers which alerts a rule would have fired on what is stored, as if each reading had arrived at its own time. Nothing is kept and nobody is told.',
  path: `${ALERT_RULES_PATH}dry-run/`,
  access: roles('org-admin', 'provider'),
  recorded: true,
  cost: 20,
  body: {
    ...watched,
    days: defaulted(integer({ minimum: 1, maximum: DRY_RUN_DAYS, description: 'How far to look back.' }), DRY_RUN_DAYS),
  },
  answer: data({
    alerts: listOf(foundAlert, { description: 'The newest first, at most 1,000.' }),
    total: integer({ description: 'How many there are in all, among the individuals looked at.' }),
    individualsWithAlerts: integer(),
    individualsLookedAt: integer(),
    individualsInScope: integer(),
    isComplete: boolean({
      description:
        'False when there were too many readings to look at all of them; individuals are taken in the order of ids.',
    }),
    from: datetime(),
    to: datetime(),
  }),
})
