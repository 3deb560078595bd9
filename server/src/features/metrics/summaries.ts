import { type MetricField, type MetricType, metricTypes } from '@almoner/contract/metrics/metric-types'
import { listMetricTypes, listSourceSummaries, listTimeseriesSummaries } from '@almoner/contract/metrics/summaries'
import { sql } from 'kysely'
import { textHolds } from '../../platform/db/conditions.ts'
import type { Database } from '../../platform/db/database.ts'
import { pageOf } from '../../platform/db/paging.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { boundsOf, EARLIEST, isSourceOf, LATEST, seenOwner } from './asking.ts'
import { Calendar, isWholeHours, type PeriodName } from './periods.ts'
import { numericColumns, typeNamed } from './points.ts'
import { seriesOf } from './queries/reading.ts'
import { partsWithin } from './queries/summaries.ts'
import { type Sum, Sums } from './summing.ts'

export const summaries = [
  implement(listTimeseriesSummaries, async (input, context) => {
    const { individualId, period, timezone, page } = input
    await seenOwner(context, individualId)
    const type = typeNamed(input.type)
    if (numericColumns(type).length === 0) {
      const fault = 'must be a type with numbers to summarize'
      throw new Problem('InvalidParameter', { parameter: 'type', fault })
    }
    checkZone(timezone)
    const isSource = isSourceOf(input.filter.source)
    const asked = { individualId, type, period, timezone, isSource, ...boundsOf(input) }
    const all = await summariesOf(context.db, asked)
    return { items: all.slice(page.offset, page.offset + page.limit), total: all.length }
  }),

  implement(listSourceSummaries, async ({ individualId, filter, page }, context) => {
    await seenOwner(context, individualId)
    let query = context.db
      .selectFrom('metricSeries')
      .select(['type', 'source', 'firstTime', 'lastTime', 'lastPoint'])
      .select(sql<number>`point_count::float8`.as('count'))
      .where('individualId', '=', individualId)
    if (filter.type) query = query.where(textHolds(sql.ref('type'), filter.type))
    if (filter.source) query = query.where(textHolds(sql.ref('source'), filter.source))
    return pageOf(query.orderBy('type').orderBy(sql`source collate "C"`), page)
  }),

  implement(listMetricTypes, async ({ filter, page }) => {
    const names = filter.name ?? []
    const shown = [...metricTypes.values()].filter(({ name }) =>
      names.every((group) =>
        group.some(({ operator, value }) => {
          const [mine, theirs] = [name.toLowerCase(), value?.toLowerCase() ?? '']
          return operator === 'contains' ? mine.includes(theirs) : mine === theirs
        }),
      ),
    )
    return { items: shown.slice(page.offset, page.offset + page.limit).map(shownType), total: shown.length }
  }),
]

interface Asked {
  individualId: string
  type: MetricType
  period: PeriodName
  timezone: string
  from: number
  to: number
  isSource: (source: string) => boolean
}

async function summariesOf(db: Database, asked: Asked) {
  const { individualId, type, period, timezone, from, to } = asked
  const series = (await seriesOf(db, individualId, type.name)).filter(({ source }) => asked.isSource(source))
  if (series.length === 0) return []
  const ids = series.map(({ id }) => id)
  const numeric = numericColumns(type)
  const isByHours = isWholeHours(timezone)
  const parts = await partsWithin(db, individualId, ids, { from, to, byHours: isByHours })
  const sums = new Sums(
    new Calendar(period, timezone),
    numeric.map(({ column }) => column),
  )
  for (const { hours, points } of parts) {
    if (hours) sums.addHours(hours)
    if (points) sums.addPoints(points, from, to)
  }
  return sums.periods().map(({ period: { start, end, local }, sums: figures }) => ({
    start: within(start),
    end: within(end),
    localStart: local,
    fields: Object.fromEntries(
      numeric.flatMap(({ name }, place) => {
        const sum = figures[place] as Sum
        return sum.count > 0 ? [[name, figuresOf(sum, type.fields[name] as MetricField)]] : []
      }),
    ),
  }))
}

/** A period at the end of the calendar ends where the calendar does. */
const within = (seconds: number): Date => new Date(Math.min(Math.max(seconds, EARLIEST), LATEST) * 1000)

const figuresOf = ({ count, minimum, maximum, sum, first, last }: Sum, { isAdditive }: MetricField) => ({
  count,
  minimum,
  maximum,
  mean: sum / count,
  first,
  last,
  ...(isAdditive ? { sum } : {}),
})

function checkZone(timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    const fault = 'must be a time zone such as America/New_York'
    throw new Problem('InvalidParameter', { parameter: 'timezone', fault })
  }
}

const shownType = ({ name, meaning, isDeprecated, isOpen, fields }: MetricType) => ({
  name,
  meaning,
  isDeprecated: isDeprecated ?? false,
  isOpen: isOpen ?? false,
  fields: Object.entries(fields).map(([field, { kind, unit, minimum, maximum, values, isOptional, isAdditive }]) => ({
    name: field,
    kind,
    unit: unit ?? null,
    minimum: minimum ?? null,
    maximum: maximum ?? null,
    values: values ? [...values] : null,
    isOptional: isOptional ?? false,
    isAdditive: isAdditive ?? false,
  })),
})
