// What lies in the tables of metrics, compared with a model.

import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../../src/platform/db/database.ts'
import { type MetricsModel, type Series, typeNamed } from './metrics-model.ts'

export interface SeriesKey {
  individualId: string
  seriesId: string
}

export async function keysOf(db: Database, individualIds: string[]): Promise<SeriesKey[]> {
  const { rows } = await sql<SeriesKey>`select individual_id, id as series_id from metric_series
    where individual_id = any(${individualIds}::uuid[]) order by id`.execute(db)
  return rows
}

/** Rows of series, points as rows, and how they lie. */
export async function expectKept(db: Database, individualIds: string[], model: MetricsModel): Promise<void> {
  await expectSound(db, individualIds)
  await expectSeriesRows(db, individualIds, model)
  await expectPointRows(db, individualIds, model)
  await expectLatest(db, individualIds, model)
}

const LISTED = ['BloodGlucose', 'BloodPressure', 'BodyMass', 'Pulse']

/** The latest reading in the list of individuals is the newest of any source. */
async function expectLatest(db: Database, individualIds: string[], model: MetricsModel): Promise<void> {
  const { rows } = await sql<{ key: string; time: number; said: string }>`
    select concat_ws(' ', individual_id, type) as key, extract(epoch from time)::float8 as time,
      concat_ws(' ', value, second, context) as said
    from listed_readings where individual_id = any(${individualIds}::uuid[])`.execute(db)
  const series = model.series.filter(({ type }) => LISTED.includes(type))
  const byKey = Map.groupBy(series, ({ individualId, type }) => `${individualId} ${type}`)
  expect(rows.map(({ key }) => key).sort()).toEqual([...byKey.keys()].sort())
  for (const { key, time, said } of rows) {
    const sources = byKey.get(key) ?? []
    expect(time).toBe(Math.max(...sources.map(newestOf)))
    const sayings = sources.flatMap(({ points }) => {
      const { value, systolic, diastolic, context } = points.get(time)?.fields ?? {}
      return points.has(time)
        ? [[value ?? systolic, diastolic, context].filter((one) => one !== undefined).join(' ')]
        : []
    })
    expect(sayings).toContain(said)
  }
}

/** What holds whatever was pushed: no two segments of a series overlap, nothing is stored twice, counts are right. */
export async function expectSound(db: Database, individualIds: string[]): Promise<void> {
  const whose = sql`individual_id = any(${individualIds}::uuid[])`
  const { rows } = await sql<{ fault: string }>`
    select 'overlap' as fault from metric_segments a join metric_segments b using (individual_id, series_id)
    where a.${whose} and a.first_time < b.first_time and a.last_time >= b.first_time
    union all
    select 'length' from metric_segments where ${whose} and (cardinality(steps) not in (1, point_count)
      or cardinality(coalesce(wholes::float8[], numbers)) % point_count <> 0
      or last_time <> first_time + (select max(seconds) from segment_seconds(steps, point_count)) * interval '1 second'
      or (point_count > 1 and (select bool_or(step <= 0) from unnest(steps[least(2, cardinality(steps)):]) step)))
    union all
    select 'twice' from metric_points p join metric_segments g using (individual_id, series_id)
    where p.${whose} and p.time between g.first_time and g.last_time
      and p.time in (select g.first_time + seconds * interval '1 second'
        from segment_seconds(g.steps, g.point_count))
    union all
    select 'nobody''s ' || held.what from (
      select 'segment' as what, individual_id, series_id from metric_segments
      union all select 'point', individual_id, series_id from metric_points
      union all select 'replaced point', individual_id, series_id from metric_replaced_points) held
    where held.${whose} and not exists (select from metric_series s
      where s.individual_id = held.individual_id and s.id = held.series_id)
    union all
    select 'count' from metric_series s where ${whose} and point_count <>
      (select coalesce(sum(point_count), 0) from metric_segments g where g.individual_id = s.individual_id and g.series_id = s.id)
      + (select count(*) from metric_points p where p.individual_id = s.individual_id and p.series_id = s.id)`.execute(
    db,
  )
  expect(rows).toEqual([])
}

const newestOf = ({ points }: Pick<Series, 'points'>) => Math.max(...points.keys())

async function expectSeriesRows(db: Database, individualIds: string[], model: MetricsModel): Promise<void> {
  const rows = await db
    .selectFrom('metricSeries')
    .select(['individualId', 'type', 'source', 'firstTime', 'lastTime', 'lastPoint'])
    .select(sql<number>`point_count::float8`.as('count'))
    .where('individualId', 'in', individualIds)
    .execute()
  const expected = model.series.map(({ individualId, type, source, points }) => ({
    individualId,
    type,
    source,
    count: points.size,
    firstTime: new Date(Math.min(...points.keys()) * 1000),
    lastTime: new Date(newestOf({ points }) * 1000),
    lastPoint: points.get(newestOf({ points }))?.fields,
  }))
  const keyOf = (one: { individualId: string; type: string; source: string }) =>
    `${one.individualId} ${one.type} ${one.source}`
  const inOrder = <T extends Parameters<typeof keyOf>[0]>(all: T[]) =>
    all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  expect(inOrder(rows)).toEqual(inOrder(expected))
}

/** One line for each point, from the view that shows each field as a row. */
async function expectPointRows(db: Database, individualIds: string[], model: MetricsModel): Promise<void> {
  const { rows } = await sql<{ key: string; fields: Record<string, unknown>; tag: string | null; rows: number }>`
    select concat_ws(' ', individual_id, type, source, extract(epoch from time)::int8) as key, count(*)::int as rows,
      coalesce(jsonb_object_agg(field, coalesce(to_jsonb(number), to_jsonb(text)))
        filter (where number is not null or text is not null), '{}') as fields, min(tag) as tag
    from metric_point_rows where individual_id = any(${individualIds}::uuid[])
    group by individual_id, type, source, time`.execute(db)
  const found = rows.map(({ key, fields, tag, rows: count }) => [key, words(fields), tag, count].join(' '))
  const expected = model.series.flatMap(({ individualId, type, source, points }) => {
    const { isOpen, fields: declared } = typeNamed(type)
    const count = isOpen ? 1 : Object.keys(declared).length
    return Array.from(points, ([time, { fields, tag }]) => {
      const said = isOpen ? { fields: words(fields) } : fields
      return [`${individualId} ${type} ${source} ${time}`, words(said), tag, count].join(' ')
    })
  })
  expect(found.sort()).toEqual(expected.sort())
}

const words = (fields: object) =>
  JSON.stringify(Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))))
