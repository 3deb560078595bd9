import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { writeAlerts } from '../../src/demo/write-alerts.ts'
import { writeMetrics } from '../../src/demo/write-metrics.ts'
import { writePopulation } from '../../src/demo/write-population.ts'
import { dryRun } from '../../src/features/alerts/dry-run.ts'
import { shownRule } from '../../src/features/alerts/rule.ts'
import { wholeSight } from '../../src/platform/auth/sight.ts'
import { makeOrganization, startTestService, type TestService } from '../support/service.ts'

const UNTIL = new Date('2026-08-01T00:00:00Z')
const CLINIC = { seed: 1, until: UNTIL, patients: 500, monitored: 0.2, monitoredPatients: 200, days: 15 }

async function clinicWithAlerts() {
  const service = await startTestService()
  const organizationId = await makeOrganization(service)
  const options = { ...CLINIC, organizationId }
  await writePopulation(service.db, options)
  await writeMetrics(service.db, options)
  return { service, options, organizationId, count: await writeAlerts(service.db, options) }
}

let clinic: Awaited<ReturnType<typeof clinicWithAlerts>>

beforeAll(async () => {
  clinic = await clinicWithAlerts()
}, 120_000)

const said = async ({ db }: TestService) =>
  (
    await sql<{ said: string }>`select concat_ws(' ', u.username, a.rule_name, a.fired_at, a.value, a.source, a.state,
        a.note, a.cleared_at, a.acknowledged_at, a.clear_reason) as said
      from alerts a join users u on u.individual_id = a.individual_id order by 1`.execute(db)
  ).rows.map((row) => row.said)

test('some alerts are open, some are taken up with a note, and most have cleared', async () => {
  const { db } = clinic.service
  const { rows } = await sql<{ state: string; count: number; notes: number }>`
    select state, count(*)::int as count, count(note)::int as notes from alerts group by state order by state`.execute(
    db,
  )
  expect(rows.map(({ state }) => state)).toEqual(['acknowledged', 'cleared', 'open'])
  expect(rows[0]?.notes).toBeGreaterThan(0)
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(clinic.count)
  expect(clinic.count).toBeGreaterThan(20)
})

test('they are what the rules make of the readings', async () => {
  const { service, organizationId } = clinic
  const { db } = service
  const rules = await db.selectFrom('alertRules').selectAll().where('kind', '<>', 'no-data').execute()
  expect(rules).toHaveLength(5)
  const byHand = await db.selectFrom('alerts').select('individualId').where('clearReason', '=', 'by-hand').execute()
  const without = new Set(byHand.map(({ individualId }) => individualId))
  const scope = { organizationId, sight: wholeSight([organizationId]), days: 14, now: UNTIL }
  for (const rule of rules) {
    const tried = await dryRun(db, scope, shownRule(rule))
    const expected = tried.alerts.map((one) => ({ ...one, isCleared: one.clearedAt !== null }))
    const fired = await db.selectFrom('alerts').selectAll().where('ruleId', '=', rule.id).execute()
    const keyOf = (one: { individualId: string; firedAt: Date; value: number | null; source: string | null }) =>
      [one.individualId, one.firedAt.toISOString(), one.value, one.source].join(' ')
    const counted = <One extends { individualId: string }>(some: One[]) =>
      some.filter(({ individualId }) => !without.has(individualId))
    expect(
      counted(fired)
        .map((one) => `${keyOf(one)} ${one.state === 'cleared'}`)
        .sort(),
    ).toEqual(
      counted(expected)
        .map((one) => `${keyOf(one)} ${one.isCleared}`)
        .sort(),
    )
  }
})

test('every alert is told of, and who is beyond has an alert unless it was cleared by hand', async () => {
  const { rows: faults } = await sql<{ fault: string }>`
    select 'not told' as fault from alerts a where not exists (select from events e
      where e.kind = 'metric.alert-fired' and e.data ->> 'alertId' = a.id::text)
    union all select 'end not told' from alerts a where a.state = 'cleared' and not exists (select from events e
      where e.kind = 'metric.alert-cleared' and e.data ->> 'alertId' = a.id::text)
    union all select 'beyond without an alert' from alert_runs u where u.fired and not exists (select from alerts a
      where a.rule_id = u.rule_id and a.individual_id = u.individual_id
        and (a.state <> 'cleared' or a.clear_reason = 'by-hand'))
    union all select 'an alert without anyone beyond' from alerts a where a.state <> 'cleared' and not exists (select
      from alert_runs u where u.rule_id = a.rule_id and u.individual_id = a.individual_id and u.fired)`.execute(
    clinic.service.db,
  )
  expect(faults).toEqual([])
})

test('another run adds nothing, and another clinic of the same seed has the same', async () => {
  const before = await said(clinic.service)
  await writeMetrics(clinic.service.db, clinic.options)
  expect(await writeAlerts(clinic.service.db, clinic.options)).toBe(null)
  expect(await said(clinic.service)).toEqual(before)
  const other = await clinicWithAlerts()
  expect(await said(other.service)).toEqual(before)
}, 120_000)
