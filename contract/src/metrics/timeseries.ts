import {
  anyObject,
  boolean,
  datetime,
  defaulted,
  integer,
  list,
  listOf,
  matches,
  oneOf,
  operation,
  optional,
  records,
  resource,
  roles,
  rows,
  text,
  uuid,
} from '../vocabulary/index.ts'
import { METRIC_TYPE_NAMES } from './metric-types.ts'

const PATH = '/lachesis/v1/timeseries/'
const metricType = (description = 'A metric type.') => oneOf(METRIC_TYPE_NAMES, { description })
const source = text({ minLength: 1, maxLength: 255, description: 'Names the origin of the data.' })

/** Bytes of a request that pushes points. */
export const PUSH_LIMIT = 128 * 1024

/** What became of the points of one type and person in a request. */
export const TimeSeries = resource('time-series', {
  individualId: uuid(),
  type: metricType(),
  stored: integer({ description: 'Points that are new.' }),
  updated: integer({ description: 'Points that took the place of others.' }),
  unchanged: integer({ description: 'Points that were there already.' }),
})

export const pushTimeseries = operation({
  id: 'push-timeseries',
  summary: 'Push points of metrics',
  description:
    'All of them are stored or none. A point is `{type, time, …fields of its type}` with `source` and `tags` where they are known; the same point again changes nothing, other values for the same time take the place of the former. A started hundred of points costs one unit of quota.',
  method: 'POST',
  path: PATH,
  status: 201,
  access: roles('org-admin', 'provider', 'patient', 'device', 'job'),
  recorded: true,
  cost: 1,
  bodyLimit: PUSH_LIMIT,
  body: {
    shape: 'resources',
    type: TimeSeries.type,
    fields: {
      individualId: uuid(),
      type: metricType('One of the types of the points.'),
      source: optional(source),
      data: listOf(anyObject(), { minItems: 1 }),
    },
  },
  answer: records(TimeSeries),
})

export const readTimeseries = list({
  id: 'read-timeseries',
  summary: 'Read points of a metric',
  description:
    'In the order of time, begin and end included. `include-deleted` is for administrators: it adds what points said before they were changed, with `deleted-at` and `deleted-by`.',
  path: PATH,
  access: roles('org-admin', 'provider', 'patient', 'device', 'job'),
  recorded: true,
  query: {
    individualId: uuid(),
    type: metricType(),
    beginDatetime: optional(datetime()),
    endDatetime: optional(datetime()),
    includeDeleted: defaulted(boolean(), false),
  },
  filter: { source: matches(text({ maxLength: 255 })) },
  sort: { fields: ['time'], default: 'time' },
  answer: rows(
    anyObject({ description: 'A point: `type`, `time`, `source`, the fields of its type, `tags` where it has any.' }),
  ),
})
