// Reading points: ranges, pages, sources and what points said before, however they are stored.

import { sql } from 'kysely'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { compact } from '../../src/features/metrics/compaction.ts'
import { call, makeOrganization, makePerson } from '../support/service.ts'
import {
  type Clinic,
  faultsOf,
  moments,
  openClinic,
  type Point,
  pointsOf,
  push,
  read,
  readPath,
  rowCounts,
  TIMESERIES,
} from './clinic.ts'

let clinic: Clinic

beforeAll(async () => {
  clinic = await openClinic()
})

const steps = (time: string, value: number, more: object = {}): Point => ({ type: 'Steps', time, value, ...more })

/** Pushes in parts of so many points, and answers what has to be read. */
async function pushed(id: string, source: string, points: Point[], size: number): Promise<Point[]> {
  for (let start = 0; start < points.length; start += size) {
    const { status } = await push(clinic, id, points.slice(start, start + size), source)
    expect(status).toBe(201)
  }
  return points.map((point) => ({ ...point, source }))
}

const inOrder = (points: Point[]): Point[] =>
  points.toSorted((a, b) => {
    const [mine, theirs] = [`${a.time} ${a.source}`, `${b.time} ${b.source}`]
    return mine < theirs ? -1 : mine > theirs ? 1 : 0
  })

async function compactAll(id: string): Promise<void> {
  const { db } = clinic.service
  const series = await db.selectFrom('metricSeries').select('id').where('individualId', '=', id).execute()
  for (const { id: seriesId } of series) await compact(db, { individualId: id, seriesId })
}

/** Every page of so many, one after the other. */
async function allPages(id: string, limit: number, more: Record<string, string> = {}): Promise<Point[]> {
  const points: Point[] = []
  for (let offset = 0; ; offset += limit) {
    const page = { 'page[limit]': String(limit), 'page[offset]': String(offset) }
    const { body } = await read(clinic, id, 'Steps', { ...page, ...more })
    points.push(...body.data)
    if (offset + limit >= body.meta['page[total]']) {
      expect(body.meta['page[total]']).toBe(points.length)
      return points
    }
    expect(body.data).toHaveLength(limit)
  }
}

/** What must hold of any stored points: every page, both ways, of any time, with an exact total. */
async function expectReadable(id: string, points: Point[]): Promise<void> {
  const sorted = inOrder(points)
  expect(await allPages(id, 1000)).toEqual(sorted)
  expect(await allPages(id, 333)).toEqual(sorted)
  expect(await allPages(id, 700, { sort: '-time' })).toEqual(sorted.toReversed())
  const total = sorted.length
  for (const offset of [0, 1, 15, 16, Math.floor(total / 2), total - 1]) {
    for (const sort of ['time', '-time']) {
      const ordered = sort === 'time' ? sorted : sorted.toReversed()
      const page = { sort, 'page[limit]': '7', 'page[offset]': String(offset) }
      const { body } = await read(clinic, id, 'Steps', page)
      expect(body.data).toEqual(ordered.slice(offset, offset + 7))
      expect(body.meta).toEqual({ 'page[offset]': offset, 'page[limit]': 7, 'page[total]': total })
    }
  }
  for (const offset of [total, total + 1, 2 ** 53 - 1]) {
    const { status, body } = await read(clinic, id, 'Steps', { 'page[offset]': String(offset) })
    expect([status, body.data, body.meta['page[total]']]).toEqual([200, [], total])
  }
  for (const [from, to] of [
    [1, 1],
    [0, 20],
    [17, 450],
    [total - 30, total - 2],
    [Math.floor(total / 2), total - 1],
  ] as const) {
    const [begin, end] = [String(sorted[from]?.time), String(sorted[to]?.time)]
    const expected = sorted.filter(({ time }) => String(time) >= begin && String(time) <= end)
    const { body } = await read(clinic, id, 'Steps', { 'begin-datetime': begin, 'end-datetime': end })
    expect([body.meta['page[total]'], body.data]).toEqual([expected.length, expected.slice(0, 1000)])
    const range = { 'begin-datetime': begin, 'end-datetime': end, sort: '-time' }
    expect(await allPages(id, 111, range)).toEqual(expected.toReversed())
  }
}

describe('points that are stored', () => {
  test('loose, one push each', async () => {
    const id = await clinic.newPatient()
    const points = moments('2023-01-01 00:00:00', 500, 3607).map((time, index) => steps(time, index))
    await expectReadable(id, await pushed(id, 'watch', points, 9))
  })

  test('in segments of dense and of sparse days', async () => {
    const id = await clinic.newPatient()
    const dense = moments('2023-01-01 00:00:00', 3000, 47).map((time, index) => steps(time, index))
    const sparse = moments('2023-02-01 00:00:00', 1200, 9001).map((time, index) => steps(time, index))
    await expectReadable(id, await pushed(id, 'watch', [...dense, ...sparse], 1000))
  })

  test('of two sources between each other, with times in common, before and after they are put together', async () => {
    const id = await clinic.newPatient()
    const times = moments('2023-01-01 00:00:00', 2400, 60)
    const one = await pushed(
      id,
      'a',
      times.filter((_, place) => place % 2 === 0).map((time) => steps(time, 1)),
      40,
    )
    const other = await pushed(
      id,
      'B',
      times.filter((_, place) => place % 3 === 0).map((time) => steps(time, 2)),
      10,
    )
    const all = [...one, ...other]
    await expectReadable(id, all)
    await compactAll(id)
    await expectReadable(id, all)
  })

  test('late, out of order and between the points of segments, with tags and offsets here and there', async () => {
    const id = await clinic.newPatient()
    const points = moments('2023-01-01 00:00:00', 2100, 120).map((time, index) =>
      steps(time, index, index % 50 === 3 ? { tags: `tag ${index % 100}` } : {}),
    )
    const parts = [0, 3, 1, 6, 2, 5, 4].map((part) => points.filter((_, place) => place % 7 === part))
    const all: Point[] = []
    for (const [part, some] of parts.entries())
      all.push(...(await pushed(id, 'watch', some, [900, 20, 5, 33][part % 4] as number)))
    await expectReadable(id, all)
    await compactAll(id)
    await expectReadable(id, all)
  })

  test('and then changed, in segments and loose', async () => {
    const id = await clinic.newPatient()
    const points = moments('2023-01-01 00:00:00', 1500, 90).map((time, index) => steps(time, index))
    await pushed(id, 'watch', points.slice(0, 1480), 740)
    await pushed(id, 'watch', points.slice(1480), 10)
    const changed = points.map((point, index) => (index % 11 === 0 ? { ...point, value: -1 + 1_000_000 } : point))
    const answer = await push(clinic, id, changed.toReversed(), 'watch')
    const updated = Math.ceil(1500 / 11)
    expect(answer.body.data[0].attributes).toMatchObject({ stored: 0, updated, unchanged: 1500 - updated })
    await expectReadable(
      id,
      changed.map((point) => ({ ...point, source: 'watch' })),
    )
    const both = await allPages(id, 400, { 'include-deleted': 'true' })
    expect(both.filter((point) => 'deleted-at' in point)).toHaveLength(updated)
    expect(both.map(({ time }) => time)).toEqual(both.map(({ time }) => time).toSorted())
    expect(both).toHaveLength(1500 + updated)
    const [before, after] = both
    expect([before, after]).toEqual([
      { ...points[0], source: 'watch', 'deleted-at': expect.any(String), 'deleted-by': clinic.admin.userId },
      { ...changed[0], source: 'watch' },
    ])
  })
})

describe('a range', () => {
  test('includes both ends, in any way of writing them', async () => {
    const id = await clinic.newPatient()
    const times = moments('2023-01-01 00:00:00', 30, 1)
    await push(
      clinic,
      id,
      times.map((time) => steps(time, 1)),
    )
    const within = async (begin?: string, end?: string) => {
      const range = { ...(begin ? { 'begin-datetime': begin } : {}), ...(end ? { 'end-datetime': end } : {}) }
      return (await pointsOf(clinic, id, 'Steps', range)).map(({ time }) => time)
    }
    expect(await within(times[3], times[5])).toEqual(times.slice(3, 6))
    expect(await within(times[3], times[3])).toEqual([times[3]])
    expect(await within(times[28])).toEqual(times.slice(28))
    expect(await within(undefined, times[1])).toEqual(times.slice(0, 2))
    expect(await within(times[5], times[3])).toEqual([])
    expect(await within('2023-01-01T05:30:03+05:30', '2023-01-01T00:00:05Z')).toEqual(times.slice(3, 6))
    expect(await within('2023-01-01T00:00:02.001Z', '2023-01-01T00:00:05.999Z')).toEqual(times.slice(3, 6))
    expect(await within('0001-01-01 00:00:00', '9999-12-31 23:59:59')).toEqual(times)
    expect(await within('2022-12-31 23:59:59', '2022-12-31 23:59:59')).toEqual([])
  })

  test('reaches from the first year to the last', async () => {
    const id = await clinic.newPatient()
    const times = ['0001-01-01 00:00:00', '1700-06-15 12:00:00', '1969-12-31 23:59:59', '9999-12-31 23:59:59']
    const points = times.flatMap((time) =>
      moments(time.slice(0, 10) === '9999-12-31' ? '9999-12-31 23:59:40' : time, 20, 1),
    )
    await push(
      clinic,
      id,
      points.map((time) => steps(time, 1)),
    )
    expect((await pointsOf(clinic, id, 'Steps')).map(({ time }) => time)).toEqual(points)
    expect((await pointsOf(clinic, id, 'Steps', { sort: '-time' })).map(({ time }) => time)).toEqual(
      points.toReversed(),
    )
  })
})

describe('sources', () => {
  test('are chosen in any case, several with commas, and a name has to be whole', async () => {
    const id = await clinic.newPatient()
    for (const source of ['Watch', 'watch', 'Cuff', 'Ü scale'])
      await push(clinic, id, [steps('2023-01-01 00:00:00', 1)], source)
    const named = async (name: string) =>
      (await pointsOf(clinic, id, 'Steps', { 'filter[source]': name })).map(({ source }) => source)
    expect(await named('WATCH')).toEqual(['Watch', 'watch'])
    expect(await named('cuff,watch')).toEqual(['Cuff', 'Watch', 'watch'])
    expect(await named('ü SCALE')).toEqual(['Ü scale'])
    expect(await named('wat')).toEqual([])
    expect(await named('%')).toEqual([])
    const { body } = await read(clinic, id, 'Steps', { 'filter[source]': 'cuff' })
    expect(body.meta['page[total]']).toBe(1)
  })

  test('are listed with their counts, times and newest points', async () => {
    const id = await clinic.newPatient()
    await push(
      clinic,
      id,
      moments('2023-01-01 00:00:00', 20, 60).map((time, index) => steps(time, index)),
      'watch',
    )
    await push(clinic, id, [steps('2023-01-01 00:05:30', 9)], 'watch')
    await push(clinic, id, [steps('2023-01-01 00:19:00', 500)], 'watch')
    await push(
      clinic,
      id,
      [{ type: 'BloodGlucose', time: '2023-01-02 00:00:00', value: 90.5, context: 'FASTING' }],
      'Meter',
    )
    const list = async (more = '') =>
      (
        await call(clinic.service, `/lachesis/v2/source-summaries/?individual-id=${id}${more}`, {
          token: clinic.admin.token,
        })
      ).body
    const meter = {
      ...{ type: 'BloodGlucose', source: 'Meter', count: 1, 'first-time': '2023-01-02 00:00:00' },
      ...{ 'last-time': '2023-01-02 00:00:00', 'last-point': { value: 90.5, context: 'FASTING' } },
    }
    const watch = {
      ...{ type: 'Steps', source: 'watch', count: 21, 'first-time': '2023-01-01 00:00:00' },
      ...{ 'last-time': '2023-01-01 00:19:00', 'last-point': { value: 500 } },
    }
    expect((await list()).data).toEqual([meter, watch])
    expect((await list('&filter[type]=Steps')).data).toEqual([watch])
    expect((await list('&filter[source]=METER')).data).toEqual([meter])
    expect(await list('&page[limit]=1&page[offset]=1')).toMatchObject({ data: [watch], meta: { 'page[total]': 2 } })
  })
})

describe('a read', () => {
  test.each([
    ['no individual', 'type=Steps', 'individual-id'],
    ['no type', `individual-id=${v7()}`, 'type'],
    ['an unknown type', `individual-id=${v7()}&type=steps`, 'type'],
    ['a wrong time', `individual-id=${v7()}&type=Steps&begin-datetime=2023-02-29%2000:00:00`, 'begin-datetime'],
    ['another order', `individual-id=${v7()}&type=Steps&sort=value`, 'sort'],
    ['an unknown parameter', `individual-id=${v7()}&type=Steps&from=1`, 'from'],
    ['too long a page', `individual-id=${v7()}&type=Steps&page[limit]=1000000`, 'page[limit]'],
  ])('with %s is refused', async (_, query, parameter) => {
    const answer = await call(clinic.service, `${TIMESERIES}?${query}`, { token: clinic.admin.token })
    expect([answer.status, answer.body.errors[0].meta.parameter]).toEqual([400, parameter])
  })

  test('of someone without points answers none', async () => {
    const id = await clinic.newPatient()
    expect((await read(clinic, id, 'Steps')).body).toMatchObject({ data: [], meta: { 'page[total]': 0 } })
  })
})

describe('what points said before', () => {
  test('is for administrators of the organization alone', async () => {
    const id = await clinic.newPatient()
    await push(clinic, id, [steps('2023-01-01 00:00:00', 1)])
    await push(clinic, id, [steps('2023-01-01 00:00:00', 2)])
    const { organizationId, service } = clinic
    const provider = await makePerson(service, [
      { organizationId, role: 'provider' },
      { organizationId: await makeOrganization(service, 'Elsewhere'), role: 'org-admin' },
    ])
    const asked = (includeDeleted: string) =>
      call(service, readPath(id, 'Steps', { 'include-deleted': includeDeleted }), { token: provider.token })
    const refused = await asked('true')
    expect([refused.status, faultsOf(refused)]).toEqual([403, ['PermissionDenied']])
    expect((await asked('false')).body.data).toHaveLength(1)
    expect(await pointsOf(clinic, id, 'Steps', { 'include-deleted': 'true' })).toHaveLength(2)
  })
})

describe('erasing', () => {
  test('takes everything of one person, and what is pushed afterwards begins anew', async () => {
    const [id, other] = [await clinic.newPatient(), await clinic.newPatient()]
    const before = await rowCounts(clinic)
    const points = moments('2023-01-01 00:00:00', 40, 60).map((time) => ({ type: 'Pulse', time, value: 60 }))
    await push(clinic, id, points)
    await push(clinic, id, [{ type: 'Pulse', time: '2023-01-01 00:00:00', value: 61 }])
    await push(clinic, id, [steps('2023-01-01 00:00:00', 2)])
    const path = `/lachesis/v1/individual-metrics/${id}/`
    const erased = await call(clinic.service, path, { method: 'DELETE', token: clinic.admin.token })
    expect(erased.status).toBe(204)
    expect(await rowCounts(clinic)).toEqual(before)
    expect((await call(clinic.service, path, { method: 'DELETE', token: clinic.admin.token })).status).toBe(204)
    expect(await pointsOf(clinic, id, 'Pulse', { 'include-deleted': 'true' })).toEqual([])
    await push(clinic, other, points)
    expect((await push(clinic, id, points.slice(0, 2))).body.data[0].attributes.stored).toBe(2)
    expect(await pointsOf(clinic, id, 'Pulse')).toHaveLength(2)
    const view = await sql`select from metric_point_rows where individual_id = ${id}`.execute(clinic.service.db)
    expect(view.rows).toHaveLength(2)
  })
})
