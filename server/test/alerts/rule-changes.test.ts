// What it means for alerts that a rule is changed.

import { beforeAll, describe, expect, test } from 'vitest'
import { type Clinic, faultsOf, openClinic } from '../metrics/clinic.ts'
import { call } from '../support/service.ts'
import {
  alertsOf,
  changeRule,
  eventsOf,
  HIGH_PULSE,
  makeGroup,
  makeProvider,
  makeRule,
  pulse,
  RULES,
  statesOf,
} from './ward.ts'

let clinic: Clinic

beforeAll(async () => {
  clinic = await openClinic()
})

const AT = '/data/attributes'

describe('a change', () => {
  const CHANGES: [string, object][] = [
    ['of the threshold', { threshold: 90 }],
    ['of the clear threshold', { 'clear-threshold': 80 }],
    ['of the direction', { direction: 'below' }],
    ['of the kind', { kind: 'range', from: 100, to: 200, period: 1 }],
    ['of the type', { 'metric-type': 'Steps' }],
    ['to off', { enabled: false }],
  ]
  test.each(CHANGES)('%s clears what was open and counts only what is read from then on', async (_, attributes) => {
    const id = await clinic.newPatient()
    const rule = await makeRule(clinic, { 'individual-id': id })
    await pulse(clinic, id, 110, -60)
    expect(await statesOf(clinic, id)).toEqual(['open'])
    expect((await changeRule(clinic, rule, attributes)).status).toBe(200)
    expect(await statesOf(clinic, id)).toEqual(['cleared rule-changed'])
    expect(await eventsOf(clinic, id)).toEqual(['fired', 'cleared rule-changed'])
    expect(
      (await changeRule(clinic, rule, { ...HIGH_PULSE, from: null, to: null, period: null, enabled: true })).status,
    ).toBe(200)
    // Read before the change, though it comes after it.
    await pulse(clinic, id, 120, -30)
    expect(await statesOf(clinic, id)).toEqual(['cleared rule-changed'])
    await pulse(clinic, id, 130, 5)
    expect(await statesOf(clinic, id)).toEqual(['open', 'cleared rule-changed'])
    expect((await alertsOf(clinic, id))[0]?.attributes).toMatchObject({ value: 130, 'rule-id': rule })
  })

  test('of whom it watches leaves the former alone from then on', async () => {
    const [former, later] = [await clinic.newPatient(), await clinic.newPatient()]
    const rule = await makeRule(clinic, { 'individual-id': former })
    await pulse(clinic, former, 110)
    const group = await makeGroup(clinic, 'Later', { individualIds: [later] })
    const { body } = await changeRule(clinic, rule, { 'group-id': group })
    expect(body.data.attributes).toMatchObject({ 'individual-id': null, 'group-id': group })
    await pulse(clinic, former, 120, 5)
    await pulse(clinic, later, 120, 5)
    expect(await statesOf(clinic, former)).toEqual(['cleared rule-changed'])
    expect(await statesOf(clinic, later)).toEqual(['open'])
  })

  test('of name, severity and whom it tells leaves open alerts open, as they were', async () => {
    const id = await clinic.newPatient()
    const rule = await makeRule(clinic, { 'individual-id': id })
    await pulse(clinic, id, 110)
    const { body } = await changeRule(clinic, rule, {
      ...{ name: 'Other', severity: 'critical', notify: { patient: true }, threshold: 100 },
    })
    expect(body.data.attributes).toMatchObject({ name: 'Other', severity: 'critical' })
    expect((await alertsOf(clinic, id)).map(({ attributes }) => attributes)).toMatchObject([
      { state: 'open', 'rule-name': 'High pulse', severity: 'warning' },
    ])
  })

  test('is refused with its faults, and nothing is changed or cleared', async () => {
    const id = await clinic.newPatient()
    const rule = await makeRule(clinic, { 'individual-id': id })
    await pulse(clinic, id, 110)
    const answer = await changeRule(clinic, rule, { kind: 'range', from: 5, to: 4, hours: 3 })
    const pointers = faultsOf(answer).map((fault) => fault.split(' ')[1])
    expect(pointers.sort()).toEqual(['hours', 'period', 'to'].map((name) => `${AT}/${name}`))
    expect(await statesOf(clinic, id)).toEqual(['open'])
    const { body } = await call(clinic.service, `${RULES}${rule}/`, { token: clinic.admin.token })
    expect(body.data.attributes).toMatchObject(HIGH_PULSE)
  })

  test('is possible when those it names have left', async () => {
    const id = await clinic.newPatient()
    const leaver = await makeProvider(clinic)
    const rule = await makeRule(clinic, { 'individual-id': id, notify: { 'individual-ids': [leaver.individualId] } })
    const { db } = clinic.service
    await db.deleteFrom('memberships').where('userId', '=', leaver.userId).execute()
    const userOf = db.selectFrom('users').select('id').where('individualId', '=', id)
    await db.deleteFrom('memberships').where('userId', '=', userOf).execute()
    expect((await changeRule(clinic, rule, { enabled: false })).status).toBe(200)
  })

  test('to no-data and back keeps nothing that belonged to the other', async () => {
    const rule = await makeRule(clinic, { 'clear-threshold': 90 })
    const silent = await changeRule(clinic, rule, { kind: 'no-data', hours: 5 })
    expect(silent.body.data.attributes).toMatchObject({
      threshold: null,
      'clear-threshold': null,
      field: null,
      hours: 5,
    })
    const again = await changeRule(clinic, rule, { kind: 'watermark', direction: 'below', threshold: 40 })
    expect(again.body.data.attributes).toMatchObject({ field: 'value', hours: null, threshold: 40 })
    const other = await changeRule(clinic, rule, { 'metric-type': 'BloodPressure' })
    expect(faultsOf(other)).toEqual([`MissingValue ${AT}/field`])
  })
})

test('a deleted rule is gone, its open alert is cleared, and its alerts stay readable', async () => {
  const id = await clinic.newPatient()
  const rule = await makeRule(clinic, { 'individual-id': id })
  await pulse(clinic, id, 110)
  const path = `${RULES}${rule}/`
  expect((await call(clinic.service, path, { method: 'DELETE', token: clinic.admin.token })).status).toBe(204)
  expect((await call(clinic.service, path, { token: clinic.admin.token })).status).toBe(404)
  expect((await changeRule(clinic, rule, { name: 'x' })).status).toBe(404)
  expect(await statesOf(clinic, id)).toEqual(['cleared rule-changed'])
  await pulse(clinic, id, 120, 5)
  expect(await statesOf(clinic, id)).toEqual(['cleared rule-changed'])
  expect(await eventsOf(clinic, id)).toEqual(['fired', 'cleared rule-changed'])
})
