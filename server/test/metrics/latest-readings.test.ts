// The latest readings in the list of individuals, and the list in the order of each of them.

import { beforeAll, describe, expect, test } from 'vitest'
import { makePatients, manyNames } from '../support/patients.ts'
import { call, makeOrganization } from '../support/service.ts'
import { type Clinic, item, moments, openClinic, type Point, push, pushItems } from './clinic.ts'

let clinic: Clinic

beforeAll(async () => {
  clinic = await openClinic()
})

const FIELDS = [
  ...['last-blood-glucose', 'last-blood-glucose-context', 'last-blood-glucose-time', 'last-body-mass'],
  ...['last-body-mass-time', 'last-bp-diastolic', 'last-bp-systolic', 'last-bp-time', 'last-feeling'],
  ...['last-feeling-time', 'last-heart-rate', 'last-heart-rate-time', 'last-o2-saturation', 'last-o2-saturation-time'],
  ...['last-blood-glucose-state', 'last-bp-diastolic-state', 'last-bp-systolic-state'],
]
const PATH = '/caredb/v1/aggregation-individuals/'
type Attributes = Record<string, unknown>
interface Listed {
  id: string
  attributes: Attributes
}

/** From both places where they are answered, which must agree. */
async function readingsOf(id: string): Promise<Attributes> {
  const { service, admin, organizationId } = clinic
  const got = await call(service, `${PATH}${id}/`, { token: admin.token })
  const list = await call(service, `${PATH}?organization-id=${organizationId}&filter[individual-ids]=${id}`, {
    token: admin.token,
  })
  const pick = ({ attributes }: Listed) => Object.fromEntries(FIELDS.map((field) => [field, attributes[field]]))
  expect(pick(list.body.data[0])).toEqual(pick(got.body.data))
  return Object.fromEntries(Object.entries(pick(got.body.data)).filter(([, value]) => value !== null))
}

const [OLD, NEW, NEWER] = ['2023-05-01 10:00:00', '2023-05-02 10:00:00', '2023-05-03 10:00:00'] as const
const pulse = (time: string, value: number): Point => ({ type: 'Pulse', time, value })
const glucose = (time: string, value: number, context?: string): Point => ({
  ...{ type: 'BloodGlucose', time, value },
  ...(context ? { context } : {}),
})

describe('the latest readings', () => {
  test('are those of every type that is listed, and of no other', async () => {
    const id = await clinic.newPatient()
    expect(await readingsOf(id)).toEqual({})
    const points = [
      glucose(NEW, 90.5, 'FASTING'),
      { type: 'BloodPressure', time: NEW, systolic: 120, diastolic: 80 },
      { type: 'BodyMass', time: NEW, value: 70.25 },
      { type: 'FeelingRating', time: NEW, value: 0 },
      { type: 'OxygenSaturation', time: NEW, value: 98 },
      pulse(NEW, 61),
      { type: 'Steps', time: NEWER, value: 5 },
    ]
    await push(clinic, id, points)
    expect(await readingsOf(id)).toEqual({
      ...{ 'last-blood-glucose': 90.5, 'last-blood-glucose-context': 'FASTING', 'last-blood-glucose-time': NEW },
      ...{ 'last-blood-glucose-state': 'normal', 'last-bp-systolic-state': 'elevated' },
      ...{
        'last-bp-systolic': 120,
        'last-bp-diastolic': 80,
        'last-bp-time': NEW,
        'last-bp-diastolic-state': 'stage-1',
      },
      ...{ 'last-body-mass': '70.25', 'last-body-mass-time': NEW, 'last-feeling': 0, 'last-feeling-time': NEW },
      ...{ 'last-o2-saturation': '98', 'last-o2-saturation-time': NEW },
      ...{ 'last-heart-rate': 61, 'last-heart-rate-time': NEW },
    })
  })

  const heartRate = (value: number, time: string) => ({ 'last-heart-rate': value, 'last-heart-rate-time': time })

  test('follow the newest point, also when it is changed, and no late one takes its place', async () => {
    const id = await clinic.newPatient()
    const after = async (points: Point[], source?: string) => {
      expect((await push(clinic, id, points, source)).status).toBe(201)
      return readingsOf(id)
    }
    expect(await after([pulse(NEW, 60)])).toEqual(heartRate(60, NEW))
    expect(await after([pulse(OLD, 50)])).toEqual(heartRate(60, NEW))
    expect(await after([pulse(OLD, 51)])).toEqual(heartRate(60, NEW))
    expect(await after([pulse(NEW, 62), pulse(OLD, 52)])).toEqual(heartRate(62, NEW))
    expect(await after(moments('2023-04-01 00:00:00', 300, 60).map((time) => pulse(time, 99)))).toEqual(
      heartRate(62, NEW),
    )
    expect(await after([pulse(OLD, 40)], 'second')).toEqual(heartRate(62, NEW))
    expect(await after([pulse(NEWER, 70)], 'second')).toEqual(heartRate(70, NEWER))
    expect(await after([pulse(NEW, 63)])).toEqual(heartRate(70, NEWER))
    expect(await after([pulse(NEWER, 71)], 'second')).toEqual(heartRate(71, NEWER))
    const many = moments('2023-05-04 00:00:00', 100, 60)
    expect(await after(many.map((time, index) => pulse(time, index)))).toEqual(heartRate(99, String(many.at(-1))))
    expect(await after(many.map((time, index) => pulse(time, index + 1)))).toEqual(heartRate(100, String(many.at(-1))))
  })

  test('lose the context with a newer point that has none', async () => {
    const id = await clinic.newPatient()
    await push(clinic, id, [glucose(OLD, 90, 'BEDTIME')])
    await push(clinic, id, [glucose(NEW, 95)])
    expect(await readingsOf(id)).toEqual({
      ...{ 'last-blood-glucose': 95, 'last-blood-glucose-time': NEW, 'last-blood-glucose-state': 'in-range' },
    })
    await push(clinic, id, [glucose(NEW, 95, 'AFTER_MEAL')])
    expect(await readingsOf(id)).toMatchObject({ 'last-blood-glucose-context': 'AFTER_MEAL' })
  })

  test('are gone after erasing, and older ones are new again', async () => {
    const id = await clinic.newPatient()
    await push(clinic, id, [pulse(NEW, 60), glucose(NEW, 90)])
    const path = `/lachesis/v1/individual-metrics/${id}/`
    await call(clinic.service, path, { method: 'DELETE', token: clinic.admin.token })
    expect(await readingsOf(id)).toEqual({})
    await push(clinic, id, [pulse(OLD, 55)])
    expect(await readingsOf(id)).toEqual(heartRate(55, OLD))
  })

  test('of two records that are merged are the newest of both, and all points are under the kept one', async () => {
    const [kept, gone] = [await clinic.newPatient(), await clinic.newPatient()]
    await push(clinic, kept, [pulse(OLD, 60), glucose(NEWER, 90, 'FASTING')])
    await push(clinic, gone, [pulse(NEW, 70), pulse(OLD, 71), glucose(NEW, 99)])
    await push(clinic, gone, [...moments('2023-01-01 00:00:00', 40, 60).map((time) => pulse(time, 50))], 'watch')
    await push(clinic, gone, [pulse(NEW, 72)])
    await clinic.admin.almoner.mergeIndividuals({ id: kept, body: { individualId: gone } })
    expect(await readingsOf(kept)).toEqual({
      ...heartRate(72, NEW),
      ...{ 'last-blood-glucose': 90, 'last-blood-glucose-context': 'FASTING', 'last-blood-glucose-time': NEWER },
      'last-blood-glucose-state': 'normal',
    })
    const read = async (id: string, more = '') =>
      (
        await call(clinic.service, `/lachesis/v1/timeseries/?individual-id=${id}&type=Pulse${more}`, {
          token: clinic.admin.token,
        })
      ).body
    const { data, meta } = await read(kept)
    expect(meta['page[total]']).toBe(43)
    const late = data.filter(({ time }: Point) => String(time) >= OLD)
    expect(late.map(({ value }: Point) => value).sort()).toEqual([60, 71, 72])
    expect((await read(kept, '&include-deleted=true')).meta['page[total]']).toBe(44)
    await push(clinic, kept, [pulse(NEWER, 80)])
    expect(await readingsOf(kept)).toMatchObject(heartRate(80, NEWER))
  })

  test('come along into another list and leave with it', async () => {
    const id = await clinic.newPatient()
    await push(clinic, id, [pulse(NEW, 60)])
    const { db } = clinic.service
    const other = await makeOrganization(clinic.service, 'Other')
    const { id: userId } = await db
      .selectFrom('users')
      .select('id')
      .where('individualId', '=', id)
      .executeTakeFirstOrThrow()
    await db.insertInto('memberships').values({ userId, organizationId: other, role: 'patient' }).execute()
    const rows = async () =>
      (
        await db
          .selectFrom('listedReadings' as never)
          .selectAll()
          .where('individualId' as never, '=', id as never)
          .execute()
      ).length
    expect(await rows()).toBe(2)
    await db.deleteFrom('memberships').where('userId', '=', userId).where('organizationId', '=', other).execute()
    expect(await rows()).toBe(1)
  })
})

describe('the list in the order of readings', () => {
  let everyone: Listed[]

  const list = async (query: string): Promise<{ data: Listed[]; total: number }> => {
    const path = `${PATH}?organization-id=${clinic.organizationId}&${query}`
    const { status, body } = await call(clinic.service, path, { token: clinic.admin.token })
    expect(status).toBe(200)
    return { data: body.data, total: body.meta['page[total]'] }
  }

  beforeAll(async () => {
    const patients = await makePatients(clinic.service, clinic.organizationId, manyNames(120))
    const times = [OLD, NEW, NEWER]
    const items = patients.flatMap(({ individualId }, index) => {
      const time = times[index % 3] as string
      const contexts = ['FASTING', undefined, 'BEDTIME', 'AFTER_MEAL']
      const points = [
        ...(index % 2 === 0 ? [pulse(time, (index * 7) % 20)] : []),
        ...(index % 3 !== 1 ? [glucose(time, ((index * 13) % 50) * 6.25, contexts[index % 4])] : []),
        ...(index % 5 !== 0
          ? [{ type: 'BloodPressure', time, systolic: 80 + 15 * (index % 9), diastolic: 13 * (index % 11) }]
          : []),
        ...(index % 4 === 1 ? [{ type: 'BodyMass', time, value: [9, 10, 100, 99.5][(index % 13) % 4] }] : []),
        ...(index % 6 === 2 ? [{ type: 'OxygenSaturation', time, value: [9, 95, 100, 98.5][index % 4] }] : []),
        ...(index % 7 === 3 ? [{ type: 'FeelingRating', time, value: index % 5 }] : []),
      ]
      return points.length > 0 ? [item(individualId, points)] : []
    })
    expect((await pushItems(clinic, clinic.admin.token, items)).status).toBe(201)
    everyone = (await list('page[limit]=1000')).data
  })

  const keyOf = (field: string, { attributes }: Listed): string | number | null => {
    const value = attributes[field] as string | number | null
    return value !== null && (field === 'last-body-mass' || field === 'last-o2-saturation') ? Number(value) : value
  }

  /** Whoever has no value comes last both ways, and the id decides between equals. */
  const inOrder = (keys: string[]): string[] =>
    everyone
      .toSorted((a, b) => {
        for (const key of keys) {
          const field = key.replace(/^-/, '')
          const [mine, theirs] = [keyOf(field, a), keyOf(field, b)]
          if (mine === theirs) continue
          if (mine === null) return 1
          if (theirs === null) return -1
          return (mine < theirs ? -1 : 1) * (key.startsWith('-') ? -1 : 1)
        }
        return a.id < b.id ? -1 : 1
      })
      .map(({ id }) => id)

  const sorts = FIELDS.flatMap((field) => [[field], [`-${field}`]])
  const several = [
    ['last-heart-rate', '-last-blood-glucose'],
    ['-last-bp-time', 'last-bp-diastolic', '-last-bp-systolic'],
    ['last-blood-glucose-context', '-last-feeling', 'last-body-mass'],
  ]

  test.each([...sorts, ...several].map((keys) => [keys]))('%s', async (keys) => {
    const sorted = inOrder(keys)
    const sort = `sort=${keys.join(',')}`
    const whole = await list(`${sort}&page[limit]=1000`)
    expect(whole.data.map(({ id }) => id)).toEqual(sorted)
    const paged: string[] = []
    for (let offset = 0; offset < sorted.length; offset += 17) {
      const { data, total } = await list(`${sort}&page[limit]=17&page[offset]=${offset}`)
      expect(total).toBe(sorted.length)
      paged.push(...data.map(({ id }) => id))
    }
    expect(paged).toEqual(sorted)
    const beyond = await list(`${sort}&page[offset]=${sorted.length + 5}`)
    expect([beyond.data, beyond.total]).toEqual([[], sorted.length])
  })
})
