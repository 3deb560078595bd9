// Many at once: streams of a caller, writers, slow readers, and a service that stops in the middle.

import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { MOST_STREAMS } from '@almoner/contract/integrator/events'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { eventsAfter } from '../../src/platform/events/event-log.ts'
import { Events } from '../../src/platform/events/events.ts'
import { cleanUp } from '../support/clean-up.ts'
import { EVENT_STREAM, type OpenedStream, openStream } from '../support/event-stream.ts'
import {
  call,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../support/service.ts'

let service: TestService
let organizationId: string
let admin: Person

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
})

const happening = (name: string, organization = organizationId) => ({
  organizationId: organization,
  data: { groupId: v7(), name },
})
const namesOf = (stream: OpenedStream): string[] => stream.events().map(({ data }) => data.data.name)
const open = ({ token }: Person, query = '') => openStream(service.url, { token, query })

test('a caller may follow ten streams, and others are not counted with them', async () => {
  const [caller, other] = [
    await makePerson(service, [{ organizationId, role: 'provider' }]),
    await makePerson(service, [{ organizationId, role: 'provider' }]),
  ]
  const streams: OpenedStream[] = []
  for (let number = 1; number <= MOST_STREAMS; number++) streams.push(await open(caller))
  const refused = await call(service, EVENT_STREAM, { token: caller.token })
  expect([refused.status, refused.body.errors[0].code]).toEqual([429, 'TooManyStreams'])
  expect(refused.headers.get('retry-after')).toBe('15')
  expect((await call(service, EVENT_STREAM, { token: other.token })).status).toBe(200)
  await new Events(service.db, new Date()).publish('group.created', happening('for all ten'))
  await until(() => streams.every((stream) => namesOf(stream).includes('for all ten')))
  streams[0]?.close()
  await until(async () => (await call(service, EVENT_STREAM, { token: caller.token })).status === 200)
  for (const stream of streams) stream.close()
})

test('callers who come and go at once leave nothing behind', async () => {
  const caller = await makePerson(service, [{ organizationId, role: 'provider' }])
  for (let round = 0; round < 8; round++) {
    const controllers = Array.from({ length: MOST_STREAMS }, () => new AbortController())
    const asked = controllers.map(({ signal }) =>
      fetch(new URL(EVENT_STREAM, service.url), { headers: { authorization: `Bearer ${caller.token}` }, signal }),
    )
    await sleep(round * 2)
    for (const controller of controllers) controller.abort()
    await Promise.allSettled(asked)
  }
  await until(async () => (await call(service, EVENT_STREAM, { token: caller.token })).status === 200)
  const streams: OpenedStream[] = []
  await until(async () => {
    streams.push(
      ...(await open(caller).then(
        (one) => [one],
        () => [],
      )),
    )
    return streams.length === MOST_STREAMS
  })
  for (const stream of streams) stream.close()
})

test('a request that is refused takes no place', async () => {
  const caller = await makePerson(service, [{ organizationId, role: 'provider' }])
  for (let number = 0; number <= MOST_STREAMS; number++)
    expect((await call(service, `${EVENT_STREAM}?organization-id=${v7()}`, { token: caller.token })).status).toBe(404)
  expect((await call(service, EVENT_STREAM, { token: caller.token })).status).toBe(200)
})

test('every event comes once and in order, however many write and whenever one begins', async () => {
  const [lanes, turns] = [6, 40]
  const first = await open(admin)
  const streams = [first]
  await until(() => first.text() !== '')
  const [, start] = /^id: (\d+)$/m.exec(first.text()) ?? []
  const writing = Array.from({ length: lanes }, async (_, lane) => {
    for (let turn = 0; turn < turns; turn++)
      await service.db.transaction().execute(async (trx) => {
        await new Events(trx, new Date()).publish('group.created', happening(`${lane}-${turn}`))
        await sleep(Math.random() * 8)
      })
  })
  // Those who begin in the middle go on from the same place.
  for (let number = 1; number < MOST_STREAMS; number++) {
    streams.push(await open(admin, `last-event-id=${start}`))
    await sleep(15)
  }
  await Promise.all(writing)
  await until(() => streams.every((stream) => stream.events().length >= lanes * turns))
  for (const stream of streams) {
    expect(new Set(namesOf(stream)).size).toBe(lanes * turns)
    const places = stream.events().map(({ id }) => id)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places).toHaveLength(lanes * turns)
    expect(places).toEqual(first.events().map(({ id }) => id))
    stream.close()
  }
})

/** Takes nothing of what it is sent. */
function openSilently(url: string, token: string, query = ''): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const asking = request(new URL(`${EVENT_STREAM}?${query}`, url), {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  })
  asking.on('response', resolve)
  asking.on('error', reject)
  asking.end()
  cleanUp(async () => asking.destroy())
  return promise
}

const LARGE = 'x'.repeat(16_000)
const publishLarge = (db: TestService['db'], organization: string, count: number) =>
  new Events(db, new Date()).publishAll(
    'group.created',
    Array.from({ length: count }, (_, index) => happening(`${index} ${LARGE}`, organization)),
  )

const streamCount = async () => {
  const { body } = await call(service, '/metrics/')
  return Number(/^almoner_open_streams (\d+)$/m.exec(body)?.[1])
}

test('whoever does not read is cut off and can go on later, and nobody waits for them', async () => {
  await until(async () => (await streamCount()) === 0)
  const quick = await open(admin)
  const slow = await openSilently(service.url, admin.token)
  let isCutOff = false
  slow.on('close', () => {
    isCutOff = true
  })
  slow.on('error', () => {})
  await until(() => quick.text() !== '')
  const [, start] = /^id: (\d+)$/m.exec(quick.text()) ?? []
  expect(await streamCount()).toBe(2)
  let count = 0
  // What the system itself keeps for a connection is several megabytes.
  while (count < 4000 && (await streamCount()) === 2) {
    await publishLarge(service.db, organizationId, 50)
    count += 50
    await until(() => quick.events().length === count)
  }
  expect(await streamCount()).toBe(1)
  expect(service.logged.some(({ err }) => JSON.stringify(err ?? '').includes('reads too slowly'))).toBe(true)
  slow.resume()
  await until(() => isCutOff)
  expect(quick.isEnded()).toBe(false)
  quick.close()

  const again = await open(admin, `last-event-id=${start}`)
  await until(() => again.events().length === count)
  again.close()
})

test('whoever catches up slowly while much happens misses nothing', async () => {
  const first = await open(admin)
  await until(() => first.text() !== '')
  const [, start] = /^id: (\d+)$/m.exec(first.text()) ?? []
  first.close()
  const [missed, meanwhile] = [1000, 3000]
  for (let count = 0; count < missed; count += 500) await publishLarge(service.db, organizationId, 500)
  await until(async () => (await eventsAfter(service.db, Number(start), { limit: 10_000 })).length === missed)
  const slow = await openSilently(service.url, admin.token, `last-event-id=${start}`)
  const watch = await open(admin)
  for (let count = 0; count < meanwhile; count += 500)
    await new Events(service.db, new Date()).publishAll(
      'group.created',
      Array.from({ length: 500 }, (_, index) => happening(`small ${count + index}`)),
    )
  const isThere = (text: string) => text.slice(-2000).includes(`"small ${meanwhile - 1}"`)
  await until(() => isThere(watch.text()))
  let text = ''
  slow.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  await until(() => isThere(text))
  const places = Array.from(text.matchAll(/^id: (\d+)\nevent/gm), ([, place]) => Number(place))
  const stored = await eventsAfter(service.db, Number(start), { limit: 10_000 })
  expect(places).toEqual(stored.map(({ position }) => position))
  slow.destroy()
  watch.close()
})

test('a service that stops ends its streams at once, also those that nobody reads', async () => {
  const stopping = await startTestService()
  const organization = await makeOrganization(stopping)
  const person = await makePerson(stopping, [{ organizationId: organization, role: 'org-admin' }])
  const quick = await openStream(stopping.url, { token: person.token })
  const slow = await openSilently(stopping.url, person.token)
  const isCutOff = new Promise((resolve) => slow.once('close', resolve))
  slow.on('error', () => {})
  // More than the system keeps for the connection, and less than what leads to being cut off by itself.
  await publishLarge(stopping.db, organization, 400)
  await until(() => quick.events().length === 400)
  await stopping.stop()
  expect(await quick.ended).toBe(true)
  slow.resume()
  await isCutOff
})
