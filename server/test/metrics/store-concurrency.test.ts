// The store of metrics while many write at once, in two processes' worth of services on one database.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Almoner, connect } from '@almoner/client'
import { sql } from 'kysely'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { compact } from '../../src/features/metrics/compaction.ts'
import { outlinesWithin } from '../../src/features/metrics/queries/reading.ts'
import { readPoints } from '../../src/features/metrics/reading.ts'
import { createLog } from '../../src/platform/config/log.ts'
import { connectPool, type Database, database } from '../../src/platform/db/database.ts'
import { startService } from '../../src/service.ts'
import { cleanUp } from '../support/clean-up.ts'
import { printTime } from '../support/metrics-model.ts'
import { expectSound, keysOf } from '../support/metrics-store.ts'
import { makePatients, manyNames } from '../support/patients.ts'
import {
  call,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../support/service.ts'

const START = Date.parse('2024-06-01T00:00:00Z') / 1000
const log = createLog('silent')

let service: TestService
let organizationId: string
let admin: Person
/** The same person at two services that share the database. */
let doors: Almoner[]

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  const { settings, databaseUrl } = service
  const other = await startService({ settings, databaseUrl, role: 'web', log, checkAnswers: true })
  cleanUp(() => other.stop())
  doors = [admin.almoner, connect({ baseUrl: other.address ?? '', token: admin.token, retries: 0 })]
})

async function newPatient(of = organizationId): Promise<string> {
  const [patient] = await makePatients(service, of, manyNames(1))
  return patient?.individualId ?? ''
}

const random = (below: number) => Math.floor(Math.random() * below)
const doorOf = (number: number) => doors[number % doors.length] as Almoner

type Type = 'Pulse' | 'Steps' | 'BodyMass'
interface Burst {
  type: Type
  source: string
  first: number
  count: number
}
const pointsOf = ({ type, first, count }: Burst, valueAt: (time: number) => number) =>
  Array.from({ length: count }, (_, place) => {
    const time = START + (first + place) * 20
    return { type, time: printTime(time), value: valueAt(time) }
  })
const anyBurst = (): Burst => ({
  type: (['Pulse', 'Pulse', 'Steps', 'BodyMass'] as const)[random(4)] as Type,
  source: ['watch', 'phone'][random(2)] as string,
  first: random(3000),
  count: [1, 2, 5, 40, 150][random(5)] as number,
})

/** Puts series together all the time until told to stop. */
function keepCompacting(individualId: string): { stop(): Promise<void> } {
  let isOn = true
  const work = async () => {
    while (isOn) for (const key of await keysOf(service.db, [individualId])) await compact(service.db, key)
  }
  const working = Promise.all([work(), work()])
  return {
    async stop() {
      isOn = false
      await working
    },
  }
}

const totalsOf = (answers: { stored: number; updated: number; unchanged: number }[][]) =>
  answers.flat().reduce(
    (sum, { stored, updated, unchanged }) => ({
      stored: sum.stored + stored,
      updated: sum.updated + updated,
      unchanged: sum.unchanged + unchanged,
    }),
    { stored: 0, updated: 0, unchanged: 0 },
  )

test('of the same points from many at once each is new once', async () => {
  const individualId = await newPatient()
  const pushes = Array.from({ length: 240 }, () => Array.from({ length: 1 + random(3) }, anyBurst))
  const compacting = keepCompacting(individualId)
  const answers = await Promise.all(
    pushes.map((bursts, number) =>
      doorOf(number).pushTimeseries({
        body: bursts.map((burst) => ({
          individualId,
          type: burst.type,
          source: burst.source,
          data: pointsOf(burst, (time) => (time / 20) % 300),
        })),
      }),
    ),
  )
  await compacting.stop()
  const keys = pushes
    .flat()
    .flatMap(({ type, source, first, count }) =>
      Array.from({ length: count }, (_, place) => `${type} ${source} ${first + place}`),
    )
  const distinct = new Set(keys).size
  expect(totalsOf(answers)).toEqual({ stored: distinct, updated: 0, unchanged: keys.length - distinct })
  const { items } = await admin.almoner.listSourceSummaries({ individualId })
  expect(items.reduce((sum, { count }) => sum + count, 0)).toBe(distinct)
  for (const { type, source, count } of items) {
    const times: unknown[] = []
    const query = { individualId, type, filter: { source }, page: { limit: 1000 } }
    for await (const { time, value } of admin.almoner.readTimeseries.each(query)) {
      expect(value).toBe((Date.parse(`${time}Z`) / 20_000) % 300)
      times.push(time)
    }
    expect(times).toEqual([...new Set(times)].sort())
    expect(times).toHaveLength(count)
  }
  await expectSound(service.db, [individualId])
})

test('of other values for the same points the last one holds and every former one is kept', async () => {
  const individualId = await newPatient()
  const compacting = keepCompacting(individualId)
  const bursts = Array.from({ length: 120 }, () => ({ ...anyBurst(), first: random(200) }))
  const answers = await Promise.all(
    bursts.map((burst, number) =>
      doorOf(number).pushTimeseries({
        // Each says a value of its own.
        body: [{ individualId, type: burst.type, source: burst.source, data: pointsOf(burst, () => number) }],
      }),
    ),
  )
  await compacting.stop()
  const said = bursts.flatMap(({ type, source, first, count }, number) =>
    Array.from(
      { length: count },
      (_, place) => `${type} ${source} ${printTime(START + (first + place) * 20)} ${number}`,
    ),
  )
  const distinct = new Set(said.map((one) => one.slice(0, one.lastIndexOf(' ')))).size
  expect(totalsOf(answers)).toEqual({ stored: distinct, updated: said.length - distinct, unchanged: 0 })
  const kept: string[] = []
  for (const type of ['Pulse', 'Steps', 'BodyMass'] as const) {
    const query = { individualId, type, includeDeleted: true, page: { limit: 1000 } }
    for await (const { source, time, value } of admin.almoner.readTimeseries.each(query))
      kept.push(`${type} ${source} ${time} ${value}`)
  }
  expect(kept.sort()).toEqual(said.sort())
  await expectSound(service.db, [individualId])
})

test('a bad request among many does not touch its neighbours', async () => {
  const individualId = await newPatient()
  const elsewhere = await newPatient(await makeOrganization(service))
  const point = (number: number, value: unknown = 60) => ({ type: 'Pulse', time: printTime(START + number), value })
  const bodyOf = (id: string, data: unknown[]) => ({
    data: [{ type: 'time-series', attributes: { 'individual-id': id, type: 'Pulse', data } }],
  })
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, number) => {
      const id = number % 5 !== 1 ? individualId : number % 2 === 0 ? v7() : elsewhere
      const data = number % 5 === 3 ? [point(number), point(number + 1000, 9999)] : [point(number)]
      return call(service, '/lachesis/v1/timeseries/', { token: admin.token, body: bodyOf(id, data) })
    }),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, number) => [201, 404, 201, 400, 201][number % 5]))
  const { items } = await admin.almoner.readTimeseries({ individualId, type: 'Pulse', page: { limit: 1000 } })
  const good = answers.flatMap((_, number) => (number % 5 === 1 || number % 5 === 3 ? [] : [point(number).time]))
  expect(items.map(({ time }) => time)).toEqual(good)
  await expectSound(service.db, [individualId, elsewhere])
  expect(await keysOf(service.db, [elsewhere])).toEqual([])
})

test('two pushes that have one patient in common and one unknown are told apart', async () => {
  const individualId = await newPatient()
  const data = pointsOf({ type: 'Pulse', source: 'watch', first: 0, count: 20 }, () => 60)
  const item = (id: string) => ({ individualId: id, type: 'Pulse' as const, source: 'watch', data })
  const [refused, stored] = await Promise.allSettled([
    doorOf(0).pushTimeseries({ body: [item(individualId), item(v7())] }),
    doorOf(0).pushTimeseries({ body: [item(individualId)] }),
  ])
  expect(refused).toMatchObject({ status: 'rejected', reason: { status: 404 } })
  expect(stored).toMatchObject({ status: 'fulfilled', value: [{ stored: 20, updated: 0, unchanged: 0 }] })
})

test('erasing while others push fails nobody and leaves nothing that belongs to no series', async () => {
  for (let round = 0; round < 6; round++) {
    const individualId = await newPatient()
    const pushes = Array.from({ length: 100 }, (_, number) => {
      const burst = { ...anyBurst(), source: `source ${number % 40}` }
      return doorOf(number).pushTimeseries({
        body: [{ individualId, type: burst.type, source: burst.source, data: pointsOf(burst, () => number) }],
      })
    })
    const erasures = Array.from({ length: 8 }, async (_, number) => {
      await sleep(number * 15)
      await doorOf(number).eraseMetrics({ id: individualId })
    })
    const all = await Promise.allSettled([...pushes, ...erasures])
    expect(all.filter(({ status }) => status === 'rejected')).toEqual([])
    await expectSound(service.db, [individualId])
  }
})

test('what is pushed as a new series while everything is erased is erased whole or stays whole', async () => {
  const individualId = await newPatient()
  const data = pointsOf({ type: 'Pulse', source: 'watch', first: 0, count: 3 }, () => 60)
  const held = connectPool({ url: service.databaseUrl, poolSize: 1, statementTimeoutMs: 10_000, log })
  cleanUp(() => held.end())
  const blocker = await held.connect()
  await blocker.query('begin; lock table metric_replaced_points in access exclusive mode')
  const erasing = admin.almoner.eraseMetrics({ id: individualId })
  await until(async () => {
    const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
      and query like 'delete from%metric_replaced_points%'`.execute(service.db)
    return rows.length > 0
  })
  const pushing = admin.almoner.pushTimeseries({ body: [{ individualId, type: 'Pulse', source: 'watch', data }] })
  // It may be stored meanwhile, or wait until everything is erased.
  await Promise.race([pushing, sleep(500)])
  await blocker.query('commit')
  blocker.release()
  await Promise.all([pushing, erasing])
  await expectSound(service.db, [individualId])
})

/** A database on which something else is done just before a statement of a kind is sent. */
function interrupted(isMeant: (text: string) => boolean, work: () => Promise<unknown>): Database {
  const pool = connectPool({ url: service.databaseUrl, poolSize: 1, statementTimeoutMs: 10_000, log })
  cleanUp(() => pool.end())
  const connectTo = pool.connect.bind(pool)
  let isDone = false
  const connecting = async () => {
    const client = await connectTo()
    const query = client.query.bind(client) as (text: unknown, values: unknown) => Promise<unknown>
    const interrupting = async (text: unknown, values: unknown) => {
      if (!isDone && isMeant(typeof text === 'string' ? text : (text as { text: string }).text)) {
        isDone = true
        await work()
      }
      return query(text, values)
    }
    return Object.assign(Object.create(client), { query: interrupting, release: () => client.release() })
  }
  return database(Object.assign(Object.create(pool), { connect: connecting }))
}

test('a page is right when points are put together between its two statements', async () => {
  // A segment is found again by its first time alone, though by then it may reach further than its outline said.
  const individualId = await newPatient()
  const burst = { type: 'Pulse', source: 'watch' } as const
  const push = (first: number, count: number) =>
    admin.almoner.pushTimeseries({
      body: [{ individualId, ...burst, data: pointsOf({ ...burst, first, count }, (time) => (time / 20) % 300) }],
    })
  await push(0, 20)
  await push(20, 5)
  const [key] = await keysOf(service.db, [individualId])
  const db = interrupted(
    (text) => text.includes('"replacedAt"'),
    () => (key ? compact(service.db, key) : Promise.resolve()),
  )
  const bounds = { from: START - 1, to: START + 86_400, isSource: () => true, includeDeleted: false, descending: true }
  const wanted = { individualId, type: 'Pulse', ...bounds, page: { offset: 5, limit: 3 } }
  const outlines = await outlinesWithin(db, individualId, 'Pulse', wanted)
  const { items } = await readPoints(db, wanted, outlines)
  expect(items.map(({ time }) => time)).toEqual([19, 18, 17].map((place) => printTime(START + place * 20)))
})

test('what a point said before is answered in the order it was said', async () => {
  // What a request overwrites itself is kept before what was there.
  const individualId = await newPatient()
  const push = (...values: number[]) =>
    admin.almoner.pushTimeseries({
      body: [
        {
          individualId,
          type: 'Pulse',
          data: values.map((value) => ({ type: 'Pulse', time: printTime(START), value })),
        },
      ],
    })
  await push(61)
  await push(62, 63)
  const { items } = await admin.almoner.readTimeseries({ individualId, type: 'Pulse', includeDeleted: true })
  expect(items.map(({ value }) => value)).toEqual([61, 62, 63])
})

test('points without an optional enumeration are shown as rows', async () => {
  // The place of a value that is not there, NaN, is taken for a place in the list.
  const individualId = await newPatient()
  const data = [{ type: 'BloodGlucose', time: printTime(START), value: 90 }]
  await admin.almoner.pushTimeseries({ body: [{ individualId, type: 'BloodGlucose', data }] })
  const { rows } = await sql`select field, number, text from metric_point_rows
    where individual_id = ${individualId} order by field`.execute(service.db)
  expect(rows).toEqual([
    { field: 'context', number: null, text: null },
    { field: 'value', number: 90, text: null },
  ])
})
