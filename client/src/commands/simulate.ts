// `npm run simulate`: devices that push points into a running service, and a look at whether all is there afterwards.

import { setTimeout as pause } from 'node:timers/promises'
import { type Almoner, AlmonerError, connect } from '../index.ts'
import { CannotDo } from './command-line.ts'
import { kindOf } from './device-kinds.ts'
import { organizationNamed, signedIn } from './signing-in.ts'
import { readSimulateOptions, SIMULATE_USAGE, type SimulateOptions } from './simulate-options.ts'
import { type Clock, SimulatedDevice } from './simulated-device.ts'
import { missingPoints } from './simulation-check.ts'
import { Figures } from './simulation-figures.ts'

const [POINTS_MISSING, NOT_DONE] = [1, 2]
/** What the first start of a service makes, for everyone to try. */
const DEMO = { username: 'admin@demo.example', password: 'almoner-demo-1' }
const DEVICES_OF_AN_ACCOUNT = 25
const SAMPLE = 50
const LINE_MS = 1000
/** For each device: not all of them send what they have left at the same moment. */
const LAST_BURST_MS = 10
const SHOWN = 5
/** Names what this run makes. */
const RUN = Date.now().toString(36)

try {
  const options = readSimulateOptions(process.argv.slice(2))
  if (options === 'help') console.log(SIMULATE_USAGE)
  else process.exitCode = (await asAdministrator(options, (almoner) => simulate(almoner, options))) ? 0 : POINTS_MISSING
} catch (error) {
  for (const line of wordsFor(error)) console.error(line)
  process.exitCode = NOT_DONE
}

async function asAdministrator<T>(options: SimulateOptions, work: (almoner: Almoner) => Promise<T>): Promise<T> {
  if (options.username || process.env.ALMONER_TOKEN) return signedIn(options, work)
  const almoner = connect({ baseUrl: options.url })
  await almoner.login({ body: DEMO })
  return work(almoner).finally(() => almoner.logout().catch(() => {}))
}

/** Answers whether everything that was taken is there. */
async function simulate(almoner: Almoner, options: SimulateOptions): Promise<boolean> {
  const organizationId = await organizationOf(almoner, options.organization)
  const individualIds = await somePatients(almoner, organizationId, options.devices)
  const accounts: Account[] = []
  try {
    await makeAccounts(almoner, organizationId, individualIds, options.devices, accounts)
    const figures = new Figures()
    const devices = makeDevices(options, accounts, individualIds, figures)
    const stopShowing = show(figures)
    await Promise.all(devices.map((device) => device.run()))
    figures.end()
    stopShowing()
    console.log(figures.summary())
    if (figures.taken === 0)
      throw new CannotDo(`No point was taken. ${figures.firstError ?? 'Let them measure longer.'}`)
    const left = devices.reduce((sum, device) => sum + device.left, 0)
    if (left > 0) console.log(`${left.toLocaleString('en-US')} points could not be sent in the end`)
    return await allThere(almoner, devices)
  } finally {
    // Nobody uses them again; what they pushed stays.
    for (const { id } of accounts) await almoner.modifyServiceAccount({ id, body: { isActive: false } }).catch(() => {})
  }
}

async function organizationOf(almoner: Almoner, given: string | undefined): Promise<string> {
  if (given) return organizationNamed(almoner, given)
  const { items, total } = await almoner.listOrganizations()
  const [only] = items
  if (only && total === 1) return only.id
  throw new CannotDo(`Name one of your ${total} organizations with --organization.`)
}

async function somePatients(almoner: Almoner, organizationId: string, most: number): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of almoner.listIndividuals.each({ organizationId, page: { limit: Math.min(most, 1000) } })) {
    ids.push(id)
    if (ids.length >= most) break
  }
  if (ids.length === 0) throw new CannotDo('There are no patients. Make some with: npm run demo')
  return ids
}

/** Patients have several devices when there are fewer of them. */
function patientOf(individualIds: string[], device: number): string {
  return individualIds[device % individualIds.length] as string
}

interface Account {
  id: string
  token: string
}

/** Adds one for some devices each, which may push points of their patients and nothing else. */
async function makeAccounts(
  almoner: Almoner,
  organizationId: string,
  individualIds: string[],
  devices: number,
  accounts: Account[],
): Promise<void> {
  for (let from = 0; from < devices; from += DEVICES_OF_AN_ACCOUNT) {
    const size = Math.min(DEVICES_OF_AN_ACCOUNT, devices - from)
    const theirs = new Set(Array.from({ length: size }, (_, place) => patientOf(individualIds, from + place)))
    const name = `Simulator ${RUN}, devices from ${from + 1} on`
    const scopes = ['push-timeseries']
    const { id } = await almoner.createServiceAccount({
      body: { organizationId, name, kind: 'device', scopes, individualIds: [...theirs] },
    })
    const { token } = await almoner.createServiceAccountToken({ id, body: { name: 'simulator', expiresInDays: 30 } })
    accounts.push({ id, token })
  }
}

function makeDevices(
  { url, devices, minutes, speed }: SimulateOptions,
  accounts: Account[],
  individualIds: string[],
  figures: Figures,
): SimulatedDevice[] {
  const clock = fastClock(minutes, speed)
  const clients = accounts.map(({ token }) => connect({ baseUrl: url, token, fetch: figures.fetch }))
  const every = Math.ceil(devices / SAMPLE)
  return Array.from({ length: devices }, (_, index) => {
    const kind = kindOf(index)
    return new SimulatedDevice({
      almoner: clients[Math.floor(index / DEVICES_OF_AN_ACCOUNT)] as Almoner,
      individualId: patientOf(individualIds, index),
      kind,
      // Of its own in each run, so that no run changes the points of another.
      source: `${kind.name} ${RUN}-${index + 1}`,
      clock,
      figures,
      // Not each time the same place in the row of kinds.
      isSampled: index % every === Math.floor(index / every) % every,
      lastBurstMs: devices * LAST_BURST_MS,
    })
  })
}

/** What is measured ends at the present, so it begins long ago. An interrupt ends it early. */
function fastClock(minutes: number, speed: number): Clock {
  const start = performance.now()
  const realMs = minutes * 60_000
  const from = Date.now() / 1000 - minutes * 60 * speed
  const over = new AbortController()
  setTimeout(() => over.abort(), realMs).unref()
  process.once('SIGINT', () => over.abort())
  let end: number | undefined
  const passed = () => {
    const now = Math.min(performance.now() - start, realMs)
    if (over.signal.aborted) end ??= now
    return end ?? now
  }
  return {
    now: () => from + (passed() / 1000) * speed,
    isOver: () => over.signal.aborted,
    wait: (some) => pause((some * 60_000) / speed, undefined, { signal: over.signal }).catch(() => {}),
  }
}

/** A line that changes on a terminal, and one now and then anywhere else. */
function show(figures: Figures): () => void {
  const { stderr } = process
  const timer = setInterval(
    () => stderr.write(stderr.isTTY ? `\r\x1b[K${figures.line()}` : `${figures.line()}\n`),
    stderr.isTTY ? LINE_MS : 10 * LINE_MS,
  )
  return () => {
    clearInterval(timer)
    if (stderr.isTTY) stderr.write('\r\x1b[K')
  }
}

async function allThere(almoner: Almoner, devices: SimulatedDevice[]): Promise<boolean> {
  const sampled = devices.filter(({ settings }) => settings.isSampled)
  let [checked, lacking] = [0, 0]
  for (const device of sampled) {
    const missing = await missingPoints(almoner, device)
    checked += device.taken.length
    lacking += missing.length
    const { source, individualId } = device.settings
    for (const { type, time } of missing.slice(0, SHOWN))
      console.error(`missing: ${type} at ${time} by ${source} of ${individualId}`)
  }
  const count = (value: number) => value.toLocaleString('en-US')
  console.log(`${count(checked)} points of ${count(sampled.length)} devices read back: ${count(lacking)} missing`)
  return lacking === 0
}

function wordsFor(error: unknown): string[] {
  if (error instanceof AlmonerError && error.errors.length > 0) return error.errors.map(({ detail }) => detail)
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  return [cause ? `The service cannot be reached: ${cause.code ?? cause.message}.` : message]
}
