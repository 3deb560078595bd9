// What was acknowledged outlives any end of the service and of its PostgreSQL.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Almoner, connect } from '@almoner/client'
import pg from 'pg'
import { expect, test } from 'vitest'
import { printTime } from '../support/metrics-model.ts'
import { type Started, startProcess, temporaryDirectory } from '../support/process.ts'
import { until } from '../support/service.ts'

const DEMO = { username: 'admin@demo.example', password: 'almoner-demo-1' }
/** Half of them end the service, half its PostgreSQL. */
const CRASHES = Number(process.env.CRASHES ?? 6)
const LANES = 6
const SOURCES = ['watch', 'phone', 'scale']
const TYPES = ['Pulse', 'Steps'] as const
const START = Date.parse('2024-01-01T00:00:00Z') / 1000
/** Long enough for some to become segments, few enough for others to stay loose until they are put together. */
const LENGTHS = [1, 3, 40, 2, 17]

/** Points of both types at the same times: both are stored or none. */
interface Request {
  source: string
  times: number[]
  isAcknowledged: boolean
}

class Load {
  readonly requests: Request[] = []
  /** Sent without an answer: to be sent again. */
  readonly #unanswered: Request[] = []
  readonly #individualId: string
  almoner: Almoner
  #isOn = true
  #count = 0

  constructor(almoner: Almoner, individualId: string) {
    this.almoner = almoner
    this.#individualId = individualId
  }

  get acknowledged(): number {
    return this.requests.filter(({ isAcknowledged }) => isAcknowledged).length
  }

  /** Until `stop`; whoever meets an error sends the same again later. */
  run(): { stop(): Promise<unknown> } {
    this.#isOn = true
    const lanes = Array.from({ length: LANES }, (_, lane) => this.#lane(lane))
    return {
      stop: () => {
        this.#isOn = false
        return Promise.all(lanes)
      },
    }
  }

  async #lane(lane: number): Promise<void> {
    while (this.#isOn) {
      const request = this.#unanswered.shift() ?? this.#next(lane)
      try {
        await this.#push(request)
      } catch {
        this.#unanswered.push(request)
        await sleep(20)
      }
    }
  }

  #next(lane: number): Request {
    const number = this.#count++
    // Lanes that share a source overtake each other, so that some points come late.
    const first = START + number * 60 - (number % 4) * 200
    const length = LENGTHS[number % LENGTHS.length] as number
    const times = Array.from({ length }, (_, place) => (first + place) * LANES + lane)
    const request = { source: SOURCES[lane % SOURCES.length] as string, times, isAcknowledged: false }
    this.requests.push(request)
    return request
  }

  async #push(request: Request): Promise<void> {
    const data = TYPES.flatMap((type) =>
      request.times.map((time) => ({ type, time: printTime(time), value: time % 400 })),
    )
    await this.almoner.pushTimeseries({
      body: [{ individualId: this.#individualId, type: TYPES[0], source: request.source, data }],
    })
    request.isAcknowledged = true
  }

  /** When nobody writes. */
  async expectEverythingOnce(): Promise<void> {
    const [pulse, steps] = await Promise.all(TYPES.map((type) => this.#stored(type)))
    expect(steps).toEqual(pulse)
    const stored = new Set(pulse)
    expect(stored.size).toBe(pulse?.length)
    const known = new Set<string>()
    for (const { source, times, isAcknowledged } of this.requests) {
      const keys = times.map((time) => `${source} ${printTime(time)}`)
      const found = keys.filter((key) => stored.has(key)).length
      expect([found, isAcknowledged && found === 0]).toEqual([found === 0 ? 0 : times.length, false])
      for (const key of keys) known.add(key)
    }
    expect(pulse?.filter((key) => !known.has(key))).toEqual([])
  }

  async #stored(type: (typeof TYPES)[number]): Promise<string[]> {
    const keys: string[] = []
    const query = { individualId: this.#individualId, type, page: { limit: 1000 } }
    for await (const { source, time, value } of this.almoner.readTimeseries.each(query)) {
      expect(value).toBe((Date.parse(`${time}Z`) / 1000) % 400)
      keys.push(`${source} ${time}`)
    }
    const { items } = await this.almoner.listSourceSummaries({ individualId: this.#individualId, filter: { type } })
    expect(items.reduce((sum, { count }) => sum + count, 0)).toBe(keys.length)
    return keys
  }
}

async function signedIn(started: Started): Promise<Almoner> {
  const almoner = connect({ baseUrl: await started.ready, retries: 0 })
  await almoner.login({ body: DEMO })
  return almoner
}

async function newPatient(almoner: Almoner): Promise<string> {
  const [organization] = (await almoner.listOrganizations()).items
  const patient = { firstName: 'Pat', lastName: 'Lee', birthDate: '1960-01-01', gender: 'unknown' } as const
  const body = { ...patient, email: 'pat@example.org', organizationId: organization?.id ?? '' }
  return (await almoner.createPatient({ body })).id
}

/** What PostgreSQL writes down about itself: its process first, where its socket is in the fifth line. */
async function postmaster(directory: string): Promise<{ pid: number; sockets: string }> {
  const lines = (await readFile(join(directory, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  return { pid: Number(lines[0]), sockets: lines[4] ?? '' }
}

const hasEnded = ({ child }: Started) => child.exitCode !== null || child.signalCode !== null

/** False when the service has ended meanwhile. */
async function untilAcknowledged(load: Load, started: Started, more: number): Promise<boolean> {
  const wanted = load.acknowledged + more
  const deadline = Date.now() + 30_000
  while (load.acknowledged < wanted) {
    if (hasEnded(started)) return false
    if (Date.now() > deadline) throw new Error('Nothing is acknowledged any more.')
    await sleep(5)
  }
  return true
}

test('killed again and again during pushes, it has every acknowledged point once and no request by half', {
  timeout: 60_000 + CRASHES * 15_000,
}, async () => {
  const DATA_DIR = await temporaryDirectory()
  const environment = { DATA_DIR, USER_QUOTA: '1000000' }
  let started = startProcess(environment)
  const almoner = await signedIn(started)
  const load = new Load(almoner, await newPatient(almoner))
  let endedByItself = 0
  for (let crash = 0; crash < CRASHES; crash++) {
    const running = load.run()
    await untilAcknowledged(load, started, 20 + Math.floor(Math.random() * 40))
    if (crash % 2 === 0) started.child.kill('SIGKILL')
    else {
      process.kill((await postmaster(DATA_DIR)).pid, 'SIGKILL')
      // Those who push go on, and are answered again when it is back.
      await sleep(300)
      if (!(await untilAcknowledged(load, started, 20))) endedByItself++
    }
    await running.stop()
    if (crash % 2 === 0 || hasEnded(started)) {
      await started.exited
      started = startProcess(environment)
      load.almoner = await signedIn(started)
    }
    await load.expectEverythingOnce()
  }
  if (process.env.CRASHES)
    console.log(`${load.requests.length} requests, ${load.acknowledged} acknowledged, ${endedByItself} ended by itself`)
})

test('a PostgreSQL that is killed during a compaction does not take the service with it', {
  timeout: 60_000,
}, async () => {
  // The queue does not wait for what it writes about a job that failed, so that its error ends the process.
  const DATA_DIR = await temporaryDirectory()
  const started = startProcess({ DATA_DIR })
  const almoner = await signedIn(started)
  const individualId = await newPatient(almoner)
  const push = (first: number, count: number) => {
    const data = Array.from({ length: count }, (_, place) => ({
      type: 'Pulse',
      time: printTime(START + first + place),
      value: 60,
    }))
    return almoner.pushTimeseries({ body: [{ individualId, type: 'Pulse', data }] })
  }
  for (let part = 0; part < 4; part++) await push(part * 15, 15)
  const { pid, sockets } = await postmaster(DATA_DIR)
  const client = new pg.Client({ host: sockets, user: 'almoner', database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  // The exchange waits for whoever reads it with a lock; a push only adds rows.
  await client.query('begin; lock table metric_segments in share mode')
  await push(60, 15)
  const isWaiting = async () => {
    const { rows } = await client.query("select from pg_stat_activity where wait_event_type = 'Lock'")
    return rows.length > 0
  }
  while (!(await isWaiting())) await sleep(20)
  process.kill(pid, 'SIGKILL')
  await client.end().catch(() => {})
  await until(() =>
    push(100, 1).then(
      () => true,
      () => hasEnded(started),
    ),
  )
  expect(hasEnded(started)).toBe(false)
})
