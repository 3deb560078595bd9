// Ranges with names, and the names that the latest readings go by.

import { sql } from 'kysely'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { shippedSets } from '../../src/features/alerts/shipped-classifications.ts'
import { checkListing } from '../../src/features/people/index.ts'
import { type Clinic, faultsOf, openClinic, type Point, push } from '../metrics/clinic.ts'
import { type Answer, call, makeOrganization, makePerson, until } from '../support/service.ts'
import { makeProvider, moment } from './ward.ts'

let clinic: Clinic

beforeAll(async () => {
  clinic = await openClinic()
})

const SETS = '/lachesis/v1/classification-sets/'
const AT = '/data/attributes'
const range = (from: number | null, to: number | null, label = 'some', more: object = {}) => ({
  ...{ label, from, to, tone: 'good' },
  ...more,
})
const SYSTOLIC = { name: 'Ours', 'metric-type': 'BloodPressure', field: 'systolic', ranges: [range(null, null)] }
const GLUCOSE = { name: 'Ours', 'metric-type': 'BloodGlucose', field: 'value' }

const create = (attributes: object = {}, where: Clinic = clinic, token = where.admin.token): Promise<Answer> =>
  call(where.service, SETS, {
    token,
    body: {
      data: {
        type: 'classification-sets',
        attributes: { 'organization-id': where.organizationId, ...SYSTOLIC, ...attributes },
      },
    },
  })
const change = (id: string, attributes: object, where: Clinic = clinic, token = where.admin.token): Promise<Answer> =>
  call(where.service, `${SETS}${id}/`, {
    method: 'PATCH',
    token,
    body: { data: { type: 'classification-sets', id, attributes } },
  })
const remove = (id: string, where: Clinic = clinic, token = where.admin.token): Promise<Answer> =>
  call(where.service, `${SETS}${id}/`, { method: 'DELETE', token })
const pressure = (systolic: number, diastolic = 70): Point => ({
  ...{ type: 'BloodPressure', time: moment(-100), systolic, diastolic },
})
const glucose = (value: number, context?: string): Point => ({
  ...{ type: 'BloodGlucose', time: moment(-100), value },
  ...(context ? { context } : {}),
})

async function statesOf(id: string, { admin }: Clinic = clinic) {
  const { lastBpSystolicState, lastBpDiastolicState, lastBloodGlucoseState } = await admin.almoner.getIndividual({ id })
  return [lastBpSystolicState, lastBpDiastolicState, lastBloodGlucoseState]
}

describe('what is shipped', () => {
  test.each(shippedSets)('$name leaves no value without a name, and none with two', ({ metricType, field, ranges }) => {
    for (const context of new Set(ranges.map((one) => one.context))) {
      const sorted = ranges
        .filter((one) => one.context === context)
        .toSorted((a, b) => (a.from ?? -Infinity) - (b.from ?? -Infinity))
      expect([metricType, field, sorted[0]?.from, sorted.at(-1)?.to]).toEqual([metricType, field, null, null])
      for (const [place, one] of sorted.entries()) if (place > 0) expect(one.from).toBe(sorted[place - 1]?.to)
    }
  })

  test.each([
    [pressure(89, 59), ['low', 'low', null]],
    [pressure(90, 60), ['normal', 'normal', null]],
    [pressure(119, 79), ['normal', 'normal', null]],
    [pressure(120, 80), ['elevated', 'stage-1', null]],
    [pressure(130, 89), ['stage-1', 'stage-1', null]],
    [pressure(140, 90), ['stage-2', 'stage-2', null]],
    [pressure(180, 120), ['stage-2', 'stage-2', null]],
    [pressure(181, 121), ['crisis', 'crisis', null]],
    [glucose(53.9, 'FASTING'), [null, null, 'very-low']],
    [glucose(54), [null, null, 'low']],
    [glucose(70, 'BEDTIME'), [null, null, 'in-range']],
    [glucose(99.9, 'FASTING'), [null, null, 'normal']],
    [glucose(100, 'FASTING'), [null, null, 'prediabetes']],
    [glucose(126, 'FASTING'), [null, null, 'high']],
    [glucose(126, 'AFTER_MEAL'), [null, null, 'normal']],
    [glucose(140, 'AFTER_MEAL'), [null, null, 'prediabetes']],
    [glucose(180, 'UNSPECIFIED'), [null, null, 'in-range']],
    [glucose(181), [null, null, 'above-range']],
    [glucose(251, 'BEFORE_MEAL'), [null, null, 'far-above-range']],
  ])('calls %o %o', async (point, states) => {
    const other = await clinic.newPatient()
    await push(clinic, other, [point])
    expect(await statesOf(other)).toEqual(states)
  })

  test('is listed for everyone, with where it comes from, and cannot be changed', async () => {
    const { body } = await call(clinic.service, `${SETS}?filter[metric-type]=BloodPressure`, {
      token: clinic.admin.token,
    })
    const [set] = body.data
    expect(set.attributes).toMatchObject({ 'organization-id': null, 'is-active': true })
    expect(set.attributes.origin).toContain('ACC/AHA')
    for (const answer of [await change(set.id, { name: 'Mine' }), await remove(set.id)])
      expect([answer.status, ...faultsOf(answer)]).toEqual([400, 'ShippedClassificationSet'])
  })
})

describe('a set of an organization', () => {
  test('takes the place of what is shipped at once, and leaves it again', async () => {
    const own = await openClinic()
    const id = await own.newPatient()
    await push(own, id, [pressure(150, 95)])
    expect(await statesOf(id, own)).toEqual(['stage-2', 'stage-2', null])
    const { body } = await create({ ranges: [range(null, 150, 'fine'), range(150, null, 'not fine')] }, own)
    const { id: set } = body.data
    expect(await statesOf(id, own)).toEqual(['not fine', 'stage-2', null])
    await push(own, id, [{ ...pressure(149), time: moment(-50) }])
    expect(await statesOf(id, own)).toEqual(['fine', 'normal', null])
    await change(set, { ranges: [range(null, 100, 'fine')] }, own)
    expect(await statesOf(id, own)).toEqual([null, 'normal', null])
    await change(set, { 'is-active': false }, own)
    expect(await statesOf(id, own)).toEqual(['stage-2', 'normal', null])
    await change(set, { 'is-active': true }, own)
    expect(await statesOf(id, own)).toEqual([null, 'normal', null])
    expect((await remove(set, own)).status).toBe(204)
    expect(await statesOf(id, own)).toEqual(['stage-2', 'normal', null])
    expect((await remove(set, own)).status).toBe(404)
  })

  test('is for its own people and no others', async () => {
    const [own, id] = [await openClinic(), await clinic.newPatient()]
    const elsewhere = await makeOrganization(own.service, 'Elsewhere')
    const chief = await makePerson(own.service, [{ organizationId: elsewhere, role: 'org-admin' }])
    const theirs = { ...own, organizationId: elsewhere, admin: chief }
    const { body } = await create({}, own)
    await push(clinic, id, [pressure(150)])
    const patient = await makePerson(own.service, [{ organizationId: elsewhere, role: 'patient' }])
    await push(theirs, patient.individualId, [pressure(150)])
    expect(await statesOf(patient.individualId, theirs)).toEqual(['stage-2', 'normal', null])
    expect((await change(body.data.id, { name: 'Mine' }, theirs)).status).toBe(404)
    expect((await remove(body.data.id, theirs)).status).toBe(404)
    const listed = await call(own.service, SETS, { token: chief.token })
    expect(listed.body.data.map((set: { id: string }) => set.id).sort()).toEqual(
      shippedSets.map((set) => set.id).sort(),
    )
    expect((await create({ 'organization-id': own.organizationId }, theirs)).status).toBe(404)
  })

  test('is made by administrators, and read by all', async () => {
    const own = await openClinic()
    const provider = await makeProvider(own)
    const patient = await makePerson(own.service, [{ organizationId: own.organizationId, role: 'patient' }])
    const { body } = await create({}, own)
    for (const { token } of [provider, patient]) {
      expect((await create({}, own, token)).status).toBe(403)
      expect((await change(body.data.id, { name: 'Mine' }, own, token)).status).toBe(403)
      expect((await remove(body.data.id, own, token)).status).toBe(403)
      expect((await call(own.service, SETS, { token })).body.data).toHaveLength(shippedSets.length + 1)
    }
  })

  test('that is active takes the place of the one before, also when two are made at the same moment', async () => {
    const own = await openClinic()
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([create({ name: 'One' }, own), create({ name: 'Two' }, own)])
      expect(answers.map(({ status }) => status)).toEqual([201, 201])
    }
    const list = `${SETS}?filter[is-active]=true&filter[metric-type]=BloodPressure`
    const { body } = await call(own.service, list, { token: own.admin.token })
    const fields = body.data.map(({ attributes }: { attributes: Record<string, unknown> }) =>
      [attributes['organization-id'] ? 'own' : 'shipped', attributes.field].join(' '),
    )
    expect(fields.sort()).toEqual(['own systolic', 'shipped diastolic', 'shipped systolic'])
  })

  test('calls readings that come in the same moment by what it says', async () => {
    const own = await openClinic()
    const { db } = own.service
    const id = await own.newPatient()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    // The first reading of a person is written, and not yet for all to see.
    const holder = db.transaction().execute(async (trx) => {
      await sql`lock table audit_events in exclusive mode`.execute(trx)
      locked()
      await isReleased
    })
    await isLocked
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows[0]?.count ?? 0
    }
    const pushed = push(own, id, [pressure(150)])
    await until(async () => (await waiting()) >= 1)
    const created = create({ ranges: [range(null, null, 'new')] }, own)
    await until(async () => (await waiting()) >= 2)
    release()
    await Promise.all([holder, pushed, created])
    expect(await statesOf(id, own)).toEqual(['new', 'normal', null])
  })
})

describe('ranges', () => {
  const faults = async (attributes: object) => {
    const answer = await create({ 'is-active': false, ...attributes })
    return [answer.status, ...faultsOf(answer).map((fault) => fault.split(' ')[1])]
  }
  const warnings = async (attributes: object) => {
    const { status, body } = await create({ 'is-active': false, ...attributes })
    return [status, ...body.meta.warnings]
  }

  test('that overlap are refused, each at its place', async () => {
    const ranges = [range(0, 10), range(9.5, 20), range(20, 30), range(null, 1), range(29, null)]
    expect(await faults({ ranges })).toEqual([400, ...[1, 3, 4].map((place) => `${AT}/ranges/${place}`)])
    expect(await faults({ ranges: [range(null, null), range(5, 6)] })).toEqual([400, `${AT}/ranges/1`])
    expect(await faults({ ranges: [range(0, 10), range(10, 20)] })).toEqual([201])
  })

  test('of different contexts stand beside each other', async () => {
    const ranges = [range(0, 10, 'a', { context: 'FASTING' }), range(0, 10, 'b', { context: 'BEDTIME' }), range(0, 10)]
    expect(await faults({ ...GLUCOSE, ranges })).toEqual([201])
    const twice = [...ranges, range(5, 6, 'c', { context: 'BEDTIME' })]
    expect(await faults({ ...GLUCOSE, ranges: twice })).toEqual([400, `${AT}/ranges/3`])
  })

  test('that are nothing, the wrong way, or of a context that is not there are refused all at once', async () => {
    const ranges = [range(5, 5), range(8, 7), range(10, 11, 'x', { context: 'BRUNCH' })]
    const places = ['ranges/0/to', 'ranges/1/to', 'ranges/2/context'].map((place) => `${AT}/${place}`)
    expect(await faults({ ...GLUCOSE, ranges })).toEqual([400, ...places])
    const noContext = [range(0, 1, 'x', { context: 'FASTING' })]
    expect(await faults({ ranges: noContext })).toEqual([400, `${AT}/ranges/0/context`])
    expect(await faults({ field: 'mean' })).toEqual([400, `${AT}/field`])
    expect(await faults({ 'metric-type': 'Auscultation' })).toEqual([400, `${AT}/field`])
  })

  test('are 1 to 100, with labels of 1 to 63 letters and a tone', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, place) => range(place, place + 1))
    expect(await faults({ ranges: [] })).toEqual([400, `${AT}/ranges`])
    expect(await faults({ ranges: many(101) })).toEqual([400, `${AT}/ranges`])
    expect(await faults({ ranges: many(100) })).toEqual([201])
    expect(await faults({ ranges: [range(null, null, 'x'.repeat(63))] })).toEqual([201])
    expect(await faults({ ranges: [range(null, null, 'x'.repeat(64))] })).toEqual([400, `${AT}/ranges/0/label`])
    expect(await faults({ ranges: [range(null, null, '')] })).toEqual([400, `${AT}/ranges/0/label`])
    expect(await faults({ ranges: [range(null, null, 'x', { tone: 'blue' })] })).toEqual([400, `${AT}/ranges/0/tone`])
    expect(await faults({ name: '', origin: 'x'.repeat(1001) })).toEqual([400, `${AT}/name`, `${AT}/origin`])
  })

  test('with gaps are taken, and the gaps are named', async () => {
    expect(await warnings({})).toEqual([201])
    expect(await warnings({ ranges: [range(20, 30), range(0, 10)] })).toEqual([
      201,
      'Values below 0 have no name.',
      'Values from 10 to 20 have no name.',
      'Values from 30 on have no name.',
    ])
    const fasting = range(70, 100, 'a', { context: 'FASTING' })
    expect(await warnings({ ...GLUCOSE, ranges: [fasting] })).toEqual([
      201,
      'Values below 70 in the context FASTING have no name.',
      'Values from 100 on in the context FASTING have no name.',
      'Values of another context, or of none, have no name.',
    ])
    // What holds for every context holds here as well.
    expect(await warnings({ ...GLUCOSE, ranges: [fasting, range(null, null)] })).toEqual([201])
  })

  test('that are changed are checked as well', async () => {
    const { body } = await create({ 'is-active': false })
    const refused = await change(body.data.id, { ranges: [range(0, 2), range(1, 3)] })
    expect([refused.status, ...faultsOf(refused)]).toEqual([400, `InvalidValue ${AT}/ranges/1`])
    const taken = await change(body.data.id, { ranges: [range(0, 2)], name: 'Less' })
    expect(taken.body.data.attributes).toMatchObject({ name: 'Less', ranges: [{ from: 0, to: 2, context: null }] })
    expect(taken.body.meta.warnings).toHaveLength(2)
    expect((await change(v7(), { name: 'x' })).status).toBe(404)
  })
})

test('relisting finds states that are not what the sets say, and mends them', async () => {
  const own = await openClinic()
  const [one, two, three] = [await own.newPatient(), await own.newPatient(), await own.newPatient()]
  await push(own, one, [pressure(150)])
  await push(own, two, [pressure(110), glucose(60)])
  await push(own, three, [glucose(300)])
  const { db } = own.service
  expect((await checkListing(db, false)).readings).toBe(0)
  await sql`alter table listed_readings disable trigger readings_are_classified`.execute(db)
  await sql`update listed_readings set state = 'spoilt' where individual_id = ${one}`.execute(db)
  await sql`update listed_readings set second_state = null where individual_id = ${two}`.execute(db)
  await sql`update listed_readings set state = null where individual_id = ${three}`.execute(db)
  await sql`alter table listed_readings enable trigger readings_are_classified`.execute(db)
  expect((await checkListing(db, false)).readings).toBe(3)
  expect((await checkListing(db, true)).readings).toBe(3)
  expect((await checkListing(db, false)).readings).toBe(0)
  const states = await Promise.all([one, two, three].map((id) => statesOf(id, own)))
  expect(states).toEqual([
    ['stage-2', 'normal', null],
    ['normal', 'normal', 'low'],
    [null, null, 'far-above-range'],
  ])
})
