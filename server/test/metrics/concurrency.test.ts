// Pushes while the same person's records are merged or erased. Another connection holds a row that the one waits for,
// so that the other certainly comes in between.

import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/platform/db/database.ts'
import { type Answer, call, until } from '../support/service.ts'
import { type Clinic, moments, openClinic, type Point, pointsOf, push, read } from './clinic.ts'

let clinic: Clinic

beforeAll(async () => {
  clinic = await openClinic()
})

const steps = (time: string, value = 1): Point => ({ type: 'Steps', time, value })
const [OLD, NEW] = ['2023-05-01 10:00:00', '2023-05-02 10:00:00'] as const
const erase = (id: string) =>
  call(clinic.service, `/lachesis/v1/individual-metrics/${id}/`, { method: 'DELETE', token: clinic.admin.token })
const merge = (id: string, gone: string) =>
  call(clinic.service, `/caredb/v1/aggregation-individuals/${id}/merge/`, {
    token: clinic.admin.token,
    body: { 'individual-id': gone },
  })

/** Points whose series is not there any more: nobody can read or erase them. */
async function strayPoints(): Promise<number> {
  const stray = (table: string) => sql`(select count(*)::int from ${sql.table(table)} p where not exists
    (select from metric_series s where s.individual_id = p.individual_id and s.id = p.series_id))`
  const tables = ['metric_segments', 'metric_points', 'metric_replaced_points'].map(stray)
  const { rows } = await sql<{ count: number }>`select ${sql.join(tables, sql` + `)} as count`.execute(
    clinic.service.db,
  )
  return rows[0]?.count ?? -1
}

const waiting = async (db: Database): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Lets `first` run until it waits for what `lock` holds, then starts `second`, and lets go a moment later. */
async function comingBetween(
  lock: RawBuilder<unknown>,
  first: () => Promise<Answer>,
  second: () => Promise<Answer>,
): Promise<[Answer, Answer]> {
  const { db } = clinic.service
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const holder = db.transaction().execute(async (trx) => {
    await lock.execute(trx)
    locked()
    await isReleased
  })
  await isLocked
  const one = first()
  await until(async () => (await waiting(db)) >= 1)
  const other = second()
  await Promise.race([other, until(async () => (await waiting(db)) >= 2)])
  release()
  await holder
  return [await one, await other]
}

describe('a push', () => {
  test('during a merge is refused or goes to the kept record: it is answered 201 and stored under the one that is gone', async () => {
    const [kept, gone] = [await clinic.newPatient(), await clinic.newPatient()]
    await push(clinic, gone, [steps(OLD)], 'old')
    const lock = sql`select from metric_series where individual_id = ${gone} for update`
    const [merged, pushed] = await comingBetween(
      lock,
      () => merge(kept, gone),
      () => push(clinic, gone, [steps(NEW)], 'new'),
    )
    expect(merged.status).toBe(201)
    const { body } = await read(clinic, kept, 'Steps')
    expect([pushed.status, body.meta['page[total]']]).toEqual(pushed.status === 201 ? [201, 2] : [400, 1])
    expect(await strayPoints()).toBe(0)
  })

  test('of a new source during an erasure leaves no points without a series', async () => {
    const id = await clinic.newPatient()
    await push(clinic, id, [steps(OLD)], 'old')
    await push(clinic, id, [steps(OLD, 2)], 'old')
    const lock = sql`select from metric_replaced_points where individual_id = ${id} for update`
    const before = await strayPoints()
    const [erased, pushed] = await comingBetween(
      lock,
      () => erase(id),
      () => push(clinic, id, [steps(NEW)], 'new'),
    )
    expect([erased.status, pushed.status]).toEqual([204, 201])
    expect(await strayPoints()).toBe(before)
  })

  test('of a new and a known source during an erasure waits for it: each waits for the other, and one is a 500', async () => {
    const id = await clinic.newPatient()
    await push(clinic, id, [steps(OLD)], 'old')
    await push(clinic, id, [steps(OLD, 2)], 'old')
    const answers = await comingBetween(
      sql`select from metric_replaced_points where individual_id = ${id} for update`,
      () => erase(id),
      async () => {
        await push(clinic, id, [steps(OLD)], 'new')
        return push(clinic, id, [steps(NEW), { ...steps(NEW), source: 'new' }], 'old')
      },
    )
    expect(answers.map(({ status }) => status)).toEqual([204, 201])
  })

  test('of the same series during an erasure is stored anew', async () => {
    const id = await clinic.newPatient()
    await push(clinic, id, [steps(OLD)])
    await push(clinic, id, [steps(OLD, 2)])
    const lock = sql`select from metric_replaced_points where individual_id = ${id} for update`
    const [erased, pushed] = await comingBetween(
      lock,
      () => erase(id),
      () => push(clinic, id, [steps(NEW)]),
    )
    expect([erased.status, pushed.status]).toEqual([204, 201])
    expect(await pointsOf(clinic, id, 'Steps')).toEqual([{ ...steps(NEW), source: 'api' }])
  })
})

describe('at the same moment', () => {
  test('a change of the newest reading and a late point of another source: the list goes back to what was changed', async () => {
    const id = await clinic.newPatient()
    const pulse = (time: string, value: number) => ({ type: 'Pulse', time, value })
    await push(clinic, id, [pulse(NEW, 60)], 'one')
    const answers = await comingBetween(
      sql`select from listed_readings where individual_id = ${id} for update`,
      () => push(clinic, id, [pulse(NEW, 61)], 'one'),
      () => push(clinic, id, [pulse(OLD, 50)], 'another'),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(await clinic.admin.almoner.getIndividual({ id })).toMatchObject({ lastHeartRate: 61 })
  })

  test('pushes to one series from many callers are all stored, and the newest is listed', async () => {
    const id = await clinic.newPatient()
    const times = moments(OLD, 150, 60)
    const sent = times.map((time, index) =>
      push(clinic, id, [{ type: 'Pulse', time, value: index }], `source ${index % 4}`),
    )
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([201]))
    expect(await pointsOf(clinic, id, 'Pulse')).toHaveLength(150)
    const listed = await clinic.admin.almoner.getIndividual({ id })
    expect(listed).toMatchObject({ lastHeartRate: 149 })
  })
})

test('merging records whose long source names begin alike: both get the same new name, and it is a 500', async () => {
  const [kept, gone] = [await clinic.newPatient(), await clinic.newPatient()]
  for (const id of [kept, gone])
    for (const last of ['a', 'b']) await push(clinic, id, [steps(OLD)], 'x'.repeat(200) + last)
  expect((await merge(kept, gone)).status).toBe(201)
})
