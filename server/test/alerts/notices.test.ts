import { beforeAll, expect, test } from 'vitest'
import { type Clinic, openClinic } from '../metrics/clinic.ts'
import { makePerson, type Person, until } from '../support/service.ts'
import { makeRule, pulse } from './ward.ts'

let clinic: Clinic
const provider = () => makePerson(clinic.service, [{ organizationId: clinic.organizationId, role: 'provider' }])

beforeAll(async () => {
  clinic = await openClinic({}, 'all')
})

const toldTo = async ({ almoner }: Person) => (await almoner.listNotifications()).items

test('whoever a rule names is told once of what it fired: staff, the staff of a group, and nobody else', async () => {
  const [named, leader, stranger] = [await provider(), await provider(), await provider()]
  const { admin, organizationId } = clinic
  const group = await admin.almoner.createGroup({ body: { organizationId, name: 'Night', leaderIds: [leader.userId] } })
  const patient = await clinic.newPatient()
  await makeRule(clinic, {
    'individual-id': patient,
    notify: { 'individual-ids': [named.individualId, leader.individualId], 'group-ids': [group.id] },
  })
  await pulse(clinic, patient, 131)
  await until(async () => (await toldTo(leader)).length > 0 && (await toldTo(named)).length > 0)
  const [alert] = (await admin.almoner.listAlerts({ filter: { individualId: patient } })).items
  for (const person of [named, leader]) {
    const notices = await toldTo(person)
    expect(notices).toMatchObject([
      {
        kind: 'alert.fired',
        severity: 'warning',
        individualId: patient,
        path: `/alerts/${alert?.id}`,
        text: 'Pulse 131 bpm, above 100',
      },
    ])
    expect(notices[0]?.title).toContain('High pulse')
  }
  expect(await toldTo(stranger)).toEqual([])
  // Further readings beyond tell nobody again.
  await pulse(clinic, patient, 140, 1)
  await pulse(clinic, patient, 90, 2)
  await pulse(clinic, patient, 150, 3)
  await until(async () => (await toldTo(named)).length > 1)
  expect((await toldTo(named)).map(({ text }) => text)).toEqual([
    'Pulse 150 bpm, above 100',
    'Pulse 131 bpm, above 100',
  ])
})

test('a rule that names nobody tells nobody, and its alert is listed all the same', async () => {
  const { admin } = clinic
  const before = (await toldTo(admin)).length
  const patient = await clinic.newPatient()
  await makeRule(clinic, { 'individual-id': patient })
  await pulse(clinic, patient, 120)
  expect((await admin.almoner.listAlerts({ filter: { individualId: patient } })).items).toHaveLength(1)
  // The next one that is told shows that this one was passed over.
  const other = await clinic.newPatient()
  await makeRule(clinic, { 'individual-id': other, notify: { 'individual-ids': [admin.individualId] } })
  await pulse(clinic, other, 120)
  await until(async () => (await toldTo(admin)).length > before)
  expect((await toldTo(admin)).map(({ individualId }) => individualId)).not.toContain(patient)
})

test('someone whose language is Spanish is told in Spanish', async () => {
  const person = await provider()
  const { db } = clinic.service
  await db.updateTable('individuals').set({ locale: 'es_US' }).where('id', '=', person.individualId).execute()
  const patient = await clinic.newPatient()
  await makeRule(clinic, { 'individual-id': patient, notify: { 'individual-ids': [person.individualId] } })
  await pulse(clinic, patient, 120)
  await until(async () => (await toldTo(person)).length > 0)
  expect((await toldTo(person))[0]?.text).toBe('120 bpm, por encima de 100')
})

test('erasing what was measured takes back what was told of it, in notices and in events', async () => {
  const person = await provider()
  const { admin, service } = clinic
  const patient = await clinic.newPatient()
  await makeRule(clinic, { 'individual-id': patient, notify: { 'individual-ids': [person.individualId] } })
  await pulse(clinic, patient, 133)
  await until(async () => (await toldTo(person)).length > 0)
  await admin.almoner.eraseMetrics({ id: patient })
  expect(await toldTo(person)).toEqual([])
  const { items } = await admin.almoner.listEvents({ filter: { individualId: patient, kind: ['metric.alert-fired'] } })
  expect(items.map(({ data }) => data)).toMatchObject([{ value: null, message: '' }])
  const kept = await service.db.selectFrom('events').select('data').where('individualId', '=', patient).execute()
  expect(JSON.stringify(kept)).not.toContain('133')
})
