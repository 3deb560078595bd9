// Every kind of event: when it happens, and what it carries. An event is written in the transaction that caused it.
// docs/events.md is printed from this table.

import { CLEAR_REASONS } from './alerts/alerts.ts'
import {
  datetime,
  type Fields,
  integer,
  nullable,
  number,
  oneOf,
  type Received,
  SEVERITIES,
  text,
  uuid,
} from './vocabulary/index.ts'

interface EventDeclaration {
  /** When it happens: one sentence. */
  description: string
  data: Fields
}

const groupId = uuid({ description: 'The group.' })
const name = text({ description: 'What the group is called now.' })
const alertId = uuid({ description: 'The alert.' })
const ruleId = uuid({ description: 'The rule that fired it.' })
const webhookId = uuid({ description: 'The webhook.' })
const individualId = uuid({ description: 'The patient.' })

export const events = {
  'group.created': { description: 'A group was made.', data: { groupId, name } },
  'group.updated': { description: 'The name or another attribute of a group was changed.', data: { groupId, name } },
  'group.members-changed': {
    description: 'People were added to a group or taken out of it.',
    data: {
      groupId,
      kind: oneOf(['individuals', 'leaders', 'members'], {
        description: 'Whether it was its patients, those who lead it, or its other staff.',
      }),
      added: integer({ description: 'How many came.' }),
      removed: integer({ description: 'How many went.' }),
    },
  },
  'group.moved': {
    description: 'A group was put below another, or to the top.',
    data: { groupId, parentGroupId: nullable(uuid({ description: 'The group above it; null at the top.' })) },
  },
  'individual.created': { description: 'A patient was added, by hand or by an import.', data: { individualId } },
  'individual.updated': { description: 'The record of a patient was changed.', data: { individualId } },
  'individual.archived': { description: 'A patient was archived.', data: { individualId } },
  'individual.disabled': { description: 'A patient was disabled.', data: { individualId } },
  'individual.restored': { description: 'An archived or disabled patient was restored.', data: { individualId } },
  'individual.merged': {
    description: 'Two records turned out to be one person, and one of them became part of the other.',
    data: {
      individualId: uuid({ description: 'The record that was kept.' }),
      mergedIndividualId: uuid({ description: 'The record that is now part of it.' }),
    },
  },
  'metric.alert-fired': {
    description: 'A rule found something in the readings of a patient, or that there were none.',
    data: {
      alertId,
      ruleId,
      ruleName: text({ description: 'What the rule is called.' }),
      severity: oneOf(SEVERITIES, { description: 'How grave it is.' }),
      metricType: text({ description: 'The metric type.' }),
      field: nullable(text({ description: 'The field that was read; null where nothing was.' })),
      value: nullable(number({ description: 'What was read; null where nothing was.' })),
      message: text({ description: 'What happened, in words.' }),
      firedAt: datetime({ description: 'The time of the reading, or when the silence had lasted long enough.' }),
    },
  },
  'metric.alert-acknowledged': {
    description: 'Someone took up an alert.',
    data: { alertId, ruleId, userId: uuid({ description: 'Who did.' }) },
  },
  'metric.alert-cleared': {
    description: 'An alert is over.',
    data: {
      alertId,
      ruleId,
      reason: oneOf(CLEAR_REASONS, {
        description: 'Whether the readings are back, someone cleared it, or its rule was changed.',
      }),
    },
  },
  'notification.created': {
    description: 'Someone was told something; the individual of the event is whoever was told.',
    data: {
      notificationId: uuid({ description: 'The notification.' }),
      kind: text({ description: 'What it is about, such as `alert.fired`.' }),
      severity: oneOf(SEVERITIES, { description: 'How grave it is.' }),
    },
  },
  'notification.read': {
    description: 'Someone read what they were told; the individual of the event is whoever did.',
    data: { notificationId: nullable(uuid({ description: 'The notification; null when several were read at once.' })) },
  },
  'webhook.disabled': {
    description: 'A webhook was switched off, because nothing could be delivered to it.',
    data: {
      webhookId,
      reason: oneOf(['failing', 'gone'], {
        description: 'Whether it had failed for a day, or said that it is gone for good.',
      }),
    },
  },
  'webhook.test': { description: 'Someone tried a webhook: it alone is sent this.', data: { webhookId } },
} satisfies Record<string, EventDeclaration>

export type EventKind = keyof typeof events
export type EventData<Kind extends EventKind> = Received<(typeof events)[Kind]['data']>

export const EVENT_KINDS = Object.keys(events) as EventKind[]

type Areas<Kind extends string> = Kind extends `${infer Area}.${string}` ? Area : never
/** A kind, or an area with all its kinds: `group.*`. */
export type EventKindPattern = EventKind | `${Areas<EventKind>}.*`

export const EVENT_KIND_PATTERNS = [
  ...EVENT_KINDS,
  ...new Set(EVENT_KINDS.map((kind) => `${kind.split('.')[0] as Areas<EventKind>}.*` as const)),
] satisfies EventKindPattern[]

export const kindsMeant = (patterns: readonly EventKindPattern[]): EventKind[] =>
  EVENT_KINDS.filter((kind) =>
    patterns.some((one) => one === kind || (one.endsWith('.*') && kind.startsWith(one.slice(0, -1)))),
  )
