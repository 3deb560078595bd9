import {
  anyObject,
  boolean,
  datetime,
  defaulted,
  integer,
  list,
  listOf,
  matches,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  remove,
  roles,
  rows,
  signedIn,
  text,
  uuid,
} from '../vocabulary/index.ts'
import { METRIC_TYPE_NAMES } from './metric-types.ts'

export const PERIODS = ['hour', 'day', 'week', 'month'] as const

const readers = roles('org-admin', 'provider', 'patient', 'job')

/** Figures of one period. */
const summary = objectOf({
  start: datetime({ description: 'When the period begins, in UTC.' }),
  end: datetime({ description: 'When the next one begins.' }),
  localStart: text({ description: 'When it begins by the clock of the zone, `YYYY-MM-DD hh:mm:ss`.' }),
  fields: anyObject({
    description:
      'For each numeric field: `count`, `minimum`, `maximum`, `mean`, `first`, `last`, and `sum` where amounts add up.',
  }),
})

export const listTimeseriesSummaries = list({
  id: 'list-timeseries-summaries',
  summary: 'Summarize a metric by hour, day, week or month',
  description:
    'Periods with no points are left out. Weeks begin on Mondays. A day of a change of clocks has 23 or 25 hours.',
  path: '/lachesis/v1/timeseries-summaries/',
  access: readers,
  recorded: true,
  query: {
    individualId: uuid(),
    type: oneOf(METRIC_TYPE_NAMES, { description: 'A metric type with numbers.' }),
    period: defaulted(oneOf(PERIODS), 'day'),
    timezone: defaulted(text({ minLength: 1, maxLength: 64, description: 'Such as America/New_York.' }), 'UTC'),
    beginDatetime: optional(datetime()),
    endDatetime: optional(datetime()),
  },
  filter: { source: matches(text({ maxLength: 255 })) },
  answer: rows(summary),
})

export const listSourceSummaries = list({
  id: 'list-source-summaries',
  summary: 'List the origins of the metrics of an individual',
  path: '/lachesis/v2/source-summaries/',
  access: readers,
  recorded: true,
  query: { individualId: uuid() },
  filter: { type: matches(oneOf(METRIC_TYPE_NAMES)), source: matches(text({ maxLength: 255 })) },
  answer: rows(
    objectOf({
      type: oneOf(METRIC_TYPE_NAMES),
      source: text(),
      count: integer(),
      firstTime: datetime(),
      lastTime: datetime(),
      lastPoint: anyObject({ description: 'The values of the newest point.' }),
    }),
  ),
})

/** A metric type, as the catalogue of types shows it. */
const metricType = objectOf({
  name: text(),
  meaning: text(),
  isDeprecated: boolean(),
  isOpen: boolean({ description: 'Takes any fields with scalar values, at least one.' }),
  fields: listOf(
    objectOf({
      name: text(),
      kind: oneOf(['integer', 'float', 'enumeration', 'text', 'uuid']),
      unit: nullable(text()),
      minimum: nullable(number({ description: 'What is less is impossible.' })),
      maximum: nullable(number()),
      values: nullable(listOf(text())),
      isOptional: boolean(),
      isAdditive: boolean({ description: 'Amounts of a period, which may be summed.' }),
    }),
  ),
})

export const listMetricTypes = list({
  id: 'list-metric-types',
  summary: 'List the types of metrics and their fields',
  path: '/lachesis/v1/metric-types/',
  access: signedIn,
  filter: { name: matches(text({ maxLength: 255 }), ['contains']) },
  answer: rows(metricType),
})

export const eraseMetrics = remove({
  id: 'erase-metrics',
  summary: 'Erase all metrics of an individual',
  description: 'Points, segments and what points said before they were changed. It cannot be taken back.',
  path: '/lachesis/v1/individual-metrics/{id}/',
  access: roles('org-admin'),
  recorded: true,
})
