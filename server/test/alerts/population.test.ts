import { beforeAll, expect, test } from 'vitest'
import { type Clinic, openClinic, printed, push } from '../metrics/clinic.ts'
import { makeOrganization, makePerson } from '../support/service.ts'

let clinic: Clinic
const ago = (hours: number) => printed(Date.now() - hours * 3_600_000)
const pressure = (hours: number, systolic: number, diastolic: number) => ({
  type: 'BloodPressure',
  time: ago(hours),
  systolic,
  diastolic,
})

beforeAll(async () => {
  clinic = await openClinic()
})

const summaryFor = (almoner: Clinic['admin']['almoner']) =>
  almoner.getPopulationSummary({ organizationId: clinic.organizationId })

test('the summary counts who was measured, how readings are called, and the alerts', async () => {
  const { admin, organizationId, newPatient } = clinic
  const [well, ill, old, silent] = [await newPatient(), await newPatient(), await newPatient(), await newPatient()]
  await admin.almoner.createAlertRule({
    body: {
      ...{ organizationId, name: 'High', kind: 'watermark', direction: 'above', threshold: 160, severity: 'critical' },
      ...{ metricType: 'BloodPressure', field: 'systolic' },
    },
  })
  // Readings before a rule do not count for it.
  const later = printed(Date.now() + 2000)
  await push(clinic, well, [pressure(2, 115, 75)])
  await push(clinic, ill, [{ type: 'BloodPressure', time: later, systolic: 190, diastolic: 95 }])
  await push(clinic, old, [pressure(72, 150, 70)])
  await push(clinic, silent, [pressure(24 * 30, 125, 85)])
  const summary = await summaryFor(admin.almoner)
  expect(summary).toMatchObject({ individuals: 4, measuredToday: 2, measuredThisWeek: 3 })
  expect(summary.openAlerts).toEqual([{ severity: 'critical', open: 1, acknowledged: 0 }])
  expect(summary.alertsByDay).toEqual([{ day: later.slice(0, 10), severity: 'critical', count: 1 }])
  const counts = summary.states.map(({ field, state, tone, count }) => `${field} ${state} ${tone} ${count}`)
  expect(counts.toSorted()).toEqual(
    [
      'systolic crisis danger 1',
      'systolic normal good 1',
      'systolic stage-2 bad 1',
      'systolic elevated watch 1',
      'diastolic normal good 2',
      'diastolic stage-1 watch 1',
      'diastolic stage-2 bad 1',
    ].toSorted(),
  )
  const shown = summary.outOfRange.map(({ individualId, field, value, state }) => ({
    individualId,
    field,
    value,
    state,
  }))
  expect(shown.slice(0, 2)).toEqual(
    expect.arrayContaining([
      { individualId: ill, field: 'systolic', value: 190, state: 'crisis' },
      { individualId: ill, field: 'diastolic', value: 95, state: 'stage-2' },
    ]),
  )
  expect(shown[2]).toEqual({ individualId: old, field: 'systolic', value: 150, state: 'stage-2' })
  expect(shown).toHaveLength(3)
})

test('a provider who is restricted to groups sums up those alone, and another organization nobody', async () => {
  const { service, organizationId, admin } = clinic
  await service.db
    .updateTable('organizations')
    .set({ restrictProvidersToGroups: true })
    .where('id', '=', organizationId)
    .execute()
  const provider = await makePerson(service, [{ organizationId, role: 'provider' }])
  const empty = await summaryFor(provider.almoner)
  expect(empty).toMatchObject({ individuals: 0, measuredThisWeek: 0, openAlerts: [], states: [], outOfRange: [] })
  const [ill] = (await summaryFor(admin.almoner)).outOfRange
  const group = await admin.almoner.createGroup({
    body: { organizationId, name: 'North', leaderIds: [provider.userId] },
  })
  await admin.almoner.addIndividualsToGroup({ id: group.id, body: { individualIds: [ill?.individualId as string] } })
  const own = await summaryFor(provider.almoner)
  expect(own).toMatchObject({ individuals: 1, measuredToday: 1, openAlerts: [{ severity: 'critical', open: 1 }] })
  const stranger = await makePerson(service, [{ organizationId: await makeOrganization(service), role: 'org-admin' }])
  await expect(summaryFor(stranger.almoner)).rejects.toMatchObject({ status: 404 })
})
