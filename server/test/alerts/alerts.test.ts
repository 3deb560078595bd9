// What becomes of an alert: who sees it, takes it up and clears it, and what ends with the person's record.

import { sql } from 'kysely'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Clinic, faultsOf, openClinic, push } from '../metrics/clinic.ts'
import { type Answer, call, makeOrganization, makePerson } from '../support/service.ts'
import {
  ALERTS,
  alertsOf,
  changeRule,
  eventsOf,
  makeGroup,
  makeProvider,
  makeRule,
  moment,
  pulse,
  restrictProviders,
  statesOf,
} from './ward.ts'

let clinic: Clinic

beforeAll(async () => {
  clinic = await openClinic()
})

const act = (id: string, action: 'acknowledge' | 'clear', body: object = {}, token = clinic.admin.token) =>
  call(clinic.service, `${ALERTS}${id}/${action}/`, { token, body })

/** Someone whose pulse is too high, and the alert. */
async function ill(attributes: object = {}) {
  const id = await clinic.newPatient()
  const rule = await makeRule(clinic, { 'individual-id': id, ...attributes })
  await pulse(clinic, id, 110, -60)
  const [alert] = await alertsOf(clinic, id)
  if (!alert) throw new Error('Nothing fired.')
  return { id, rule, alert }
}

describe('an alert', () => {
  test('says what was read, where and when, and by which rule', async () => {
    const { id, rule, alert } = await ill()
    expect(alert.attributes).toMatchObject({
      ...{ 'organization-id': clinic.organizationId, 'rule-id': rule, 'rule-name': 'High pulse', 'individual-id': id },
      ...{ individual: { 'first-name': 'Pat' }, kind: 'watermark', 'metric-type': 'Pulse', field: 'value' },
      ...{ severity: 'warning', state: 'open', source: 'api', value: 110, message: 'Pulse 110 bpm, above 100' },
      ...{ direction: 'above', threshold: 100, from: null, to: null, period: null, hours: null },
      ...{ note: null, 'acknowledged-at': null, 'cleared-at': null, 'clear-reason': null },
    })
    expect((await call(clinic.service, `${ALERTS}${alert.id}/`, { token: clinic.admin.token })).body.data).toEqual(
      alert,
    )
  })

  test('says what it fired on as the rule was then', async () => {
    const id = await clinic.newPatient()
    const range = { kind: 'range', direction: null, threshold: null, from: 100, to: 120, period: 1 }
    const rule = await makeRule(clinic, { ...range, 'individual-id': id })
    await pulse(clinic, id, 110, -180)
    await pulse(clinic, id, 110, -60)
    expect((await changeRule(clinic, rule, { from: 90, to: 130, period: 2 })).status).toBe(200)
    const [alert] = await alertsOf(clinic, id)
    expect(alert?.attributes).toMatchObject({
      kind: 'range',
      from: 100,
      to: 120,
      period: 1,
      direction: null,
      hours: null,
    })
  })

  test('is acknowledged, and clears by itself when the readings are back', async () => {
    const { id, alert } = await ill()
    const taken = await act(alert.id, 'acknowledge', { note: 'Called.' })
    expect([taken.status, taken.body.data.attributes]).toEqual([
      201,
      expect.objectContaining({ state: 'acknowledged', note: 'Called.', 'acknowledged-by': clinic.admin.userId }),
    ])
    await pulse(clinic, id, 120, -50)
    expect(await statesOf(clinic, id)).toEqual(['acknowledged'])
    await pulse(clinic, id, 100, -40)
    expect((await alertsOf(clinic, id))[0]?.attributes).toMatchObject({
      ...{ state: 'cleared', 'clear-reason': 'readings', 'cleared-by': null, note: 'Called.' },
    })
    expect(await eventsOf(clinic, id)).toEqual(['fired', 'acknowledged', 'cleared readings'])
    const again = await act(alert.id, 'acknowledge')
    expect([again.status, ...faultsOf(again)]).toEqual([400, 'AlertNotOpen'])
  })

  test('that is cleared by hand fires again only after the readings were back', async () => {
    const { id, alert } = await ill()
    await act(alert.id, 'acknowledge', { note: 'Called.' })
    expect((await act(alert.id, 'clear', { note: 'Loose strap.' })).body.data.attributes).toMatchObject({
      ...{ state: 'cleared', 'clear-reason': 'by-hand', 'cleared-by': clinic.admin.userId, note: 'Loose strap.' },
    })
    expect(faultsOf(await act(alert.id, 'clear'))).toEqual(['AlertNotOpen'])
    await pulse(clinic, id, 130, -50)
    expect(await statesOf(clinic, id)).toEqual(['cleared by-hand'])
    await pulse(clinic, id, 90, -40)
    await pulse(clinic, id, 130, -30)
    expect(await statesOf(clinic, id)).toEqual(['open', 'cleared by-hand'])
    expect(await eventsOf(clinic, id)).toEqual(['fired', 'acknowledged', 'cleared by-hand', 'fired'])
  })

  test('takes notes of 1 to 1000 characters, or none', async () => {
    const { alert } = await ill()
    for (const note of ['', 'x'.repeat(1001), 5, null]) {
      const refused = await act(alert.id, 'acknowledge', { note })
      expect([refused.status, ...faultsOf(refused).map((fault) => fault.split(' ')[1])]).toEqual([400, '/note'])
    }
    expect((await act(alert.id, 'acknowledge', { note: 'x'.repeat(1000) })).status).toBe(201)
    expect((await act(alert.id, 'clear', { note: 'x' })).status).toBe(201)
  })

  test('is taken up by one of two who try at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, alert } = await ill()
      const answers = await Promise.all([act(alert.id, 'acknowledge'), act(alert.id, 'acknowledge')])
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
      const cleared = await Promise.all([act(alert.id, 'clear'), act(alert.id, 'clear')])
      expect(cleared.map(({ status }) => status).sort()).toEqual([201, 400])
      expect(await eventsOf(clinic, id)).toEqual(['fired', 'acknowledged', 'cleared by-hand'])
    }
  })

  test('of readings of one push that go there and back and there is two', async () => {
    const id = await clinic.newPatient()
    await makeRule(clinic, { 'individual-id': id })
    const points = [110, 90, 120].map((value, at) => ({ type: 'Pulse', time: moment(at * 10 - 60), value }))
    await push(clinic, id, points)
    expect(await statesOf(clinic, id)).toEqual(['open', 'cleared readings'])
    expect(await eventsOf(clinic, id)).toEqual(['fired', 'cleared readings', 'fired'])
  })
})

describe('a list of alerts', () => {
  test('is the newest first, and filtered and sorted by what it says', async () => {
    const other = await openClinic()
    const [one, two] = [await other.newPatient(), await other.newPatient()]
    const rules = {
      info: await makeRule(other, { severity: 'info', 'individual-id': one }),
      warning: await makeRule(other, { severity: 'warning', threshold: 110 }),
      critical: await makeRule(other, { severity: 'critical', threshold: 120, 'individual-id': two }),
    }
    await pulse(other, one, 115, -600)
    await pulse(other, two, 125, -300)
    await pulse(other, one, 105, -200)
    const list = async (query = '') => {
      const { status, body } = await call(other.service, `${ALERTS}?${query}`, { token: other.admin.token })
      expect([query, status]).toEqual([query, 200])
      return body.data.map(({ attributes }: { attributes: Record<string, string> }) =>
        [attributes.severity, attributes.value, attributes.state].join(' '),
      )
    }
    const [first, second, third, fourth] = [
      'critical 125 open',
      'warning 125 open',
      'warning 115 cleared',
      'info 115 open',
    ] as const
    const sorted = (some: string[]) => some.toSorted()
    expect(sorted(await list())).toEqual(sorted([first, second, third, fourth]))
    expect((await list()).slice(2).toSorted()).toEqual(sorted([third, fourth]))
    expect(await list('sort=-severity')).toEqual([first, second, third, fourth])
    expect(await list('sort=severity')).toEqual([fourth, second, third, first])
    expect((await list('sort=fired-at')).slice(0, 2).toSorted()).toEqual(sorted([third, fourth]))
    expect(await list('filter[state]=cleared')).toEqual([third])
    expect(sorted(await list('filter[state]=open,acknowledged'))).toEqual(sorted([first, second, fourth]))
    expect(await list('filter[severity]=info')).toEqual([fourth])
    expect(sorted(await list(`filter[individual-id]=${two}`))).toEqual(sorted([first, second]))
    expect(await list(`filter[rule-id]=${rules.critical}`)).toEqual([first])
    expect(await list('filter[metric-type]=Steps')).toEqual([])
    const after = encodeURIComponent(`>${moment(-400)}`)
    expect(sorted(await list(`filter[cmp-fired-at]=${after}`))).toEqual(sorted([first, second]))
    expect(await list('sort=-severity&page[limit]=1&page[offset]=3')).toEqual([fourth])
    expect((await call(other.service, `${ALERTS}?filter[state]=new`, { token: other.admin.token })).status).toBe(400)
  })
})

describe('who sees and takes up alerts', () => {
  test('nobody of another organization, no patient, nobody who is not signed in', async () => {
    const { id, alert } = await ill()
    const elsewhere = await makeOrganization(clinic.service, 'Elsewhere')
    const outsider = await makePerson(clinic.service, [{ organizationId: elsewhere, role: 'org-admin' }])
    const patient = await makePerson(clinic.service, [{ organizationId: clinic.organizationId, role: 'patient' }])
    const attempts = async (token: string): Promise<number[]> => {
      const get = (path: string): Promise<Answer> => call(clinic.service, path, { token })
      return [
        (await get(`${ALERTS}${alert.id}/`)).status,
        (await act(alert.id, 'acknowledge', {}, token)).status,
        (await act(alert.id, 'clear', {}, token)).status,
        (await get(`${ALERTS}?organization-id=${clinic.organizationId}`)).status,
      ]
    }
    expect(await attempts(outsider.token)).toEqual([404, 404, 404, 404])
    expect(await attempts(patient.token)).toEqual([403, 403, 403, 403])
    expect(await attempts('')).toEqual([403, 403, 403, 403])
    expect(await alertsOf(clinic, id, outsider.token)).toEqual([])
    expect((await act(v7(), 'clear')).status).toBe(404)
    expect(await statesOf(clinic, id)).toEqual(['open'])
  })

  test('a restricted provider sees those of people in sight', async () => {
    const other = await openClinic()
    await restrictProviders(other)
    const nurse = await makeProvider(other)
    const [seen, hidden] = [await other.newPatient(), await other.newPatient()]
    const led = await makeGroup(other, 'Led', { leader: nurse })
    await makeGroup(other, 'Below', { above: led, individualIds: [seen] })
    await makeRule(other)
    for (const id of [seen, hidden]) await pulse(other, id, 110)
    const { body } = await call(other.service, ALERTS, { token: nurse.token })
    expect(body.data).toHaveLength(1)
    expect(body.data[0].attributes['individual-id']).toBe(seen)
    const [foreign] = await alertsOf(other, hidden)
    const path = `${ALERTS}${foreign?.id}/`
    expect((await call(other.service, path, { token: nurse.token })).status).toBe(404)
    expect((await call(other.service, `${path}clear/`, { token: nurse.token, body: {} })).status).toBe(404)
    const taken = await call(other.service, `${ALERTS}${body.data[0].id}/acknowledge/`, {
      token: nurse.token,
      body: {},
    })
    expect(taken.status).toBe(201)
  })
})

describe('a rule watches', () => {
  test('its group and all groups below it, until someone leaves', async () => {
    const [above, own] = [await clinic.newPatient(), await clinic.newPatient()]
    const top = await makeGroup(clinic, 'Top', { individualIds: [above] })
    const middle = await makeGroup(clinic, 'Middle', { above: top })
    const low = await makeGroup(clinic, 'Low', { above: middle, individualIds: [own] })
    await makeRule(clinic, { 'group-id': middle })
    for (const id of [above, own]) await pulse(clinic, id, 110, -60)
    expect([await statesOf(clinic, above), await statesOf(clinic, own)]).toEqual([[], ['open']])
    await pulse(clinic, own, 90, -50)
    await clinic.admin.almoner.removeIndividualsFromGroup({ id: low, body: { individualIds: [own] } })
    await pulse(clinic, own, 120, -40)
    expect(await statesOf(clinic, own)).toEqual(['cleared readings'])
  })

  test('nobody who has left the organization', async () => {
    const other = await openClinic()
    const elsewhere = await makeOrganization(other.service, 'Elsewhere')
    const id = await other.newPatient()
    await makeRule(other)
    await makeRule(other, { 'individual-id': id })
    const chief = await makePerson(other.service, [{ organizationId: elsewhere, role: 'org-admin' }])
    const { db } = other.service
    const { id: userId } = await db
      .selectFrom('users')
      .select('id')
      .where('individualId', '=', id)
      .executeTakeFirstOrThrow()
    await db.insertInto('memberships').values({ userId, organizationId: elsewhere, role: 'patient' }).execute()
    await db
      .deleteFrom('memberships')
      .where('userId', '=', userId)
      .where('organizationId', '=', other.organizationId)
      .execute()
    const theirs = { ...other, organizationId: elsewhere, admin: chief }
    await makeRule(theirs, { threshold: 105 })
    await pulse(theirs, id, 110)
    expect(await statesOf(other, id)).toEqual([])
    expect(await statesOf(theirs, id)).toEqual(['open'])
  })
})

describe('records', () => {
  test('erasing what was measured erases the alerts, and the next reading is the first', async () => {
    const { id, alert } = await ill()
    const erase = `/lachesis/v1/individual-metrics/${id}/`
    await call(clinic.service, erase, { method: 'DELETE', token: clinic.admin.token })
    expect(await alertsOf(clinic, id)).toEqual([])
    expect((await call(clinic.service, `${ALERTS}${alert.id}/`, { token: clinic.admin.token })).status).toBe(404)
    await pulse(clinic, id, 110, -60)
    expect(await statesOf(clinic, id)).toEqual(['open'])
  })

  test('merging two moves the alerts; of two that are open the kept record’s stays open', async () => {
    const [kept, gone] = [await clinic.newPatient(), await clinic.newPatient()]
    const group = await makeGroup(clinic, 'Both', { individualIds: [kept, gone] })
    await makeRule(clinic, { 'group-id': group })
    const own = await makeRule(clinic, { 'individual-id': gone, threshold: 90, name: 'Own' })
    await pulse(clinic, kept, 110, -60, 'one')
    await pulse(clinic, gone, 120, -50, 'two')
    await clinic.admin.almoner.mergeIndividuals({ id: kept, body: { individualId: gone } })
    const after = await alertsOf(clinic, kept)
    const said = after.map(({ attributes }) => `${attributes['rule-name']} ${attributes.value} ${attributes.state}`)
    expect(said.sort()).toEqual(['High pulse 110 open', 'High pulse 120 cleared', 'Own 120 open'])
    expect(await eventsOf(clinic, kept)).toEqual(['fired', 'cleared rule-changed'])
    // The series of the other came along: the alert clears when neither is beyond any more.
    await pulse(clinic, kept, 80, -40, 'one')
    expect((await statesOf(clinic, kept)).sort()).toEqual(['cleared rule-changed', 'open', 'open'])
    await pulse(clinic, kept, 80, -40, 'two')
    expect((await statesOf(clinic, kept)).sort()).toEqual([
      'cleared readings',
      'cleared readings',
      'cleared rule-changed',
    ])
    const { body } = await call(clinic.service, `/lachesis/v1/alert-rules/${own}/`, { token: clinic.admin.token })
    expect(body.data.attributes['individual-id']).toBe(kept)
  })
})

test('a push that fails leaves neither alert nor event', async () => {
  const id = await clinic.newPatient()
  await makeRule(clinic, { 'individual-id': id })
  const { db } = clinic.service
  // The last thing that is written with a push is what it did, for the audit trail.
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`.execute(db)
  await sql`create trigger refuse_all before insert on audit_events for each statement execute function refuse()`.execute(
    db,
  )
  const failed = await push(clinic, id, [{ type: 'Pulse', time: moment(), value: 110 }])
  await sql`drop trigger refuse_all on audit_events`.execute(db)
  expect(failed.status).toBe(500)
  expect([await alertsOf(clinic, id), await eventsOf(clinic, id)]).toEqual([[], []])
  await pulse(clinic, id, 110)
  expect([await statesOf(clinic, id), await eventsOf(clinic, id)]).toEqual([['open'], ['fired']])
})
