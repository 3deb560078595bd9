import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AlmonerError, connect } from '@almoner/client'
import pg from 'pg'
import { generate } from 'selfsigned'
import { describe, expect, test } from 'vitest'
import { makeDatabase } from '../support/database.ts'
import { startProcess, stopProcess, temporaryDirectory } from '../support/process.ts'
import { until } from '../support/service.ts'

const DEMO = { username: 'admin@demo.example', password: 'almoner-demo-1' }

async function signedIn(baseUrl: string, user = DEMO) {
  const almoner = connect({ baseUrl })
  await almoner.login({ body: user })
  const [organization] = (await almoner.listOrganizations()).items
  return { almoner, organizationId: organization?.id ?? '' }
}

const postmaster = async (directory: string) =>
  Number.parseInt(await readFile(join(directory, 'postgres/postmaster.pid'), 'utf8'), 10)

describe('with a PostgreSQL of its own', () => {
  test('the first start makes a database and tells the sign-in, later ones go on with it', async () => {
    const DATA_DIR = await temporaryDirectory()
    const first = startProcess({ DATA_DIR })
    const { almoner, organizationId } = await signedIn(await first.ready)
    expect(first.output()).toContain(`Sign in as ${DEMO.username} with the password ${DEMO.password}`)
    await almoner.createGroup({ body: { name: 'Kept', organizationId } })

    const second = startProcess({ DATA_DIR })
    expect((await second.exited).code).toBe(1)
    expect(second.output()).toContain(`${DATA_DIR} is in use by process ${first.child.pid}`)
    expect(second.output()).not.toContain('    at ')

    expect(await stopProcess(first)).toBe(0)
    expect(await readdir(DATA_DIR)).not.toContain('almoner.pid')
    const third = startProcess({ DATA_DIR })
    const again = await signedIn(await third.ready)
    expect(third.output()).not.toContain('Sign in as')
    expect((await again.almoner.listGroups()).items.map(({ name }) => name)).toEqual(['Kept'])
    expect((await stat(join(DATA_DIR, 'instance.key'))).mode & 0o777).toBe(0o600)
  })

  test('killed in the middle of writes, it has everything it acknowledged when it starts again', async () => {
    const DATA_DIR = await temporaryDirectory()
    const first = startProcess({ DATA_DIR })
    const { almoner, organizationId } = await signedIn(await first.ready)
    const acknowledged: string[] = []
    const writer = async (lane: number) => {
      for (let count = 0; ; count++)
        acknowledged.push((await almoner.createGroup({ body: { name: `${lane}-${count}`, organizationId } })).id)
    }
    const lanes = [1, 2, 3, 4].map((lane) => writer(lane).catch(() => {}))
    while (acknowledged.length < 60) await sleep(5)
    first.child.kill('SIGKILL')
    await Promise.all(lanes)

    const second = startProcess({ DATA_DIR })
    const restarted = await signedIn(await second.ready)
    const stored = new Set<string>()
    for await (const { id } of restarted.almoner.listGroups.each()) stored.add(id)
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
  })

  test('a PostgreSQL that is killed comes back, and the service with it', async () => {
    const DATA_DIR = await temporaryDirectory()
    const started = startProcess({ DATA_DIR })
    const { almoner, organizationId } = await signedIn(await started.ready)
    await almoner.createGroup({ body: { name: 'Before', organizationId } })
    process.kill(await postmaster(DATA_DIR), 'SIGKILL')
    const statuses = new Set<number>()
    for (let attempt = 0; attempt < 200; attempt++) {
      const status = await almoner.listGroups().then(
        () => 200,
        (error) => (error instanceof AlmonerError ? error.status : -1),
      )
      statuses.add(status)
      if (status === 200 && statuses.has(500)) break
      await sleep(50)
    }
    expect(statuses).toEqual(new Set([200, 500]))
    expect(started.child.exitCode).toBeNull()
    await almoner.createGroup({ body: { name: 'After', organizationId } })
    expect((await almoner.listGroups()).items.map(({ name }) => name)).toEqual(['After', 'Before'])
  })
})

describe('with a database of the operator', () => {
  test('two processes started at once on an empty one both come up, and it is migrated once', async () => {
    const { url } = await makeDatabase({ empty: true })
    const environment = { DATABASE_URL: url, DATA_DIR: await temporaryDirectory() }
    const both = [startProcess(environment), startProcess(environment)]
    const addresses = await Promise.all(both.map(({ ready }) => ready))
    for (const address of addresses) expect((await signedIn(address)).organizationId).not.toBe('')
    expect(both.filter((one) => one.output().includes('Sign in as'))).toHaveLength(1)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(
      'select (select count(*)::int from organizations) as organizations, (select count(*)::int from migrations) as migrations',
    )
    await client.end()
    expect(rows[0].organizations).toBe(1)
    expect(rows[0].migrations).toBe((await readdir(join(import.meta.dirname, '../../migrations'))).length)
  })

  test('without DEMO it starts empty, or with the administrator that is set', async () => {
    const { url } = await makeDatabase({ empty: true })
    const environment = { DATABASE_URL: url, DATA_DIR: await temporaryDirectory(), DEMO: 'false' }
    const empty = startProcess(environment)
    const refused = signedIn(await empty.ready)
    await expect(refused).rejects.toMatchObject({ code: 'LoginFailed' })
    const own = { username: 'head@clinic.example', password: 'a long pass phrase' }
    const set = startProcess({ ...environment, ADMIN_EMAIL: own.username, ADMIN_PASSWORD: own.password })
    expect((await signedIn(await set.ready, own)).organizationId).not.toBe('')
  })

  test('web and worker can be split and forked; a process that dies is replaced', async () => {
    const { url } = await makeDatabase({ empty: true })
    const PORT = String(20_000 + Math.floor(Math.random() * 20_000))
    const environment = { DATABASE_URL: url, DATA_DIR: await temporaryDirectory(), PORT }
    const web = startProcess(environment, ['--role', 'web', '--processes', '2'])
    const worker = startProcess(environment, ['--role', 'worker'])
    await worker.ready
    const baseUrl = await web.ready
    const pids = async () => {
      const found = new Set<string>()
      for (let attempt = 0; attempt < 40; attempt++) {
        // One that is handed to the process just when it dies gets no answer.
        const asked = { headers: { connection: 'close' }, signal: AbortSignal.timeout(2000) }
        const text = await fetch(`${baseUrl}/metrics/`, asked).then(
          (response) => response.text(),
          () => '',
        )
        const [, pid] = /almoner_process\{pid="(\d+)"\} 1/.exec(text) ?? []
        if (pid) found.add(pid)
      }
      return found
    }
    const before = await pids()
    expect(before.size).toBe(2)
    const [victim] = before
    process.kill(Number(victim), 'SIGKILL')
    await until(async () => {
      const after = await pids()
      return after.size === 2 && !after.has(victim as string)
    })
    expect((await signedIn(baseUrl)).organizationId).not.toBe('')
    expect(await stopProcess(web)).toBe(0)
    expect(await stopProcess(worker)).toBe(0)
  })
})

describe('a wrong start says what to change', () => {
  test.each([
    [{ PORT: 'eighty' }, [], 'PORT must be a whole number from 0 to 65535.'],
    [{ DATABSE_URL: 'postgres://x' }, [], 'There is no setting DATABSE_URL. Did you mean DATABASE_URL?'],
    [{ TLS_CERT: '/x.pem' }, [], 'TLS_CERT and TLS_KEY go together'],
    [{}, ['--role', 'boss'], '--role must be one of all, web, worker.'],
    [{}, ['--processes', '0'], '--processes must be a whole number'],
    [{}, ['--colour'], "Unknown option '--colour'"],
  ])('%j %j', async (environment, args, message) => {
    const started = startProcess({ DATA_DIR: '/nonexistent/never-made', ...environment }, args)
    expect((await started.exited).code).toBe(1)
    expect(started.output()).toContain(message)
    expect(started.output()).not.toContain('    at ')
  })
})

test('what is in the way of a start is named', async () => {
  const { url } = await makeDatabase({ empty: true })
  const DATA_DIR = await temporaryDirectory()
  const first = startProcess({ DATABASE_URL: url, DATA_DIR })
  const { port } = new URL(await first.ready)
  for (const [environment, message] of [
    [{ DATABASE_URL: url, PORT: port }, 'choose another PORT'],
    [{ DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }, 'The database of DATABASE_URL cannot be used'],
    [{ DATABASE_URL: url, TLS_CERT: '/nowhere.pem', TLS_KEY: '/nowhere.pem' }, 'Check DATA_DIR, TLS_CERT and TLS_KEY'],
  ] as const) {
    const started = startProcess({ DATA_DIR, ...environment })
    expect((await started.exited).code).toBe(1)
    expect(started.output()).toContain(message)
    expect(started.output()).not.toContain('    at ')
  }
})

test('requests that run are finished when it is asked to stop, and new ones are not taken', async () => {
  const { url } = await makeDatabase({ empty: true })
  const started = startProcess({ DATABASE_URL: url, DATA_DIR: await temporaryDirectory() })
  const baseUrl = await started.ready
  const { almoner, organizationId } = await signedIn(baseUrl)
  const blocker = new pg.Client({ connectionString: url })
  await blocker.connect()
  await blocker.query('begin; lock table individual_groups in access exclusive mode')
  const running = almoner.createGroup({ body: { name: 'Finished', organizationId } })
  await sleep(300)
  started.child.kill('SIGTERM')
  await sleep(300)
  await expect(fetch(`${baseUrl}/health/`, { headers: { connection: 'close' } })).rejects.toThrow()
  await blocker.query('commit')
  expect((await running).name).toBe('Finished')
  expect((await started.exited).code).toBe(0)
  await blocker.end()
})

test('HTTPS is served directly', async () => {
  const { url } = await makeDatabase({ empty: true })
  const DATA_DIR = await temporaryDirectory()
  const pair = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 })
  const files = { TLS_CERT: join(DATA_DIR, 'cert.pem'), TLS_KEY: join(DATA_DIR, 'key.pem') }
  await writeFile(files.TLS_CERT, pair.cert)
  await writeFile(files.TLS_KEY, pair.private)
  const started = startProcess({ DATABASE_URL: url, DATA_DIR, ...files, REQUIRE_HTTPS: 'true' })
  const address = await started.ready
  expect(address).toMatch(/^https:/)
  const { status, headers } = await new Promise<{ status?: number; headers: Record<string, unknown> }>(
    (resolve, reject) => {
      request(
        new URL('/identity/v1/organizations/', address),
        { ca: pair.cert, servername: 'localhost', checkServerIdentity: () => undefined },
        (response) => {
          response.resume()
          resolve({ status: response.statusCode ?? 0, headers: response.headers })
        },
      )
        .on('error', reject)
        .end()
    },
  )
  expect(status).toBe(403)
  expect(headers['strict-transport-security']).toContain('max-age')
})
