import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { call, makePerson, ORGANIZATIONS, startTestService, until } from '../support/service.ts'

async function asAdmin(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

test('lost connections are replaced, also in the middle of a statement', async () => {
  const service = await startTestService({ role: 'all' })
  const { token } = await makePerson(service, [])
  const end =
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name = 'almoner'"
  for (let round = 0; round < 3; round++) {
    const calls = Array.from({ length: 10 }, () => call(service, ORGANIZATIONS, { token }))
    await asAdmin(service.databaseUrl, end)
    for (const { status } of await Promise.all(calls)) expect([200, 500]).toContain(status)
    await sleep(50)
    expect((await call(service, ORGANIZATIONS, { token })).status).toBe(200)
  }
})

test('a statement that takes too long is ended, and the answer is a 500 with a request id', async () => {
  const service = await startTestService({ environment: { STATEMENT_TIMEOUT_MS: '200' } })
  const { token } = await makePerson(service, [])
  await call(service, ORGANIZATIONS, { token })
  const blocker = new pg.Client({ connectionString: service.databaseUrl })
  await blocker.connect()
  await blocker.query('begin; lock table organizations in access exclusive mode')
  const { status, body, headers } = await call(service, ORGANIZATIONS, { token })
  await blocker.query('commit')
  await blocker.end()
  expect(status).toBe(500)
  expect(body.errors[0]).toMatchObject({ code: 'InternalError', meta: { requestId: headers.get('x-request-id') } })
  expect(service.logged.find(({ level }) => level === 'error')).toMatchObject({
    msg: 'a request failed',
    err: { code: '57014' },
  })
  expect((await call(service, ORGANIZATIONS, { token })).status).toBe(200)
})

test('it is not ready while the database is away', async () => {
  const service = await startTestService()
  const blocker = new pg.Client({ connectionString: service.databaseUrl })
  await blocker.connect()
  const name = new URL(service.databaseUrl.replace('@/', '@localhost/')).pathname.slice(1)
  await asAdmin(service.databaseUrl.replace(name, 'postgres'), `alter database ${name} allow_connections false`)
  await blocker.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const away = await call(service, '/ready/')
  expect([away.status, away.body]).toEqual([503, { ready: false, checks: { database: false, queue: false } }])
  expect((await call(service, '/health/')).status).toBe(200)
  await asAdmin(service.databaseUrl.replace(name, 'postgres'), `alter database ${name} allow_connections true`)
  await blocker.end()
  await until(async () => (await call(service, '/ready/')).status === 200)
})

test('a pool that sign-ins with a key fill up does not lock itself', async () => {
  const service = await startTestService({ environment: { DATABASE_POOL_SIZE: '2' } })
  const attempt = (number: number) =>
    call(service, '/identity/v1/login/', {
      body: { username: `nobody-${number}@example.org`, password: 'x' },
      headers: { 'idempotency-key': `key-${number}` },
    })
  const statuses = (await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(attempt))).map(({ status }) => status)
  expect(statuses).toEqual(Array(8).fill(403))
})
