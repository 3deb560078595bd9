// Who may push, read and erase whose metrics, what it costs, and what is recorded of it.

import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, call, makeOrganization, makePerson, type Person, until } from '../support/service.ts'
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
  readPath,
  rowCounts,
} from './clinic.ts'

let clinic: Clinic
let patient: Person
let otherPatient: Person
let provider: Person
let outsider: Person
let elsewhere: string

beforeAll(async () => {
  clinic = await openClinic()
  const { service, organizationId } = clinic
  elsewhere = await makeOrganization(service, 'Elsewhere')
  patient = await makePerson(service, [{ organizationId, role: 'patient' }])
  otherPatient = await makePerson(service, [{ organizationId, role: 'patient' }])
  provider = await makePerson(service, [{ organizationId, role: 'provider' }])
  outsider = await makePerson(service, [{ organizationId: elsewhere, role: 'org-admin' }])
})

let second = 0
const pulse = (more: object = {}): Point => ({
  ...{
    type: 'Pulse',
    time: `2023-05-01 10:${String(Math.floor(++second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}`,
  },
  ...{ value: 60, ...more },
})
const pushAs = (token: string, id: string) => pushItems(clinic, token, [item(id, [pulse()])])
const erasing = (id: string) => `/lachesis/v1/individual-metrics/${id}/`
const codeOf = (answer: Answer) => [answer.status, ...faultsOf(answer)]
const reads = (id: string) => [
  readPath(id, 'Pulse'),
  `/lachesis/v1/timeseries-summaries/?individual-id=${id}&type=Pulse`,
  `/lachesis/v2/source-summaries/?individual-id=${id}`,
]

/** Every operation that names a person, as this caller: the status of each. */
async function attempts(token: string, id: string): Promise<number[]> {
  const statuses = [(await pushAs(token, id)).status]
  for (const path of reads(id)) statuses.push((await call(clinic.service, path, { token })).status)
  return statuses
}

async function serviceAccount(
  kind: 'device' | 'job',
  scopes: string[],
  individualIds: string[] = [],
  name = 'Scale 3',
) {
  const { admin, organizationId } = clinic
  const { id } = await admin.almoner.createServiceAccount({
    body: { organizationId, name, kind, scopes, individualIds },
  })
  const { token } = await admin.almoner.createServiceAccountToken({ id, body: { name: 'first' } })
  return { id, token }
}

describe('sight', () => {
  test('a patient pushes and reads their own and nobody else', async () => {
    expect(await attempts(patient.token, patient.individualId)).toEqual([201, 200, 200, 200])
    expect(await attempts(patient.token, otherPatient.individualId)).toEqual([404, 404, 404, 404])
    expect(await attempts(patient.token, v7())).toEqual([404, 404, 404, 404])
  })

  test('providers and administrators of the organization do so for its patients', async () => {
    for (const { token } of [provider, clinic.admin])
      expect(await attempts(token, patient.individualId)).toEqual([201, 200, 200, 200])
  })

  test('those of another organization find nobody, and a push for both sides stores nothing', async () => {
    expect(await attempts(outsider.token, patient.individualId)).toEqual([404, 404, 404, 404])
    const theirs = await makePerson(clinic.service, [{ organizationId: elsewhere, role: 'patient' }])
    const before = await rowCounts(clinic)
    const items = [item(theirs.individualId, [pulse()]), item(patient.individualId, [pulse()])]
    expect(codeOf(await pushItems(clinic, outsider.token, items))).toEqual([404, 'NotFound'])
    expect(await rowCounts(clinic)).toEqual(before)
    expect(
      (await call(clinic.service, erasing(patient.individualId), { method: 'DELETE', token: outsider.token })).status,
    ).toBe(404)
  })

  test('staff are nobody to measure, and without a sign-in nothing is open', async () => {
    expect(await attempts(clinic.admin.token, provider.individualId)).toEqual([404, 404, 404, 404])
    expect(await attempts(provider.token, provider.individualId)).toEqual([404, 404, 404, 404])
    expect(await attempts('', patient.individualId)).toEqual([403, 403, 403, 403])
  })

  test('a restricted provider is held to the groups they lead, and those below', async () => {
    const { service } = clinic
    const { db } = service
    const organizationId = await makeOrganization(service, 'Restricted')
    await db
      .updateTable('organizations')
      .set({ restrictProvidersToGroups: true })
      .where('id', '=', organizationId)
      .execute()
    const chief = await makePerson(service, [{ organizationId, role: 'org-admin' }])
    const nurse = await makePerson(service, [{ organizationId, role: 'provider' }])
    const led = await chief.almoner.createGroup({ body: { name: 'Led', organizationId } })
    const below = await chief.almoner.createGroup({ body: { name: 'Below', organizationId } })
    await db.updateTable('individualGroups').set({ parentGroupId: led.id }).where('id', '=', below.id).execute()
    const other = await chief.almoner.createGroup({ body: { name: 'Other', organizationId } })
    const addedAt = new Date()
    await db
      .insertInto('groupStaff')
      .values({ groupId: led.id, kind: 'leader', userId: nurse.userId, addedAt })
      .execute()
    const statuses: Record<string, number[]> = {}
    for (const [name, groupId] of [
      ['led', led.id],
      ['below', below.id],
      ['other', other.id],
      ['none', null],
    ] as const) {
      const { individualId } = await makePerson(service, [{ organizationId, role: 'patient' }])
      if (groupId) await db.insertInto('groupIndividuals').values({ groupId, individualId, addedAt }).execute()
      statuses[name] = await attempts(nurse.token, individualId)
      expect(await attempts(chief.token, individualId)).toEqual([201, 200, 200, 200])
    }
    const [seen, unseen] = [
      [201, 200, 200, 200],
      [404, 404, 404, 404],
    ]
    expect(statuses).toEqual({ led: seen, below: seen, other: unseen, none: unseen })
  })

  test('a record that was merged away takes no points and says where they belong', async () => {
    const [kept, gone] = [await clinic.newPatient(), await clinic.newPatient()]
    await clinic.admin.almoner.mergeIndividuals({ id: kept, body: { individualId: gone } })
    const before = await rowCounts(clinic)
    const answer = await pushAs(clinic.admin.token, gone)
    expect(codeOf(answer)).toEqual([400, 'RecordMerged'])
    expect(answer.body.errors[0].meta.id).toBe(kept)
    expect(await rowCounts(clinic)).toEqual(before)
  })

  test('only administrators erase', async () => {
    const erase = (token: string) => call(clinic.service, erasing(patient.individualId), { method: 'DELETE', token })
    await push(clinic, patient.individualId, [pulse()])
    const job = await serviceAccount('job', ['push-timeseries', 'erase-metrics'])
    for (const token of [patient.token, provider.token, job.token])
      expect(codeOf(await erase(token))).toEqual([403, 'PermissionDenied'])
    expect((await pointsOf(clinic, patient.individualId, 'Pulse')).length).toBeGreaterThan(0)
    expect((await erase(clinic.admin.token)).status).toBe(204)
    expect(await pointsOf(clinic, patient.individualId, 'Pulse')).toEqual([])
  })
})

describe('service accounts', () => {
  const SCOPES = ['push-timeseries', 'read-timeseries', 'list-timeseries-summaries', 'list-source-summaries']

  test('a device does so for those it was given, and what it measures carries its name', async () => {
    const [own, other] = [await clinic.newPatient(), await clinic.newPatient()]
    const { token, id } = await serviceAccount('device', SCOPES, [own])
    expect(await attempts(token, own)).toEqual([201, 200, 403, 403])
    expect(await attempts(token, other)).toEqual([404, 404, 403, 403])
    expect((await pointsOf(clinic, own, 'Pulse'))[0]?.source).toBe('Scale 3')
    const [time, value] = ['2023-06-01 00:00:00', 70]
    const items = [item(own, [pulse({ time, source: 'point' }), pulse({ time })], { source: 'series' })]
    expect((await pushItems(clinic, token, items)).status).toBe(201)
    const sources = (await pointsOf(clinic, own, 'Pulse', { 'begin-datetime': time })).map(({ source }) => source)
    expect(sources).toEqual(['point', 'series'])
    await pushItems(clinic, token, [item(own, [pulse({ time, value })], { source: 'series' })])
    const [before] = await pointsOf(clinic, own, 'Pulse', { 'filter[source]': 'series', 'include-deleted': 'true' })
    expect(before).toMatchObject({ value: 60, 'deleted-by': id })
    const both = await pushItems(clinic, token, [item(own, [pulse()]), item(other, [pulse()])])
    expect(codeOf(both)).toEqual([404, 'NotFound'])
  })

  test('a device or a job without the scope is refused, and deleted points are not for them', async () => {
    const own = await clinic.newPatient()
    for (const kind of ['device', 'job'] as const) {
      const { token } = await serviceAccount(kind, ['read-timeseries'], kind === 'device' ? [own] : [])
      expect((await attempts(token, own)).slice(0, 2)).toEqual([403, 200])
      const deleted = await call(clinic.service, readPath(own, 'Pulse', { 'include-deleted': 'true' }), { token })
      expect(codeOf(deleted)).toEqual([403, 'PermissionDenied'])
    }
  })

  test('a job does so for everyone of its organization alone', async () => {
    const { token } = await serviceAccount('job', SCOPES, [], 'Nightly import')
    expect(await attempts(token, patient.individualId)).toEqual([201, 200, 200, 200])
    const theirs = await makePerson(clinic.service, [{ organizationId: elsewhere, role: 'patient' }])
    expect(await attempts(token, theirs.individualId)).toEqual([404, 404, 404, 404])
    const sources = (await pointsOf(clinic, patient.individualId, 'Pulse')).map(({ source }) => source)
    expect(sources).toContain('Nightly import')
  })

  test('people push as `api` when no source is named', async () => {
    const id = await clinic.newPatient()
    await pushAs(clinic.admin.token, id)
    expect((await pointsOf(clinic, id, 'Pulse')).map(({ source }) => source)).toEqual(['api'])
  })
})

describe('the audit trail', () => {
  const entriesOf = async (answer: Answer) => {
    const requestId = answer.headers.get('x-request-id') ?? ''
    const find = () =>
      clinic.service.db.selectFrom('auditEvents').selectAll().where('requestId', '=', requestId).execute()
    await until(async () => (await find()).length > 0)
    return find()
  }

  test('names whose metrics were pushed, read and erased, and by whom', async () => {
    const ids = [await clinic.newPatient(), await clinic.newPatient()]
    const { token, userId } = clinic.admin
    const pushed = await pushItems(
      clinic,
      token,
      ids.map((id) => item(id, [pulse()])),
    )
    const [entry, ...others] = await entriesOf(pushed)
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      operation: 'push-timeseries',
      outcome: 'success',
      userId,
      organizationId: clinic.organizationId,
    })
    expect(entry?.individualIds.toSorted()).toEqual(ids.toSorted())
    for (const path of reads(ids[0] as string)) {
      const [read] = await entriesOf(await call(clinic.service, path, { token }))
      expect(read).toMatchObject({ outcome: 'success', userId, individualIds: [ids[0]] })
    }
    const erased = await call(clinic.service, erasing(ids[1] as string), { method: 'DELETE', token })
    expect((await entriesOf(erased))[0]).toMatchObject({ operation: 'erase-metrics', individualIds: [ids[1]] })
  })

  test('has what a device pushed, and what was refused', async () => {
    const own = await clinic.newPatient()
    const { token, id } = await serviceAccount('device', ['push-timeseries'], [own])
    expect(await entriesOf(await pushAs(token, own))).toMatchObject([
      { serviceAccountId: id, userId: null, individualIds: [own] },
    ])
    expect(await entriesOf(await pushAs(patient.token, otherPatient.individualId))).toMatchObject([
      { outcome: 'refused', code: 'NotFound', userId: patient.userId },
    ])
  })

  test('has an entry in each organization where the person is seen', async () => {
    const { service, organizationId } = clinic
    const shared = await makePerson(service, [
      { organizationId, role: 'patient' },
      { organizationId: elsewhere, role: 'patient' },
    ])
    const mine = await entriesOf(await pushAs(shared.token, shared.individualId))
    expect(mine.map((entry) => entry.organizationId).sort()).toEqual([organizationId, elsewhere].sort())
    const theirs = await entriesOf(await pushAs(outsider.token, shared.individualId))
    expect(theirs.map((entry) => entry.organizationId)).toEqual([elsewhere])
  })
})

describe('the quota', () => {
  test('a started hundred of points costs a unit, and what it does not cover is not stored', async () => {
    const small = await openClinic({ USER_QUOTA: '10' })
    const { service, organizationId } = small
    const usedAfter = async (person: Person, counts: number[]) => {
      const used: [number, number][] = []
      for (const [round, count] of counts.entries()) {
        const times = moments(`2023-0${round + 1}-01 00:00:00`, count, 60)
        const points = times.map((time) => ({ type: 'Pulse', time, value: 60 }))
        const { status, headers } = await pushItems(small, person.token, [item(person.individualId, points)])
        used.push([status, Number(headers.get('x-ratelimit-used'))])
      }
      return used
    }
    const newPerson = () => makePerson(service, [{ organizationId, role: 'patient' }])
    expect(await usedAfter(await newPerson(), [1, 100, 101, 200, 201])).toEqual([
      [201, 1],
      [201, 2],
      [201, 4],
      [201, 6],
      [201, 9],
    ])
    const second = await newPerson()
    expect((await usedAfter(second, [800, 300])).map(([status]) => status)).toEqual([201, 429])
    const { db } = service
    const series = await db
      .selectFrom('metricSeries')
      .select('pointCount')
      .where('individualId', '=', second.individualId)
      .execute()
    expect(series).toEqual([{ pointCount: '800' }])
  })
})
