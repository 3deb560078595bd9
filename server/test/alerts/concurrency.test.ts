// Several who do something about the same person's alerts in the same moment.

import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Clinic, openClinic, push } from '../metrics/clinic.ts'
import { call, until } from '../support/service.ts'
import { ALERTS, alertsOf, changeRule, eventsOf, makeRule, moment, pulse, statesOf } from './ward.ts'

let clinic: Clinic

beforeAll(async () => {
  clinic = await openClinic()
})

const waiting = async (): Promise<boolean> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(clinic.service.db)
  return (rows[0]?.count ?? 0) > 0
}

/** Does the first in a transaction that ends only when the other waits for it. */
async function during<Result>(first: RawBuilder<unknown>, other: () => Promise<Result>): Promise<Result> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const { promise: isDone, resolve: done } = Promise.withResolvers<void>()
  const holder = clinic.service.db.transaction().execute(async (trx) => {
    await first.execute(trx)
    done()
    await isReleased
  })
  await isDone
  const result = other()
  try {
    await until(waiting)
  } finally {
    release()
    await holder
  }
  return result
}

test('two sources cross in opposite directions: one alert is open exactly while one of them is beyond', async () => {
  const id = await clinic.newPatient()
  await makeRule(clinic, { 'individual-id': id })
  const sources = ['cuff', 'watch', 'band']
  for (let round = 0; round < 60; round++) {
    const values = sources.map((_, place) => ((round + place) % 2 === 0 || round % 7 === place ? 110 : 90))
    const at = -20_000 + round * 60
    await Promise.all(sources.map((source, place) => pulse(clinic, id, values[place] as number, at, source)))
    const open = (await alertsOf(clinic, id)).filter(({ attributes }) => attributes.state !== 'cleared')
    expect([round, open.length]).toEqual([round, values.some((value) => value > 100) ? 1 : 0])
  }
  const events = await eventsOf(clinic, id)
  // One after the other: none fires while another is open.
  for (const [place, said] of events.entries()) expect(said).toBe(place % 2 === 0 ? 'fired' : 'cleared readings')
})

test('many sources and rules at once: everyone is answered, and nobody has two open alerts of a rule', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => clinic.newPatient()))
  for (const threshold of [95, 100, 105, 110]) await makeRule(clinic, { threshold, name: `Above ${threshold}` })
  await makeRule(clinic, { kind: 'range', direction: null, threshold: null, from: 90, to: 130, period: 1 })
  for (let round = 0; round < 8; round++) {
    const pushes = Array.from({ length: 30 }, (_, index) => {
      const bodies = people.map((id, place) => ({
        type: 'time-series',
        attributes: {
          ...{ 'individual-id': id, type: 'Pulse', source: `source ${index % 10}` },
          data: [
            {
              type: 'Pulse',
              time: moment(-5000 + round * 120 + index),
              value: 85 + ((index * 7 + place + round) % 40),
            },
          ],
        },
      }))
      const data = index % 2 === 0 ? bodies : bodies.toReversed()
      return call(clinic.service, '/lachesis/v1/timeseries/', { token: clinic.admin.token, body: { data } })
    })
    expect(new Set((await Promise.all(pushes)).map(({ status }) => status))).toEqual(new Set([201]))
  }
  const { rows } = await sql<{ fault: string }>`
    select 'beyond without an alert' as fault from alert_runs u join alert_rules r on r.id = u.rule_id
    where u.fired and r.enabled and not exists (select from alerts a
      where a.rule_id = u.rule_id and a.individual_id = u.individual_id and a.state <> 'cleared')
    union all
    select 'an alert without anyone beyond' from alerts a where a.state <> 'cleared' and not exists (select
      from alert_runs u where u.rule_id = a.rule_id and u.individual_id = a.individual_id and u.fired)
    union all
    select 'two' from alerts where state <> 'cleared' group by rule_id, individual_id having count(*) > 1`.execute(
    clinic.service.db,
  )
  expect(rows).toEqual([])
})

test('cleared by hand while the readings come back: it is cleared, and told, once', async () => {
  const id = await clinic.newPatient()
  await makeRule(clinic, { 'individual-id': id, threshold: 140 })
  await pulse(clinic, id, 150, -60)
  const before = await eventsOf(clinic, id)
  await during(
    sql`update alerts set state = 'cleared', clear_reason = 'by-hand' where individual_id = ${id} and value = 150`,
    () => pulse(clinic, id, 60, -50),
  )
  expect(await eventsOf(clinic, id)).toEqual(before)
})

/** As whoever changes a rule does. */
const lockedRule = (id: string) => sql`with locked as (select id from alert_rules where id = ${id} for update)`

test('a rule that is switched off while a reading comes fires no more', async () => {
  const id = await clinic.newPatient()
  const rule = await makeRule(clinic, { 'individual-id': id, threshold: 170 })
  await during(
    sql`${lockedRule(rule)} update alert_rules r set enabled = false from locked where r.id = locked.id`,
    () => pulse(clinic, id, 180, -60),
  )
  const alerts = (await alertsOf(clinic, id)).filter(({ attributes }) => attributes['rule-id'] === rule)
  expect(alerts).toEqual([])
})

test('a rule that is changed while a reading comes is asked as it is then', async () => {
  const id = await clinic.newPatient()
  const rule = await makeRule(clinic, { 'individual-id': id, threshold: 170 })
  await during(
    sql`${lockedRule(rule)} update alert_rules r set threshold = 175 from locked where r.id = locked.id`,
    () =>
      push(
        clinic,
        id,
        [172, 180].map((value, at) => ({ type: 'Pulse', time: moment(at - 60), value })),
      ),
  )
  const alerts = (await alertsOf(clinic, id)).filter(({ attributes }) => attributes['rule-id'] === rule)
  expect(alerts.map(({ attributes }) => attributes.value)).toEqual([180])
})

test('rules that are changed while readings come leave no open alert behind', async () => {
  const id = await clinic.newPatient()
  const rule = await makeRule(clinic, { 'individual-id': id, threshold: 200 })
  for (let round = 0; round < 15; round++)
    await Promise.all([
      pulse(clinic, id, 201 + round, -4000 + round * 10, 'one'),
      pulse(clinic, id, 201 + round, -4000 + round * 10, 'two'),
      changeRule(clinic, rule, { threshold: 199 - (round % 2) }),
    ])
  const path = `/lachesis/v1/alert-rules/${rule}/`
  await Promise.all([
    pulse(clinic, id, 250, 10, 'one'),
    pulse(clinic, id, 250, 10, 'two'),
    call(clinic.service, path, { method: 'DELETE', token: clinic.admin.token }),
  ])
  const open = (await alertsOf(clinic, id)).filter(({ attributes }) => attributes['rule-id'] === rule)
  expect(open.filter(({ attributes }) => attributes.state !== 'cleared')).toEqual([])
  expect((await statesOf(clinic, id)).length).toBeGreaterThan(0)
  expect((await call(clinic.service, ALERTS, { token: clinic.admin.token })).status).toBe(200)
})
