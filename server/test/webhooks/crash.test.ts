// A worker that is killed in the middle of its deliveries loses none of them.

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { Events } from '../../src/platform/events/events.ts'
import { type Started, startProcess, stopProcess } from '../support/process.ts'
import { makeOrganization, makePerson, startTestService, until } from '../support/service.ts'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

const ALLOW = { WEBHOOK_ALLOW: '127.0.0.1' }

async function setUp(receiver: WebhookReceiver) {
  const service = await startTestService({ environment: ALLOW })
  const organizationId = await makeOrganization(service)
  const { almoner } = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  const webhook = await almoner.createWebhook({ body: { organizationId, url: receiver.url } })
  const { databaseUrl, settings, db } = service
  const startWorker = async (): Promise<Started> => {
    const environment = { DATABASE_URL: databaseUrl, DATA_DIR: settings.dataDir, DEMO: 'false', ...ALLOW }
    const worker = startProcess(environment, ['--role', 'worker'])
    await worker.ready
    return worker
  }
  const publish = async (count: number) => {
    const happenings = Array.from({ length: count }, () => ({ organizationId, data: { groupId: v7(), name: 'Group' } }))
    await new Events(db, new Date()).publishAll('group.created', happenings)
  }
  const succeeded = async () => (await almoner.listWebhookDeliveries({ filter: { state: 'succeeded' } })).total
  /** However long the next workers take to start. */
  const extendLeases = () =>
    sql`update webhook_deliveries set due_at = now() + interval '1 hour', leased_until = now() + interval '1 hour'
      where leased_until is not null`.execute(db)
  /** As if the time had passed after which an attempt is taken to have been cut short. */
  const outliveLeases = () =>
    sql`update webhook_deliveries set due_at = now() - interval '1 second', leased_until = now() - interval '1 second'
      where leased_until is not null`.execute(db)
  return { almoner, webhook, startWorker, publish, succeeded, extendLeases, outliveLeases }
}

async function kill({ child, exited }: Started): Promise<void> {
  child.kill('SIGKILL')
  await exited
}

test('killed while receivers have not answered, it leaves everything to the next ones, under the same ids', {
  timeout: 90_000,
}, async () => {
  const receiver = await startReceiver('hang')
  const { almoner, startWorker, publish, succeeded, extendLeases, outliveLeases } = await setUp(receiver)
  const first = await startWorker()
  await publish(40)
  await until(() => receiver.open === 4)
  await kill(first)
  await extendLeases()
  await until(() => receiver.open === 0)
  const interrupted = receiver.received.map(({ id }) => id)
  expect(new Set(interrupted).size).toBe(4)
  receiver.behaviour = { status: 204 }
  await Promise.all([startWorker(), startWorker()])
  await publish(1)
  await until(async () => (await almoner.listWebhookDeliveries()).total === 41)
  // As far as anyone knows the four are still under way, and an endpoint is sent no more at once.
  expect(receiver.received).toHaveLength(4)
  await outliveLeases()
  await until(async () => (await succeeded()) === 41)
  expect(receiver.received).toHaveLength(45)
  const times = Map.groupBy(receiver.received, ({ id }) => id)
  expect(times.size).toBe(41)
  for (const [id, received] of times) {
    expect(received).toHaveLength(interrupted.includes(id) ? 2 : 1)
    expect(new Set(received.map(({ raw }) => raw)).size).toBe(1)
  }
  const { attempts, attemptCount } = await almoner.getWebhookDelivery({ id: interrupted[0] ?? '' })
  expect(attemptCount).toBe(2)
  expect(attempts?.map(({ number, error }) => [number, error])).toEqual([
    [2, null],
    [1, 'The service ended during this attempt. Whether it arrived is not known.'],
  ])
})

test('killed again and again, every event arrives, and one that arrives twice has the same id', {
  timeout: 120_000,
}, async () => {
  const receiver = await startReceiver()
  const { startWorker, publish, succeeded, outliveLeases } = await setUp(receiver)
  let published = 0
  for (let round = 0; round < 3; round++) {
    const worker = await startWorker()
    await publish(150)
    published += 150
    const before = receiver.received.length
    await until(() => receiver.received.length > before + 20 + Math.random() * 60)
    await kill(worker)
    await outliveLeases()
  }
  await Promise.all([startWorker(), startWorker()])
  const deadline = Date.now() + 60_000
  while ((await succeeded()) < published && Date.now() < deadline) await sleep(100)
  expect(await succeeded()).toBe(published)
  const ids = Map.groupBy(receiver.received, ({ body }) => body.data.id)
  expect(ids.size).toBe(published)
  for (const received of ids.values()) expect(new Set(received.map(({ id }) => id)).size).toBe(1)
  // Each killed worker had four of them under way at most.
  expect(receiver.received.length).toBeLessThanOrEqual(published + 3 * 4)
})

test('asked to stop, it waits for a slow receiver to answer, and nothing is sent twice', {
  timeout: 60_000,
}, async () => {
  const { promise: after, resolve: answer } = Promise.withResolvers<void>()
  const receiver = await startReceiver({ status: 200, after })
  const { almoner, startWorker, publish, succeeded } = await setUp(receiver)
  const worker = await startWorker()
  await publish(10)
  await until(() => receiver.open === 4)
  const stopped = stopProcess(worker)
  await sleep(1000)
  expect(worker.child.exitCode).toBeNull()
  answer()
  expect(await stopped).toBe(0)
  const { total, items } = await almoner.listWebhookDeliveries({ filter: { state: 'pending' } })
  expect([await succeeded(), total]).toEqual([receiver.received.length, 10 - receiver.received.length])
  for (const { attemptCount } of items) expect(attemptCount).toBe(0)
  await startWorker()
  await until(async () => (await succeeded()) === 10)
  expect(receiver.received).toHaveLength(10)
})
