// The client follows events through whatever happens to the connection and to the service.

import { createConnection, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Almoner, AlmonerError, connect } from '@almoner/client'
import type { HappenedEvent } from '@almoner/contract/integrator/events'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { makeDatabase } from '../support/database.ts'
import { startProcess, stopProcess, temporaryDirectory } from '../support/process.ts'
import {
  makeOrganization,
  makePerson,
  PASSWORD,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../support/service.ts'

let service: TestService
let organizationId: string
let admin: Person

beforeAll(async () => {
  service = await startTestService({ environment: { STREAM_HEARTBEAT_SECONDS: '1' } })
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
})

interface Followed {
  events: HappenedEvent[]
  /** What it ended with. */
  ended: Promise<unknown>
  stop(): void
}

function follow(almoner: Almoner, input: Parameters<Almoner['streamEvents']>[0] = {}): Followed {
  const controller = new AbortController()
  cleanUp(async () => controller.abort())
  const events: HappenedEvent[] = []
  const run = async () => {
    for await (const event of almoner.streamEvents(input, { signal: controller.signal })) events.push(event)
  }
  const ended = run().catch((error: unknown) => error)
  return { events, ended, stop: () => controller.abort() }
}

const createGroup = (name: string, almoner = admin.almoner) => almoner.createGroup({ body: { organizationId, name } })
const namesOf = ({ events }: Followed) =>
  events.flatMap((event) => (event.kind === 'group.created' ? [event.data.name] : []))

/** A way to the service that can be cut. */
async function relay(url: string): Promise<{ url: string; cut(): void }> {
  const sockets = new Set<Socket>()
  const { hostname, port } = new URL(url)
  const server = createServer((near) => {
    const far = createConnection({ host: hostname, port: Number(port) })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port: own } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${own}`,
    cut() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

test('events are typed by their kind, and following stops when nobody asks for more', async () => {
  const { id, lastModifiedTime } = await createGroup('Typed')
  const wanted = { organizationId, lastEventId: 0, filter: { kind: ['group.created' as const] } }
  for await (const event of admin.almoner.streamEvents(wanted)) {
    if (event.kind !== 'group.created') throw new Error('Only groups were asked for.')
    expect(event).toMatchObject({ organizationId, individualId: null, data: { groupId: id, name: 'Typed' } })
    expect(event.occurredAt).toEqual(lastModifiedTime)
    break
  }
})

test('a connection that is lost again and again loses no event and repeats none', async () => {
  const way = await relay(service.url)
  const almoner = connect({ baseUrl: way.url, token: admin.token })
  const followed = follow(almoner, { filter: { kind: ['group.created'] } })
  const { events } = followed
  await createGroup('0')
  let count = 1
  await until(async () => {
    if (events.length === 0) await createGroup(String(count++))
    return events.length > 0
  })
  const first = Number(namesOf(followed)[0])
  for (let cut = 0; cut < 3; cut++) {
    for (let turn = 0; turn < 5; turn++) await createGroup(String(count++))
    way.cut()
    for (let turn = 0; turn < 5; turn++) await createGroup(String(count++))
    const expected = count - first
    await until(() => events.length >= expected)
  }
  expect(namesOf(followed)).toEqual(Array.from({ length: count - first }, (_, index) => String(first + index)))
  followed.stop()
  expect(await followed.ended).toMatchObject({ name: 'AbortError' })
})

test('whoever follows is told when the connection stands, and when it is lost', async () => {
  const way = await relay(service.url)
  const almoner = connect({ baseUrl: way.url, token: admin.token })
  const told: [stands: boolean, last: string][] = []
  const controller = new AbortController()
  const run = async () => {
    const options = {
      signal: controller.signal,
      onConnection: (stands: boolean, last?: number) => void told.push([stands, typeof last]),
    }
    for await (const _ of almoner.streamEvents({}, options));
  }
  const ended = run().catch(() => {})
  await until(() => told.length === 1)
  way.cut()
  await until(() => told.length >= 3)
  expect(told.slice(0, 3)).toEqual([
    [true, 'number'],
    [false, 'number'],
    [true, 'number'],
  ])
  controller.abort()
  await ended
})

test('a token that runs out is refreshed, and nothing is missed meanwhile', async () => {
  const person = await makePerson(service, [{ organizationId, role: 'provider' }])
  let signIns = 0
  const almoner = connect({ baseUrl: service.url, onTokens: () => signIns++ })
  await almoner.login({ body: { username: person.username, password: PASSWORD } })
  const { position } = (await almoner.listEvents({ page: { limit: 1 } })).items[0] as HappenedEvent
  const followed = follow(almoner, { lastEventId: position, filter: { kind: ['group.*'] } })
  await createGroup('before')
  await until(() => namesOf(followed).includes('before'))
  await sql`update session_tokens t set expires_at = now() from sessions s
    where s.id = t.session_id and t.kind = 'access' and s.user_id = ${person.userId}`.execute(service.db)
  await until(() => signIns === 2)
  await createGroup('meanwhile')
  await until(() => namesOf(followed).includes('meanwhile'))
  expect(namesOf(followed)).toEqual(['before', 'meanwhile'])
  followed.stop()
})

test('following ends with the reason when it can no longer be done', async () => {
  const person = await makePerson(service, [{ organizationId, role: 'provider' }])
  const followed = follow(person.almoner)
  await until(async () => {
    await createGroup('any')
    return followed.events.length > 0
  })
  await service.db.deleteFrom('memberships').where('userId', '=', person.userId).execute()
  const error = await followed.ended
  expect(error).toBeInstanceOf(AlmonerError)
  expect((error as AlmonerError).code).toBe('PermissionDenied')
})

test('an address that does not answer is said at once, and so is a wrong question', async () => {
  const nowhere = connect({ baseUrl: 'http://127.0.0.1:1', token: admin.token })
  expect(await follow(nowhere).ended).toBeInstanceOf(TypeError)
  const wrong = await follow(admin.almoner, { organizationId: '0198c5a0-7d2c-7a31-9c55-3f6f0f1b2c3d' }).ended
  expect((wrong as AlmonerError).code).toBe('NotFound')
})

test('a service that is killed in the middle of a load is followed exactly', async () => {
  const { url: databaseUrl, drop } = await makeDatabase()
  cleanUp(drop)
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: await temporaryDirectory(),
    USER_QUOTA: '1000000',
    // A stream that held up the stop would hold up this test.
    DRAIN_SECONDS: '3600',
  }
  let started = startProcess(environment)
  const baseUrl = await started.ready
  const { port } = new URL(baseUrl)
  const almoner = connect({ baseUrl, retries: 0 })
  await almoner.login({ body: { username: 'admin@demo.example', password: 'almoner-demo-1' } })
  const [organization] = (await almoner.listOrganizations()).items
  if (!organization) throw new Error('There is no organization.')
  const followed = follow(almoner, { lastEventId: 0, filter: { kind: ['group.created'] } })

  let isOn = true
  let acknowledged = 0
  const lanes = Array.from({ length: 4 }, async (_, lane) => {
    for (let turn = 0; isOn; turn++)
      try {
        await almoner.createGroup({ body: { organizationId: organization.id, name: `${lane}-${turn}` } })
        acknowledged++
      } catch {
        await sleep(50)
      }
  })
  for (const _ of ['once', 'twice']) {
    const before = acknowledged
    await until(() => acknowledged >= before + 60 && followed.events.length > before)
    started.child.kill('SIGKILL')
    await started.exited
    started = startProcess({ ...environment, PORT: port })
    await started.ready
  }
  const before = acknowledged
  await until(() => acknowledged >= before + 60)
  isOn = false
  await Promise.all(lanes)

  const stored: HappenedEvent[] = []
  const wanted = {
    filter: { kind: ['group.created' as const] },
    sort: [{ field: 'position' as const, descending: false }],
  }
  await until(async () => {
    stored.splice(0)
    for await (const event of almoner.listEvents.each(wanted)) stored.push(event)
    return stored.length >= acknowledged && followed.events.length >= stored.length
  })
  expect(stored.length).toBeGreaterThanOrEqual(180)
  expect(followed.events.map(({ id }) => id)).toEqual(stored.map(({ id }) => id))
  expect(await stopProcess(started)).toBe(0)
  followed.stop()
}, 90_000)
