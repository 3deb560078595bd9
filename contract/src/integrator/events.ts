// What happens in an organization, to be listed and to be followed.

import { EVENT_KIND_PATTERNS, EVENT_KINDS, type EventData, type EventKind, events } from '../events.ts'
import {
  comparison,
  datetime,
  exactly,
  get,
  integer,
  list,
  listOf,
  many,
  nullable,
  objectOf,
  oneOf,
  optional,
  resource,
  roles,
  shapedBy,
  stream,
  toldAs,
  uuid,
} from '../vocabulary/index.ts'

/** An event as the client hands it out: its kind says what its data is. */
export type HappenedEvent = {
  [Kind in EventKind]: {
    id: string
    kind: Kind
    organizationId: string
    individualId: string | null
    occurredAt: Date
    position: number
    data: EventData<Kind>
  }
}[EventKind]

const shapes = Object.fromEntries(Object.entries(events).map(([kind, { data }]) => [kind, objectOf(data)]))

export const Event = toldAs<HappenedEvent>(
  resource('events', {
    kind: oneOf(EVENT_KINDS),
    organizationId: uuid(),
    individualId: nullable(uuid({ description: 'Whom it is about; null when it is about no patient.' })),
    occurredAt: datetime(),
    position: integer({
      description: 'Its place in the order of all events, which is the order they are streamed in. There are gaps.',
    }),
    data: shapedBy<HappenedEvent['data']>('kind', shapes, { description: 'What events of its kind carry.' }),
  }),
)

/** People see what their role lets them see; a service account of an organization sees all of it. */
const access = roles('org-admin', 'provider', 'patient', 'job')
const query = { organizationId: optional(uuid()) }
const filter = {
  kind: exactly(
    listOf(oneOf(EVENT_KIND_PATTERNS), { description: 'Such as `group.created`, or `group.*` for an area.' }),
  ),
  individualId: exactly(uuid()),
}
const WHO =
  'Administrators, providers and jobs see all events of their organization. Providers who are restricted to groups see those of their patients, and patients their own.'

export const listEvents = list({
  id: 'list-events',
  summary: 'List what happened',
  description: `The newest first, which is the order of \`position\` turned round. ${WHO}`,
  path: '/integrator/v1/events/',
  access,
  recorded: true,
  query,
  filter: { ...filter, cmpOccurredAt: comparison() },
  sort: { fields: ['position', 'occurredAt'], default: '-position' },
  answer: many(Event),
})

/** At once, of one caller, in one process. */
export const MOST_STREAMS = 10

export const streamEvents = get({
  id: 'stream-events',
  summary: 'Follow what happens as it happens',
  description: [
    'Server-Sent Events: `id` is the position of an event, `event` its kind, and `data` one line of JSON with its id and attributes.',
    'A `Last-Event-ID` header goes before the parameter of that name. Without either the stream begins with what happens from now on.',
    `A comment is sent at once and again after every while. The stream ends when the token or the access does, when the caller reads too slowly, and when the service stops: go on from the last id. A caller may follow ${MOST_STREAMS} streams at once.`,
    WHO,
  ].join(' '),
  path: '/integrator/v1/event-stream/',
  access,
  recorded: true,
  query: {
    ...query,
    lastEventId: optional(
      integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Go on after the event at this position.' }),
    ),
  },
  filter,
  answer: stream(Event),
})
