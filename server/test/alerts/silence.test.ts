// Rules for readings that do not come. The task runs by the clock; here it is asked at chosen moments.

import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { watchForSilence } from '../../src/features/alerts/silence.ts'
import { type Clinic, openClinic, push } from '../metrics/clinic.ts'
import { makePatients, manyNames } from '../support/patients.ts'
import { call, until } from '../support/service.ts'
import { ALERTS, alertsOf, changeRule, eventsOf, makeGroup, makeRule, moment, pulse, statesOf } from './ward.ts'

let clinic: Clinic

beforeAll(async () => {
  clinic = await openClinic()
})

const HOUR = 3600
const SILENCE = {
  name: 'No pulse',
  kind: 'no-data',
  direction: null,
  threshold: null,
  hours: 48,
  'metric-type': 'Pulse',
}

const look = (seconds = 0): Promise<void> =>
  watchForSilence.run(
    {},
    { db: clinic.service.db, now: new Date(Date.now() + seconds * 1000), log: pino({ level: 'silent' }) },
  )

/** Someone who came ten days ago. */
async function longKnown(): Promise<string> {
  const id = await clinic.newPatient()
  await sql`update individuals set created_at = created_at - interval '10 days' where id = ${id}`.execute(
    clinic.service.db,
  )
  return id
}

test('fires when the hours are over, not before, and once', async () => {
  const id = await longKnown()
  await makeRule(clinic, { ...SILENCE, 'individual-id': id })
  await pulse(clinic, id, 60, -HOUR)
  await look(47 * HOUR - 60)
  expect(await statesOf(clinic, id)).toEqual([])
  await look(47 * HOUR + 60)
  await look(47 * HOUR + 120)
  const [alert, ...more] = await alertsOf(clinic, id)
  expect(more).toEqual([])
  expect(alert?.attributes).toMatchObject({
    ...{ kind: 'no-data', state: 'open', source: null, value: null, field: null },
    ...{ message: 'Pulse: no reading for 48 hours', hours: 48, period: null, threshold: null },
  })
  const silentSince = Date.parse(`${alert?.attributes['fired-at'].replace(' ', 'T')}Z`) - 48 * HOUR * 1000
  expect(Math.abs(silentSince - (Date.now() - HOUR * 1000))).toBeLessThan(20_000)
  expect(await eventsOf(clinic, id)).toEqual(['fired'])
})

test('ends with a reading of any source that is not too old itself', async () => {
  const id = await longKnown()
  await makeRule(clinic, { ...SILENCE, 'individual-id': id })
  await pulse(clinic, id, 60, -80 * HOUR, 'watch')
  await look()
  expect(await statesOf(clinic, id)).toEqual(['open'])
  await pulse(clinic, id, 60, -70 * HOUR, 'watch')
  await pulse(clinic, id, 60, -49 * HOUR, 'cuff')
  await pulse(clinic, id, 60, 2 * HOUR, 'clock that is wrong')
  await push(clinic, id, [{ type: 'Steps', time: moment(), value: 5 }])
  expect(await statesOf(clinic, id)).toEqual(['open'])
  await pulse(clinic, id, 60, -47 * HOUR, 'cuff')
  expect(await statesOf(clinic, id)).toEqual(['cleared readings'])
  await look()
  expect(await eventsOf(clinic, id)).toEqual(['fired', 'cleared readings'])
  await look(3 * HOUR)
  expect(await statesOf(clinic, id)).toEqual(['open', 'cleared readings'])
})

test('a reading of a clock that is years ahead hides no silence', async () => {
  const id = await longKnown()
  await makeRule(clinic, { ...SILENCE, 'individual-id': id })
  await pulse(clinic, id, 60, -50 * HOUR)
  await pulse(clinic, id, 60, 9000 * HOUR)
  await look()
  expect(await statesOf(clinic, id)).toEqual(['open'])
})

test('that was cleared by hand fires again only after there was a reading', async () => {
  const id = await longKnown()
  await makeRule(clinic, { ...SILENCE, 'individual-id': id })
  await pulse(clinic, id, 60, -50 * HOUR)
  await look()
  const [alert] = await alertsOf(clinic, id)
  await call(clinic.service, `${ALERTS}${alert?.id}/clear/`, { token: clinic.admin.token, body: {} })
  await look(100 * HOUR)
  expect(await statesOf(clinic, id)).toEqual(['cleared by-hand'])
  await pulse(clinic, id, 60)
  await look(100 * HOUR)
  expect(await statesOf(clinic, id)).toEqual(['open', 'cleared by-hand'])
})

test('begins with the rule, and with someone’s coming', async () => {
  const [old, young] = [await longKnown(), await clinic.newPatient()]
  const group = await makeGroup(clinic, 'Begin', { individualIds: [old, young] })
  const rule = await makeRule(clinic, { ...SILENCE, 'group-id': group }, 49 * HOUR)
  await look()
  // Whoever has no reading at all is silent as well.
  expect([await statesOf(clinic, old), await statesOf(clinic, young)]).toEqual([['open'], []])
  await look(48 * HOUR + 60)
  expect(await statesOf(clinic, young)).toEqual(['open'])
  await changeRule(clinic, rule, { hours: 24 })
  expect(await statesOf(clinic, old)).toEqual(['cleared rule-changed'])
  await look(23 * HOUR)
  expect(await statesOf(clinic, old)).toEqual(['cleared rule-changed'])
  await look(24 * HOUR + 60)
  expect(await statesOf(clinic, old)).toEqual(['open', 'cleared rule-changed'])
})

test('watches groups below, and nobody who left, is archived, or is watched by a rule that is off', async () => {
  const [below, left, archived, off] = [await longKnown(), await longKnown(), await longKnown(), await longKnown()]
  const top = await makeGroup(clinic, 'Above')
  const group = await makeGroup(clinic, 'Below', { above: top, individualIds: [below, left, archived] })
  await makeRule(clinic, { ...SILENCE, 'group-id': top })
  await makeRule(clinic, { ...SILENCE, 'individual-id': off, enabled: false })
  await clinic.admin.almoner.removeIndividualsFromGroup({ id: group, body: { individualIds: [left] } })
  await clinic.admin.almoner.archiveIndividual({ id: archived })
  await look()
  const states = await Promise.all([below, left, archived, off].map((id) => statesOf(clinic, id)))
  expect(states).toEqual([['open'], [], [], []])
})

test('waits for a reading that is just being written, of a source that was not there before', async () => {
  const id = await longKnown()
  await makeRule(clinic, { ...SILENCE, 'individual-id': id })
  const { db } = clinic.service
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  // The push has locked the person and waits at the end, for the audit trail.
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
  const pushed = pulse(clinic, id, 60)
  await until(async () => (await waiting()) >= 1)
  const looked = look()
  await until(async () => (await waiting()) >= 2)
  release()
  await Promise.all([holder, pushed, looked])
  expect(await statesOf(clinic, id)).toEqual([])
})

test('finds more than it takes at once', async () => {
  const { service, organizationId } = clinic
  const people = await makePatients(service, organizationId, manyNames(1203))
  const ids = people.map(({ individualId }) => individualId)
  await sql`update individuals set created_at = created_at - interval '10 days' where id = any(${ids}::uuid[])`.execute(
    service.db,
  )
  const group = await makeGroup(clinic, 'Many')
  await sql`insert into group_individuals (group_id, individual_id, added_at)
    select ${group}, id, now() from unnest(${ids}::uuid[]) id`.execute(service.db)
  const rule = await makeRule(clinic, { ...SILENCE, 'group-id': group })
  await Promise.all([look(), look()])
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from alerts where rule_id = ${rule}`.execute(service.db)
  expect(rows[0]?.count).toBe(1203)
})
