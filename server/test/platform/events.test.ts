import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { connectPool, type Database, database } from '../../src/platform/db/database.ts'
import { EventFeed } from '../../src/platform/events/event-feed.ts'
import {
  eventsAfter,
  forgetOldEvents,
  type LoggedEvent,
  lastPosition,
  placeEvents,
} from '../../src/platform/events/event-log.ts'
import { type EventReader, startEventReaders } from '../../src/platform/events/event-readers.ts'
import { Events } from '../../src/platform/events/events.ts'
import { housekeeping } from '../../src/platform/queue/housekeeping.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeDatabase } from '../support/database.ts'
import { until } from '../support/service.ts'

const log = pino({ level: 'silent' })
const organizationId = v7()

async function setUp() {
  const { url } = await makeDatabase()
  const pool = connectPool({ url, poolSize: 12, statementTimeoutMs: 10_000, log })
  cleanUp(() => pool.end())
  const db = database(pool)
  /** As in a process of its own. */
  const start = async (readers: EventReader[] = []) => {
    const feed = new EventFeed(url, db, log)
    await feed.start()
    cleanUp(() => feed.close())
    const running = await startEventReaders(db, feed, readers, log)
    cleanUp(() => running.stop())
    return { feed, running }
  }
  return { db, start }
}

const publish = (db: Database, name: string) =>
  new Events(db, new Date()).publish('group.created', { organizationId, data: { groupId: v7(), name } })
const nameOf = ({ data }: LoggedEvent) => data.name as string

test('an event has its place when it is committed, whatever began first', async () => {
  const { db, start } = await setUp()
  await start()
  const slow = db.transaction().execute(async (trx) => {
    await publish(trx, 'begun first')
    await until(async () => (await lastPosition(db)) > 0)
  })
  await sleep(50)
  await publish(db, 'committed first')
  await slow
  await until(async () => (await eventsAfter(db, 0, { limit: 10 })).length === 2)
  const events = await eventsAfter(db, 0, { limit: 10 })
  expect(events.map(nameOf)).toEqual(['committed first', 'begun first'])
})

test('whoever reads up to a place misses nothing, however many write at once', async () => {
  const { db, start } = await setUp()
  const { feed } = await start()
  await start()
  const seen: string[] = []
  let position = 0
  let reading = Promise.resolve()
  feed.subscribe(() => {
    reading = reading.then(async () => {
      for (const event of await eventsAfter(db, position, { limit: 1000 })) {
        expect(event.position).toBeGreaterThan(position)
        position = event.position
        seen.push(nameOf(event))
      }
    })
  })
  const lanes = Array.from({ length: 6 }, async (_, lane) => {
    for (let turn = 0; turn < 30; turn++)
      await db.transaction().execute(async (trx) => {
        await publish(trx, `${lane}-${turn}`)
        await sleep(Math.random() * 6)
      })
  })
  await Promise.all(lanes)
  await until(() => seen.length >= 180)
  expect(new Set(seen).size).toBe(180)
  expect(seen.length).toBe(180)
})

test('a reader gets each event once, though it runs in two processes and fails in between', async () => {
  const { db, start } = await setUp()
  await publish(db, 'before there was a reader')
  const done: string[] = []
  let failures = 2
  const reader: EventReader = {
    name: 'test',
    async read(trx, events) {
      for (const event of events) await publishDone(trx, nameOf(event))
      if (failures-- > 0) throw new Error('not yet')
    },
  }
  const publishDone = (trx: Database, name: string) =>
    trx
      .insertInto('eventReaders')
      .values({ name: `done ${name}`, position: 0 })
      .execute()
  const { feed } = await start()
  let isPlaced = false
  feed.subscribe(() => {
    isPlaced = true
  })
  await until(async () => isPlaced && (await lastPosition(db)) === 1)
  await start([reader])
  await start([reader])
  for (let turn = 0; turn < 20; turn++) await publish(db, String(turn))
  const count = async () => {
    const rows = await db.selectFrom('eventReaders').select('name').where('name', 'like', 'done%').execute()
    done.splice(0, done.length, ...rows.map(({ name }) => name))
    return done.length
  }
  await until(async () => (await count()) === 20)
  expect(done).not.toContain('done before there was a reader')
}, 20_000)

test('after a lost connection events are told of again', async () => {
  const { db, start } = await setUp()
  const { feed } = await start()
  await db.executeQuery({
    sql: `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'almoner events' and datname = current_database()`,
    parameters: [],
    query: { kind: 'RawNode' },
    queryId: { queryId: 'x' },
  } as never)
  let told = 0
  feed.subscribe(() => told++)
  await publish(db, 'after')
  await until(async () => told > 0 && (await lastPosition(db)) > 0)
})

describe('old events', () => {
  const NOW = new Date('2026-06-01T12:00:00Z')
  const before = (days: number, milliseconds = 0) => new Date(NOW.getTime() - days * 86_400_000 - milliseconds)
  const write = (db: Database, at: Date, ...names: string[]) =>
    new Events(db, at).publishAll(
      'group.created',
      names.map((name) => ({ organizationId, data: { groupId: v7(), name } })),
    )
  const left = async (db: Database) => (await eventsAfter(db, 0, { limit: 10_000 })).map(nameOf)

  test('are forgotten to the moment, and the others stay', async () => {
    const { db } = await setUp()
    await write(db, before(400, 1), 'too old')
    await write(db, before(400), 'just young enough')
    await write(db, before(399), 'younger')
    await placeEvents(db)
    await write(db, before(500), 'without a place yet')
    await forgetOldEvents(db, 400, NOW)
    expect(await left(db)).toEqual(['just young enough', 'younger'])
    await placeEvents(db)
    await forgetOldEvents(db, 400, NOW)
    expect(await left(db)).toEqual(['just young enough', 'younger'])
    await forgetOldEvents(db, 399, NOW)
    expect(await left(db)).toEqual(['younger'])
  })

  test('stay while a reader has not read them', async () => {
    const { db } = await setUp()
    await write(db, before(500), 'one', 'two', 'three')
    await placeEvents(db)
    const [one, two] = (await eventsAfter(db, 0, { limit: 10 })).map(({ position }) => position)
    const readers = [
      { name: 'quick', position: two as number },
      { name: 'slow', position: one as number },
    ]
    await db.insertInto('eventReaders').values(readers).execute()
    await forgetOldEvents(db, 400, NOW)
    expect(await left(db)).toEqual(['two', 'three'])
    await db.updateTable('eventReaders').set({ position: 1000 }).execute()
    await forgetOldEvents(db, 400, NOW)
    expect(await left(db)).toEqual([])
  })

  test('are forgotten however many there are, each hour by themselves', async () => {
    const { db } = await setUp()
    const names = Array.from({ length: 2300 }, (_, index) => String(index))
    await write(db, before(500), ...names)
    await placeEvents(db)
    await write(db, NOW, 'new')
    await placeEvents(db)
    await housekeeping({ eventDays: 400 }).run({}, { db, now: NOW, log })
    expect(await left(db)).toEqual(['new'])
  })
})
