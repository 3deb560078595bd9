import { connect } from '@almoner/client'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { monitoredPatients, readings } from '../../src/demo/metrics.ts'
import { type MetricsOptions, writeMetrics } from '../../src/demo/write-metrics.ts'
import { DEMO_PASSWORD, writePopulation } from '../../src/demo/write-population.ts'
import { makeOrganization, startTestService, type TestService } from '../support/service.ts'

const UNTIL = new Date('2026-08-01T00:00:00Z')
const CLINIC = { seed: 1, until: UNTIL, patients: 60, monitored: 0.2, monitoredPatients: 200 }

let service: TestService
let organizationId: string

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  await writePopulation(service.db, { ...CLINIC, organizationId })
})

const write = (more: Partial<MetricsOptions> = {}) =>
  writeMetrics(service.db, { ...CLINIC, organizationId, days: 20, ...more })

const counts = async () => {
  const { rows } = await sql`
    select (select sum(point_count)::int from metric_series) as points,
      (select sum(point_count)::int from metric_segments) as in_segments,
      (select count(*)::int from metric_points) as loose,
      (select count(*)::int from metric_replaced_points) as replaced,
      (select count(*)::int from listed_readings) as listed`.execute(service.db)
  return rows[0]
}

describe('readings of a made-up population', () => {
  test('that are stopped in the middle are completed by the next run', async () => {
    const controller = new AbortController()
    const stopped = await write({ signal: controller.signal, onProgress: () => controller.abort() })
    expect(stopped.isComplete).toBe(false)
    const told: number[] = []
    const completed = await write({ onProgress: (done, total) => told.push(done / total) })
    const expected = [...monitoredPatients(CLINIC)].flatMap((one) => [...readings(CLINIC, one, 20)].flat())
    expect(completed).toMatchObject({ isComplete: true, pointsBefore: stopped.points })
    expect(completed.points + completed.pointsBefore).toBe(expected.length)
    expect(told.at(-1)).toBe(1)
  })

  test('are not added twice, and a later day adds only its own', async () => {
    const before = await counts()
    const again = await write()
    expect(again).toMatchObject({ points: 0, isComplete: true })
    expect(await counts()).toEqual(before)
    const later = await write({ until: new Date('2026-08-02T00:00:00Z'), days: 21 })
    expect(later.pointsBefore).toBe(again.pointsBefore)
    expect(later.points).toBeGreaterThan(500)
    expect(await counts()).toMatchObject({ replaced: 0, points: again.pointsBefore + later.points })
  })

  test('are read by the patient, and listed with the latest for the staff', async () => {
    const signIn = async (username: string) => {
      const almoner = connect({ baseUrl: service.url, retries: 0 })
      await almoner.login({ body: { username, password: DEMO_PASSWORD } })
      return almoner
    }
    const admin = await signIn('admin1@demo.example')
    const { items } = await admin.listIndividuals({
      organizationId,
      sort: [{ field: 'lastHeartRateTime', descending: true }],
    })
    expect(items[0]?.lastHeartRateTime?.getTime()).toBeGreaterThan(Date.parse('2026-07-31T00:00:00Z'))
    const patient = await signIn('patient1@demo.example')
    const { individualId } = await service.db
      .selectFrom('users')
      .select('individualId')
      .where('username', '=', 'patient1@demo.example')
      .executeTakeFirstOrThrow()
    const sources = await patient.listSourceSummaries({ individualId })
    expect(sources.total).toBeGreaterThan(0)
  })

  test('leave other organizations alone', async () => {
    const other = await makeOrganization(service, 'Hilltop Practice')
    expect(await write({ organizationId: other })).toMatchObject({ patients: 0, points: 0, isComplete: true })
  })
})
