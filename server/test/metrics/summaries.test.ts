// Summaries by hour, day, week and month, held against points that are summed one by one.

import { metricTypes } from '@almoner/contract/metrics/metric-types'
import { beforeAll, describe, expect, test } from 'vitest'
import { compact } from '../../src/features/metrics/compaction.ts'
import { type Answer, call } from '../support/service.ts'
import { type Clinic, moments, openClinic, type Point, pointsOf, printed, push as sent } from './clinic.ts'

let clinic: Clinic

beforeAll(async () => {
  clinic = await openClinic()
})

const ask = (id: string, type: string, more: Record<string, string> = {}): Promise<Answer> =>
  call(
    clinic.service,
    `/lachesis/v1/timeseries-summaries/?${new URLSearchParams({ 'individual-id': id, type, 'page[limit]': '1000', ...more })}`,
    { token: clinic.admin.token },
  )
async function push(...points: Parameters<typeof sent>): Promise<void> {
  expect((await sent(...points)).status).toBe(201)
}

const steps = (time: string, value: number): Point => ({ type: 'Steps', time, value })
const secondsOf = (time: unknown): number => Date.parse(`${String(time).replace(' ', 'T')}Z`) / 1000

/** By the clock of a zone, `YYYY-MM-DD hh:mm:ss`. */
function clockOf(timeZone: string): (seconds: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (seconds) => format.format(seconds * 1000)
}

/** Names the period of a local time: its hour, its day, the Monday of its week, its month. */
function periodOf(period: string, local: string): string {
  if (period === 'hour') return local.slice(0, 13)
  if (period === 'month') return local.slice(0, 7)
  const day = new Date(`${local.slice(0, 10)}T00:00:00Z`)
  if (period === 'week') day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return day.toISOString().slice(0, 10)
}

interface Figures {
  count: number
  minimum: number
  maximum: number
  mean: number
  first: number
  last: number
  sum?: number
}

function figuresOf(values: number[], isAdditive: boolean): Figures {
  const sum = values.reduce((total, value) => total + value, 0)
  const [first, last] = [values[0] as number, values.at(-1) as number]
  const [minimum, maximum] = [Math.min(...values), Math.max(...values)]
  const figures = { count: values.length, minimum, maximum, mean: sum / values.length, first, last }
  return isAdditive ? { ...figures, sum } : figures
}

/** What has to be answered, from the points in the order of time. An hour that comes twice is two. */
function expected(points: Point[], period: string, zone: string): [start: string, Record<string, Figures>][] {
  const clock = clockOf(zone)
  const groups = new Map<string, Point[]>()
  for (const point of points) {
    const seconds = secondsOf(point.time)
    const local = clock(seconds)
    const ahead = secondsOf(local) - seconds
    const key = `${periodOf(period, local)}${period === 'hour' ? `|${ahead}` : ''}`
    groups.set(key, [...(groups.get(key) ?? []), point])
  }
  return [...groups].map(([key, some]) => {
    const fields = Object.entries(metricTypes.get(String(some[0]?.type))?.fields ?? {})
    const figures = fields.flatMap(([name, { isAdditive }]) => {
      const values = some.flatMap((point) => (typeof point[name] === 'number' ? [point[name]] : []))
      return values.length > 0 ? [[name, figuresOf(values, isAdditive ?? false)] as const] : []
    })
    return [key.split('|')[0] as string, Object.fromEntries(figures)]
  })
}

interface Summary {
  start: string
  end: string
  'local-start': string
  fields: Record<string, Figures>
}

/** Compares an answer with the points it is of. */
function expectSummaries({ status, body }: Answer, points: Point[], period: string, zone: string): void {
  expect(status).toBe(200)
  const clock = clockOf(zone)
  const data: Summary[] = body.data
  for (const { start, end, 'local-start': local } of data) {
    expect(clock(secondsOf(start))).toBe(local)
    expect(secondsOf(end)).toBeGreaterThan(secondsOf(start))
    expect(periodOf(period, clock(secondsOf(end) - 1))).toBe(periodOf(period, local))
    if (period !== 'hour') expect(periodOf(period, clock(secondsOf(start) - 1))).not.toBe(periodOf(period, local))
  }
  const wanted = expected(points, period, zone)
  expect(data.map((one) => periodOf(period, one['local-start']))).toEqual(wanted.map(([key]) => key))
  for (const [index, { fields }] of data.entries()) {
    const figures = wanted[index]?.[1] ?? {}
    expect(Object.keys(fields).sort()).toEqual(Object.keys(figures).sort())
    for (const [name, { mean, sum, ...exact }] of Object.entries(figures)) {
      expect(fields[name]).toMatchObject(exact)
      expect(fields[name]?.mean).toBeCloseTo(mean, 6)
      if (sum === undefined) expect(fields[name]).not.toHaveProperty('sum')
      else expect(fields[name]?.sum).toBeCloseTo(sum, 4)
    }
  }
  expect(body.meta['page[total]']).toBe(wanted.length)
}

const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Chatham', 'America/Sao_Paulo']

describe.each(ZONES)('in %s', (timezone) => {
  test.each([
    ['hour', '2023-11-04 20:00:00', 400, 851],
    ['hour', '2023-03-11 20:00:00', 400, 307],
    ['hour', '2018-02-17 12:00:00', 400, 613],
    ['day', '2023-03-01 00:00:00', 900, 2401],
    ['day', '2018-10-30 00:00:00', 155, 7001],
    ['week', '2022-12-10 00:00:00', 300, 86_400],
    ['month', '2022-10-01 00:00:00', 300, 200_001],
  ])('each %s from %s is summed, of segments and of loose points', async (period, start, count, step) => {
    const id = await clinic.newPatient()
    const points = moments(start, count, step).map((time, index) => steps(time, (index * 37) % 501))
    for (const part of [points.slice(0, 150), points.slice(150, 152), points.slice(152)])
      if (part.length > 0) await push(clinic, id, part)
    expectSummaries(await ask(id, 'Steps', { period, timezone }), points, period, timezone)
  })
})

describe('the change of clocks in New York', () => {
  const zone = { timezone: 'America/New_York' }

  test.each([
    ['2023-03-12', '2023-03-12 05:00:00', '2023-03-13 04:00:00', 23],
    ['2023-11-05', '2023-11-05 04:00:00', '2023-11-06 05:00:00', 25],
    ['2023-07-01', '2023-07-01 04:00:00', '2023-07-02 04:00:00', 24],
  ])('makes %s a day of its own length', async (day, start, end, hours) => {
    const id = await clinic.newPatient()
    const times = moments(printed((secondsOf(start) - 3600) * 1000), (hours + 2) * 12, 300)
    await push(
      clinic,
      id,
      times.map((time) => steps(time, 2)),
    )
    const { body } = await ask(id, 'Steps', zone)
    const count = hours * 12
    expect(body.data[1]).toEqual({
      ...{ start, end, 'local-start': `${day} 00:00:00` },
      fields: { value: { count, minimum: 2, maximum: 2, mean: 2, first: 2, last: 2, sum: 2 * count } },
    })
    const range = { 'begin-datetime': start, 'end-datetime': printed((secondsOf(end) - 1) * 1000) }
    const byHour = await ask(id, 'Steps', { ...zone, ...range, period: 'hour' })
    expect(byHour.body.data).toHaveLength(hours)
    const locals = byHour.body.data.map((one: Summary) => one['local-start'].slice(11, 13))
    if (hours === 23) expect(locals).not.toContain('02')
    if (hours === 25) expect(locals.filter((local: string) => local === '01')).toHaveLength(2)
  })
})

describe('a range', () => {
  test('cuts segments and periods to the second, both ends included', async () => {
    const id = await clinic.newPatient()
    const times = moments('2023-05-01 00:00:00', 3000, 60)
    const points = times.map((time, index) => steps(time, index))
    for (let start = 0; start < points.length; start += 1000) await push(clinic, id, points.slice(start, start + 1000))
    for (const [from, to] of [
      [0, 2999],
      [61, 61],
      [59, 60],
      [1439, 1441],
      [700, 2222],
    ] as const)
      for (const timezone of ['UTC', 'Asia/Kolkata'])
        for (const period of ['hour', 'day']) {
          const range = { 'begin-datetime': String(times[from]), 'end-datetime': String(times[to]) }
          const answer = await ask(id, 'Steps', { period, timezone, ...range })
          expectSummaries(answer, points.slice(from, to + 1), period, timezone)
        }
    const none = { 'begin-datetime': '2023-05-01 00:00:01', 'end-datetime': '2023-05-01 00:00:59' }
    expect((await ask(id, 'Steps', none)).body).toMatchObject({ data: [], meta: { 'page[total]': 0 } })
    const backwards = { 'begin-datetime': '2023-05-02 00:00:00', 'end-datetime': '2023-05-01 00:00:00' }
    expect((await ask(id, 'Steps', backwards)).body.data).toEqual([])
  })

  test('is summed the same after late points, changes and putting together', async () => {
    const id = await clinic.newPatient()
    const times = moments('2023-05-01 00:00:00', 1200, 120)
    const early = times.filter((_, place) => place % 5 !== 2).map((time, index) => steps(time, index))
    await push(clinic, id, early)
    for (let place = 2; place < times.length; place += 50) await push(clinic, id, [steps(String(times[place]), 7)])
    await push(
      clinic,
      id,
      times.filter((_, place) => place % 17 === 0).map((time) => steps(time, 9999)),
    )
    const { db } = clinic.service
    for (const isCompact of [false, true]) {
      if (isCompact)
        for (const { id: seriesId } of await db
          .selectFrom('metricSeries')
          .select('id')
          .where('individualId', '=', id)
          .execute())
          await compact(db, { individualId: id, seriesId })
      const points = [
        ...(await pointsOf(clinic, id, 'Steps')),
        ...(await pointsOf(clinic, id, 'Steps', { 'page[offset]': '1000' })),
      ]
      for (const period of ['hour', 'day', 'week', 'month'])
        expectSummaries(await ask(id, 'Steps', { period }), points, period, 'UTC')
    }
  })

  test('pages, with an exact total, and takes sources in any case', async () => {
    const id = await clinic.newPatient()
    const points = moments('2023-05-01 00:00:00', 60, 43_200).map((time, index) => steps(time, index))
    await push(clinic, id, points, 'Watch')
    await push(clinic, id, [steps('2023-05-01 06:00:00', 1_000_000)], 'phone')
    const all: Summary[] = (await ask(id, 'Steps')).body.data
    const page = await ask(id, 'Steps', { 'page[limit]': '7', 'page[offset]': '25' })
    expect(page.body.data).toEqual(all.slice(25))
    expect(page.body.meta).toEqual({ 'page[offset]': 25, 'page[limit]': 7, 'page[total]': 30 })
    expect(all[0]?.fields.value).toMatchObject({ count: 3, maximum: 1_000_000, first: 0, last: 1 })
    expectSummaries(await ask(id, 'Steps', { 'filter[source]': 'WATCH' }), points, 'day', 'UTC')
    const both = await ask(id, 'Steps', { 'filter[source]': 'PHONE,watch' })
    expect(both.body.data).toEqual(all)
    expect((await ask(id, 'Steps', { 'filter[source]': 'other' })).body.data).toEqual([])
  })
})

describe('fields', () => {
  test('are summed where amounts add up, and left out where no point has them', async () => {
    const id = await clinic.newPatient()
    const activity = (time: string, more: object): Point => ({ type: 'DailyActivity', time, ...more })
    const points = moments('2023-05-01 00:00:00', 40, 60).map((time, index) =>
      activity(time, index % 2 === 0 ? { steps: index, distance: 0.1 } : { calories: 3 }),
    )
    await push(clinic, id, points)
    await push(clinic, id, [activity('2023-05-02 00:00:00', { floors: 0 })])
    const all = [...points, activity('2023-05-02 00:00:00', { floors: 0 })]
    for (const period of ['hour', 'day', 'month'])
      expectSummaries(await ask(id, 'DailyActivity', { period }), all, period, 'UTC')
    const pressure = { type: 'BloodPressure', time: '2023-05-01 00:00:00', systolic: 120, diastolic: 80 }
    await push(clinic, id, [pressure])
    const { body } = await ask(id, 'BloodPressure')
    const figures = (value: number) => ({
      count: 1,
      minimum: value,
      maximum: value,
      mean: value,
      first: value,
      last: value,
    })
    expect(body.data[0].fields).toEqual({ systolic: figures(120), diastolic: figures(80) })
  })

  test('that are no numbers leave nothing to sum', async () => {
    const id = await clinic.newPatient()
    for (const type of ['PotassiumLevel', 'SleepAnalysis', 'Auscultation', 'PeriodicPulse']) {
      const { status, body } = await ask(id, type)
      expect([status, body.errors[0].code, body.errors[0].meta.parameter]).toEqual([400, 'InvalidParameter', 'type'])
    }
    const medication = { type: 'Medication', time: '2023-05-01 00:00:00', name: 'A' }
    await push(clinic, id, [medication, { ...medication, time: '2023-05-02 00:00:00', value: 2, unit: 'mg' }])
    const { body } = await ask(id, 'Medication')
    expect(body.data).toHaveLength(1)
    expect(body.data[0].fields).toEqual({ value: { count: 1, minimum: 2, maximum: 2, mean: 2, first: 2, last: 2 } })
  })
})

describe('a summary', () => {
  test.each([
    ['timezone', 'Mars/Olympus'],
    ['timezone', ''],
    ['timezone', 'x'.repeat(65)],
    ['period', 'year'],
    ['type', 'steps'],
    ['begin-datetime', '2023-02-29 00:00:00'],
    ['individual-id', 'x'],
  ])('with the %s %j is refused', async (parameter, value) => {
    const { status, body } = await ask(await clinic.newPatient(), 'Steps', { [parameter]: value })
    expect([status, body.errors[0].meta.parameter]).toEqual([400, parameter])
  })

  test('of the first or last day there is: its bounds lie outside the years that can be printed, and it is a 500', async () => {
    for (const [time, timezone] of [
      ['0001-01-01 00:00:00', 'America/New_York'],
      ['9999-12-31 23:59:59', 'UTC'],
    ] as const) {
      const id = await clinic.newPatient()
      await push(clinic, id, [steps(time, 1)])
      expect((await ask(id, 'Steps', { timezone })).status).toBe(200)
    }
  })

  test('of two points far apart: every period between them is computed, which stops the service for a while', async () => {
    const id = await clinic.newPatient()
    await push(clinic, id, [steps('1800-01-01 00:00:00', 1), steps('2023-01-01 00:00:00', 1)])
    const started = performance.now()
    await ask(id, 'Steps', { timezone: 'America/Chicago', period: 'hour' })
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

test('the catalogue names all 41 types and finds them by a part of their names', async () => {
  const list = async (query = '') =>
    (await call(clinic.service, `/lachesis/v1/metric-types/${query}`, { token: clinic.admin.token })).body
  const all = await list()
  expect([all.data.length, all.meta['page[total]']]).toEqual([41, 41])
  expect(all.data.map(({ name }: { name: string }) => name)).toEqual([...metricTypes.keys()])
  const names = async (query: string) => (await list(query)).data.map(({ name }: { name: string }) => name)
  expect(await names('?filter[name]=bloodpressure')).toEqual(['BloodPressure'])
  expect(await names('?filter[name]=PULSE,steps')).toEqual(['Pulse', 'Steps'])
  expect(await names('?filter[name][contains]=pollen')).toHaveLength(3)
  expect(await names('?page[limit]=2&page[offset]=40')).toEqual(['WaterIntake'])
  const glucose = (await list('?filter[name]=BloodGlucose')).data[0]
  expect(glucose).toMatchObject({ name: 'BloodGlucose', 'is-deprecated': false, 'is-open': false })
  expect(glucose.fields[0]).toMatchObject({ name: 'value', kind: 'float', unit: 'mg/dL', minimum: 0, maximum: 5000 })
  expect(glucose.fields[1]).toMatchObject({ name: 'context', 'is-optional': true, minimum: null })
})
