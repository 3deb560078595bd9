import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { connectPool, database } from '../../src/platform/db/database.ts'
import { Events } from '../../src/platform/events/events.ts'
import { Queue, startWorker, task } from '../../src/platform/queue/queue.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeDatabase } from '../support/database.ts'
import { until } from '../support/service.ts'

const log = pino({ level: 'silent' })

async function setUp(run: (payload: { number: number }) => Promise<void>) {
  const { url } = await makeDatabase()
  const pool = connectPool({ url, poolSize: 8, statementTimeoutMs: 5000, log })
  cleanUp(() => pool.end())
  const db = database(pool)
  const count = task<{ number: number }>({ name: 'count', run })
  const start = async () => {
    const worker = await startWorker({ pool, db, tasks: [count as never], log })
    cleanUp(() => worker.stop().catch(() => {}))
    return worker
  }
  return { db, count, start }
}

test('a job runs when its transaction commits, and never when it does not', async () => {
  const done: number[] = []
  const { db, count, start } = await setUp(async ({ number }) => void done.push(number))
  await start()
  const rolledBack = db.transaction().execute(async (trx) => {
    await new Queue(trx).add(count, { number: 1 })
    await new Events(trx, new Date()).publish('group.created', {
      organizationId: crypto.randomUUID(),
      data: { groupId: crypto.randomUUID(), name: 'x' },
    })
    throw new Error('changed my mind')
  })
  await expect(rolledBack).rejects.toThrow('changed my mind')
  await db.transaction().execute(async (trx) => {
    await new Queue(trx).add(count, { number: 2 })
    await sleep(200)
    expect(done).toEqual([])
  })
  await until(() => done.length > 0)
  await sleep(200)
  expect(done).toEqual([2])
  expect(await db.selectFrom('events').select('id').execute()).toEqual([])
})

test('a job that fails is tried again', async () => {
  let attempts = 0
  const { db, count, start } = await setUp(async () => {
    if (++attempts === 1) throw new Error('not yet')
  })
  await new Queue(db).add(count, { number: 1 })
  await start()
  await until(() => attempts === 2)
})

test('a job may be put off', async () => {
  const done: number[] = []
  const { db, count, start } = await setUp(async ({ number }) => void done.push(number))
  await start()
  await new Queue(db).add(count, { number: 1 }, { runAt: new Date(Date.now() + 1500) })
  await sleep(700)
  expect(done).toEqual([])
  await until(() => done.length === 1)
})

test('several workers on one database share the jobs, each done once', async () => {
  const done: number[] = []
  const { db, count, start } = await setUp(async ({ number }) => {
    await sleep(5)
    done.push(number)
  })
  await Promise.all([start(), start()])
  const numbers = Array.from({ length: 40 }, (_, index) => index)
  await Promise.all(numbers.map((number) => new Queue(db).add(count, { number })))
  await until(() => done.length >= 40)
  expect(done.toSorted((a, b) => a - b)).toEqual(numbers)
})

test('a job that runs is finished when the worker stops', async () => {
  let finished = false
  let begun = false
  const { db, count, start } = await setUp(async () => {
    begun = true
    await sleep(500)
    finished = true
  })
  const worker = await start()
  await new Queue(db).add(count, { number: 1 })
  await until(() => begun)
  await worker.stop()
  expect(finished).toBe(true)
})

test('two tasks of one name do not start', async () => {
  const { db, count } = await setUp(async () => {})
  await expect(async () =>
    startWorker({ pool: null as never, db, tasks: [count, count] as never, log }),
  ).rejects.toThrow('two tasks named count')
})
