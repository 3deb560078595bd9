// How the people of a care team are, at a glance.

import {
  data,
  date,
  datetime,
  get,
  integer,
  listOf,
  nullable,
  number,
  objectOf,
  oneOf,
  roles,
  SEVERITIES,
  text,
  uuid,
} from '../vocabulary/index.ts'
import { TONES } from './classification-sets.ts'

/** Days that alerts are counted of. */
export const TREND_DAYS = 30

export const getPopulationSummary = get({
  id: 'get-population-summary',
  summary: 'Sum up how everyone is',
  description:
    'Of the patients of an organization whom the caller sees: open alerts, how the latest readings are called, the latest ones that are not good, and the alerts of the last 30 days.',
  path: '/lachesis/v1/population-summary/',
  access: roles('org-admin', 'provider'),
  recorded: true,
  cost: 5,
  query: { organizationId: uuid() },
  answer: data({
    openAlerts: listOf(objectOf({ severity: oneOf(SEVERITIES), open: integer(), acknowledged: integer() }), {
      description: 'Those that are not cleared, the most severe first.',
    }),
    individuals: integer({ description: 'Patients who are not archived.' }),
    measuredToday: integer({ description: 'Patients with a listed reading in the last 24 hours.' }),
    measuredThisWeek: integer({ description: 'The same of the last seven days.' }),
    states: listOf(
      objectOf({
        metricType: text(),
        field: text(),
        state: text({ description: 'The label of its range.' }),
        tone: nullable(oneOf(TONES)),
        count: integer({ description: 'Patients whose latest reading is called so.' }),
      }),
    ),
    outOfRange: listOf(
      objectOf({
        individualId: uuid(),
        firstName: text(),
        lastName: text(),
        metricType: text(),
        field: text(),
        value: number(),
        state: text(),
        tone: oneOf(TONES),
        time: datetime(),
      }),
      {
        description:
          'Latest readings of the last seven days that are called bad or dangerous, the newest first, at most 20.',
      },
    ),
    alertsByDay: listOf(objectOf({ day: date(), severity: oneOf(SEVERITIES), count: integer() }), {
      description: 'Alerts that fired on each of the last 30 days (UTC); days without any are left out.',
    }),
  }),
})
