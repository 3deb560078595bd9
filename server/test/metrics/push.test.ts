// What a push takes, what it refuses and where, and that what is refused leaves nothing behind.

import { type MetricField, type MetricType, metricTypes } from '@almoner/contract/metrics/metric-types'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, call } from '../support/service.ts'
import {
  type Clinic,
  faultsOf,
  item,
  moments,
  openClinic,
  type Point,
  pointsOf,
  push,
  pushItems,
  rowCounts,
  TIMESERIES,
} from './clinic.ts'

let clinic: Clinic

beforeAll(async () => {
  clinic = await openClinic()
})

const TIME = '2023-05-01 10:00:00'
const CODE = '0198c5a0-7d2c-7a31-9c55-3f6f0f1b2c3d'
const at = (place: number, field = '') => `/data/0/attributes/data/${place}${field && `/${field}`}`
const pulse = (more: object = {}): Point => ({ type: 'Pulse', time: TIME, value: 60, ...more })
const outcome = ({ body }: Answer) =>
  body.data.map(({ attributes: { stored, updated, unchanged } }: { attributes: Record<string, number> }) => [
    stored,
    updated,
    unchanged,
  ])

/** Pushes what has to be refused, and sees that no row came to be. */
async function refusal(points: unknown, more: { type?: unknown; source?: unknown } = {}): Promise<string[]> {
  const id = await clinic.newPatient()
  const before = await rowCounts(clinic)
  const answer = await pushItems(clinic, clinic.admin.token, [item(id, points, more)])
  expect(answer.status).toBe(400)
  expect(await rowCounts(clinic)).toEqual(before)
  return faultsOf(answer)
}

/** Values at the edges of what a field takes. */
function good({ kind, minimum, maximum, values }: MetricField): unknown[] {
  if (kind === 'enumeration') return [...(values ?? [])]
  if (kind === 'text') return ['x', 'é😀 "\\{},NULL', 'x'.repeat(255)]
  if (kind === 'uuid') return [CODE, CODE.replace('0198', 'ffff')]
  const [low, high] = [minimum as number, maximum as number]
  const inside = kind === 'float' ? [low + (high - low) / 3, low + 1e-9, 0.1 + 0.2] : [Math.floor((low + high) / 3)]
  return [low, high, ...inside]
}

function bad({ kind, minimum, maximum }: MetricField): unknown[] {
  const odd = [null, [], [1], {}, true]
  if (kind === 'enumeration') return [...odd, '', 'fasting', 'Normal', 0, 1]
  if (kind === 'text') return [...odd, '', 'x'.repeat(256), 5]
  if (kind === 'uuid') return [...odd, '', `${CODE}0`, 'x', 5]
  const [low, high] = [minimum as number, maximum as number]
  const outside = kind === 'float' ? [low - 1e-6, high + 1e-3] : [low - 1, high + 1, low + 0.5]
  return [...odd, ...outside, '', '5', 'NaN', 'Infinity', -1e308, 1e308]
}

const OPEN_FIELDS = { rate: 5.5, quiet: false, '': '', 'a/b~c': 'x'.repeat(255), low: 5e-324, high: 1e308, 'é"': 'é' }
const fieldsOf = (type: MetricType, round: number): Point =>
  type.isOpen
    ? { ...OPEN_FIELDS, round }
    : Object.fromEntries(
        Object.entries(type.fields).map(([name, field]) => {
          const values = good(field)
          return [name, values[round % values.length]]
        }),
      )
const required = (type: MetricType): Point =>
  Object.fromEntries(
    Object.entries(type.fields).flatMap(([name, field]) => (field.isOptional ? [] : [[name, good(field)[0]]])),
  )

describe.each([...metricTypes.values()].map((type) => [type.name, type] as const))('%s', (name, type) => {
  test('comes back as it was sent, at the bounds of every field, in ones and in many', async () => {
    for (const count of [6, 40]) {
      const id = await clinic.newPatient()
      const sent = moments(TIME, count, 61).map((time, round) => ({ type: name, time, ...fieldsOf(type, round) }))
      const more = required(type)
      if (Object.keys(more).length > 0) sent.push({ type: name, time: '2023-06-01 00:00:00', ...more })
      const answer = await push(clinic, id, sent, 'cuff')
      expect([answer.status, outcome(answer)]).toEqual([201, [[sent.length, 0, 0]]])
      expect(await pointsOf(clinic, id, name)).toEqual(sent.map((point) => ({ ...point, source: 'cuff' })))
      expect(outcome(await push(clinic, id, sent.toReversed(), 'cuff'))).toEqual([[0, 0, sent.length]])
    }
  })

  test('refuses every wrong value at its place, what is missing and what it does not know', async () => {
    const whole = fieldsOf(type, 0)
    const points: Point[] = []
    const expected: string[] = []
    const wrong = (point: Point, ...faults: [code: string, field: string][]) => {
      for (const [code, field] of faults) expected.push(`${code} ${at(points.length, field)}`)
      points.push({ type: name, time: TIME, ...point })
    }
    for (const [field, declared] of Object.entries(type.fields)) {
      for (const value of bad(declared)) wrong({ ...whole, [field]: value }, ['InvalidValue', field])
      if (!declared.isOptional) {
        const { [field]: _, ...rest } = whole
        const isAlone = Object.keys(rest).length === 0
        wrong(rest, ['MissingValue', field], ...(isAlone ? [['InvalidValue', ''] as [string, string]] : []))
      }
    }
    if (type.isOpen) {
      for (const value of [null, [], {}, 'x'.repeat(256)]) wrong({ any: value }, ['InvalidValue', 'any'])
      wrong({ ['x'.repeat(256)]: 1 }, ['InvalidValue', 'x'.repeat(256)])
      wrong({}, ['InvalidValue', ''])
      wrong(Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, index])), ['InvalidValue', ''])
    } else {
      wrong({ ...whole, other: 1 }, ['UnknownAttribute', 'other'])
      if (Object.keys(required(type)).length === 0) wrong({}, ['InvalidValue', ''])
    }
    expect((await refusal(points)).sort()).toEqual(expected.sort())
  })
})

describe('the time of a point', () => {
  test.each([
    ['2024-02-29 23:59:59', '2024-02-29 23:59:59', undefined],
    ['0001-01-01 00:00:00', '0001-01-01 00:00:00', undefined],
    ['9999-12-31 23:59:59', '9999-12-31 23:59:59', undefined],
    ['2023-05-01T10:00:00Z', '2023-05-01 10:00:00', '+00:00'],
    ['2023-05-01t10:00:00.999z', '2023-05-01 10:00:00', '+00:00'],
    ['2023-05-01T10:00:00+05:30', '2023-05-01 04:30:00', '+05:30'],
    ['2023-05-01T22:00:00.5-09:45', '2023-05-02 07:45:00', '-09:45'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31 23:59:59', '+00:00'],
  ])('%s is answered as %s', async (time, answered, offset) => {
    const id = await clinic.newPatient()
    expect((await push(clinic, id, [pulse({ time })])).status).toBe(201)
    const more = offset ? { 'utc-offset': offset } : {}
    expect(await pointsOf(clinic, id, 'Pulse')).toEqual([pulse({ time: answered, source: 'api', ...more })])
  })

  test('is refused where it is no real moment', async () => {
    const times = [
      ...['2023-02-29 10:00:00', '2023-13-01 10:00:00', '2023-00-10 10:00:00', '2023-04-31 10:00:00'],
      ...['2023-05-01 25:00:00', '2023-05-01 24:00:00', '2023-05-01 10:60:00', '2023-05-01 10:00:60'],
      ...['2023-05-01T10:00:00', '2023-05-01', '2023-05-01 10:00', '2023-05-01 10:00:00Z', '2023-05-01 10:00:00.5'],
      ...['2023-05-01T10:00:00+5:30', '2023-05-01T10:00:00+24:00', '2023-05-01T10:00:00+0530', '0000-01-01 00:00:00'],
      ...['0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '10000-01-01 00:00:00', '2023-5-1 10:00:00'],
      ...['2023-05-01  1:00:00', '2023-05-01 1 :00:00', ' 2023-05-01 10:00:00', '', 'now', 1_682_935_200, null, [], {}],
      ...['２０２３-05-01 10:00:00', '2023-05-01 +1:00:00', '2023-05-01 10:00:0a'],
    ]
    const faults = await refusal(times.map((time) => pulse({ time })))
    expect(faults).toEqual(times.map((_, place) => `InvalidValue ${at(place, 'time')}`))
    expect(await refusal([{ type: 'Pulse', value: 60 }])).toEqual([`MissingValue ${at(0, 'time')}`])
  })
})

describe('a body', () => {
  const nobody = v7()

  test.each([
    ['no data', {}, ['MissingValue /data']],
    ['a single item', { data: item(nobody, [pulse()]) }, ['InvalidValue /data']],
    ['no items', { data: [] }, ['InvalidValue /data']],
    ['no points', { data: [item(nobody, [], { type: 'Pulse' })] }, ['InvalidValue /data/0/attributes/data']],
    ['another kind', { data: [{ ...item(nobody, [pulse()]), type: 'pulse' }] }, ['InvalidValue /data/0/type']],
    ['a point that is null', { data: [item(nobody, [null], { type: 'Pulse' })] }, [`InvalidValue ${at(0)}`]],
    ['a point that is a list', { data: [item(nobody, [[]], { type: 'Pulse' })] }, [`InvalidValue ${at(0)}`]],
    ['an unknown id', { data: [item('x', [pulse()])] }, ['InvalidValue /data/0/attributes/individual-id']],
    [
      'an unknown type',
      { data: [item(nobody, [pulse()], { type: 'pulse' })] },
      ['InvalidValue /data/0/attributes/type'],
    ],
    [
      'an empty source',
      { data: [item(nobody, [pulse()], { source: '' })] },
      ['InvalidValue /data/0/attributes/source'],
    ],
  ])('with %s is refused', async (_, body, faults) => {
    const before = await rowCounts(clinic)
    const answer = await call(clinic.service, TIMESERIES, { token: clinic.admin.token, body })
    expect([answer.status, faultsOf(answer)]).toEqual([400, faults])
    expect(await rowCounts(clinic)).toEqual(before)
  })

  test('whose type is not among its points is refused, also when another item has it', async () => {
    expect(await refusal([pulse()], { type: 'Steps' })).toEqual(['InvalidValue /data/0/attributes/type'])
    const id = await clinic.newPatient()
    const items = [
      item(id, [pulse()]),
      item(id, [pulse()], { type: 'Steps' }),
      item(id, [{ ...pulse(), type: 'Steps' }]),
    ]
    const answer = await pushItems(clinic, clinic.admin.token, items)
    expect([answer.status, faultsOf(answer)]).toEqual([400, ['InvalidValue /data/1/attributes/type']])
    expect(await pointsOf(clinic, id, 'Pulse')).toEqual([])
  })

  test('lists the faults of all its items', async () => {
    const id = await clinic.newPatient()
    const items = [
      item(id, [pulse(), pulse({ type: 'pulse' }), { time: TIME, value: 1 }]),
      item(id, [pulse({ source: 5 }), pulse({ tags: '' }), pulse({ source: 'x'.repeat(256), tags: ['a'] })]),
    ]
    const second = '/data/1/attributes/data'
    const answer = await pushItems(clinic, clinic.admin.token, items)
    expect(faultsOf(answer)).toEqual([
      `InvalidValue ${at(1, 'type')}`,
      `MissingValue ${at(2, 'type')}`,
      `InvalidValue ${second}/0/source`,
      `InvalidValue ${second}/1/tags`,
      `InvalidValue ${second}/2/source`,
      `InvalidValue ${second}/2/tags`,
    ])
  })

  test('lists a thousand faults and counts the others', async () => {
    const wrong = (count: number) => moments(TIME, count, 1).map((time) => pulse({ time, value: 501 }))
    const thousand = await refusal(wrong(1000))
    expect([thousand.length, thousand.at(-1)]).toEqual([1000, `InvalidValue ${at(999, 'value')}`])
    const id = await clinic.newPatient()
    const { body } = await push(clinic, id, wrong(1500))
    expect(body.errors).toHaveLength(1001)
    expect(body.errors.at(-1)).toMatchObject({ code: 'TooManyFaults', meta: { count: 500 } })
  })

  test.each([
    ['the same key twice', '"value":60,"value":61'],
    ['a key __proto__', '"value":60,"__proto__":1'],
    ['no number', '"value":NaN'],
    ['a NUL', '"value":60,"tags":"a\\u0000"'],
    ['half a surrogate pair', '"value":60,"source":"\\ud800"'],
  ])('with %s in a point is malformed', async (_, members) => {
    const id = await clinic.newPatient()
    const body = JSON.stringify({ data: [item(id, [{ type: 'Pulse', time: TIME, more: 0 }])] })
    const answer = await call(clinic.service, TIMESERIES, {
      token: clinic.admin.token,
      body: body.replace('"more":0', members),
    })
    expect([answer.status, faultsOf(answer)]).toEqual([400, ['MalformedBody']])
    expect(await pointsOf(clinic, id, 'Pulse')).toEqual([])
  })

  test('has at most 131,072 bytes', async () => {
    const id = await clinic.newPatient()
    const body = JSON.stringify({ data: [item(id, [pulse({ tags: 'é' })])] })
    const padded = (bytes: number) => body + ' '.repeat(bytes - Buffer.byteLength(body))
    const send = (bytes: number) => call(clinic.service, TIMESERIES, { token: clinic.admin.token, body: padded(bytes) })
    const tooLong = await send(131_073)
    expect([tooLong.status, faultsOf(tooLong)]).toEqual([400, ['BodyTooLarge']])
    expect(await pointsOf(clinic, id, 'Pulse')).toEqual([])
    expect((await send(131_072)).status).toBe(201)
    expect(await pointsOf(clinic, id, 'Pulse')).toHaveLength(1)
  })
})

describe('a push that is taken', () => {
  test('may hold several people, types and sources, and answers a line for each person and type', async () => {
    const [one, other] = [await clinic.newPatient(), await clinic.newPatient()]
    const steps = { type: 'Steps', time: TIME, value: 5 }
    const items = [
      item(one, [pulse(), steps, pulse({ source: 'b' })], { source: 'a' }),
      item(other, [steps]),
      item(one.toUpperCase(), [pulse({ time: '2023-05-01 11:00:00' })], { source: 'c' }),
    ]
    const { status, body } = await pushItems(clinic, clinic.admin.token, items)
    const line = (id: string, type: string, stored: number) => ({
      type: 'time-series',
      attributes: { 'individual-id': id, type, stored, updated: 0, unchanged: 0 },
    })
    expect([status, body.data]).toEqual([201, [line(one, 'Pulse', 3), line(one, 'Steps', 1), line(other, 'Steps', 1)]])
    expect(body.meta).toBeTypeOf('object')
    expect((await pointsOf(clinic, one, 'Pulse')).map(({ source }) => source)).toEqual(['a', 'b', 'c'])
    expect((await pointsOf(clinic, other, 'Steps'))[0]).toEqual({ ...steps, source: 'api' })
  })

  test('is stored whole or not at all', async () => {
    const id = await clinic.newPatient()
    const before = await rowCounts(clinic)
    const unknown = await pushItems(clinic, clinic.admin.token, [item(id, [pulse()]), item(v7(), [pulse()])])
    const spoiled = await pushItems(clinic, clinic.admin.token, [item(id, [pulse()]), item(id, [pulse({ value: -1 })])])
    expect([unknown.status, spoiled.status]).toEqual([404, 400])
    expect(await rowCounts(clinic)).toEqual(before)
  })

  test('keeps the last of several points of the same time, and counts the others', async () => {
    const id = await clinic.newPatient()
    const values = [60, 61, 61, 62]
    expect(
      outcome(
        await push(
          clinic,
          id,
          values.map((value) => pulse({ value })),
        ),
      ),
    ).toEqual([[1, 2, 1]])
    expect(await pointsOf(clinic, id, 'Pulse')).toEqual([pulse({ value: 62, source: 'api' })])
    const all = await pointsOf(clinic, id, 'Pulse', { 'include-deleted': 'true' })
    expect(all.map(({ value }) => value).sort()).toEqual([60, 61, 62])
  })

  test('updates what differs in a field, a tag or the offset, and keeps what was there', async () => {
    const id = await clinic.newPatient()
    await push(clinic, id, [pulse()])
    const changes = [
      { value: 61 },
      { value: 61, tags: 'x' },
      { value: 61, tags: 'x', time: '2023-05-01T12:00:00+02:00' },
    ]
    for (const change of changes) {
      expect(outcome(await push(clinic, id, [pulse(change)]))).toEqual([[0, 1, 0]])
      expect(outcome(await push(clinic, id, [pulse(change)]))).toEqual([[0, 0, 1]])
    }
    const kept = await pointsOf(clinic, id, 'Pulse', { 'include-deleted': 'true' })
    const deleted = { 'deleted-by': clinic.admin.userId, 'deleted-at': expect.any(String) }
    const shown = { source: 'api', time: TIME }
    expect(kept).toEqual([
      pulse({ ...shown, ...deleted }),
      pulse({ ...shown, ...deleted, value: 61 }),
      pulse({ ...shown, ...deleted, value: 61, tags: 'x' }),
      pulse({ ...shown, value: 61, tags: 'x', 'utc-offset': '+02:00' }),
    ])
    expect(await pointsOf(clinic, id, 'Pulse')).toHaveLength(1)
  })

  test('that is repeated under its key is answered the same and stored once', async () => {
    const id = await clinic.newPatient()
    const key = { 'idempotency-key': v7() }
    const send = (value: number) => pushItems(clinic, clinic.admin.token, [item(id, [pulse({ value })])], key)
    const [first, again] = [await send(60), await send(60)]
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(outcome(again)).toEqual([[1, 0, 0]])
    expect((await send(61)).status).toBeGreaterThanOrEqual(400)
    expect(await pointsOf(clinic, id, 'Pulse')).toEqual([pulse({ source: 'api' })])
  })

  test('two hundred at the same moment are all stored', async () => {
    const ids = [await clinic.newPatient(), await clinic.newPatient()]
    const times = moments(TIME, 200, 1)
    const sent = times.map((time, index) => push(clinic, ids[index % 2] as string, [pulse({ time, value: index })]))
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([201]))
    const values = (await Promise.all(ids.map((id) => pointsOf(clinic, id, 'Pulse')))).flat().map(({ value }) => value)
    expect(values.sort((a, b) => Number(a) - Number(b))).toEqual(times.map((_, index) => index))
  })
})

describe('every fault is listed', () => {
  test('an unknown field named like a property of all objects: `in` finds it on the prototype', async () => {
    expect(await refusal([pulse({ toString: 1 }), pulse({ constructor: 1 })])).toEqual([
      `UnknownAttribute ${at(0, 'toString')}`,
      `UnknownAttribute ${at(1, 'constructor')}`,
    ])
  })

  test('a wrong source that repeats: only the first of a row of equal ones is listed', async () => {
    const faults = await refusal([pulse({ source: '' }), pulse({ source: '' })])
    expect(faults).toEqual([`InvalidValue ${at(0, 'source')}`, `InvalidValue ${at(1, 'source')}`])
  })

  test('an unknown field beside a missing time: the number of keys is as expected', async () => {
    const faults = await refusal([{ type: 'Pulse', value: 60, other: 1 }])
    expect(faults.sort()).toEqual([`MissingValue ${at(0, 'time')}`, `UnknownAttribute ${at(0, 'other')}`])
  })

  test('wrong tags beside a wrong time: they are not looked at any more', async () => {
    const faults = await refusal([pulse({ time: 'x', tags: 5 })])
    expect(faults.sort()).toEqual([`InvalidValue ${at(0, 'tags')}`, `InvalidValue ${at(0, 'time')}`])
  })

  test('a name with a slash: the pointer is not escaped as elsewhere', async () => {
    expect(await refusal([pulse({ 'a/b~c': 1 })])).toEqual([`UnknownAttribute ${at(0, 'a~1b~0c')}`])
  })
})
