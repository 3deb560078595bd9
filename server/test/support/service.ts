// A real service on a free port with a database of its own, and people in it.

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Almoner, connect } from '@almoner/client'
import type { ROLES } from '@almoner/contract'
import { v7 } from 'uuid'
import { inject } from 'vitest'
import { hashPassword } from '../../src/platform/auth/passwords.ts'
import { createLog } from '../../src/platform/config/log.ts'
import { readSettings, type Settings } from '../../src/platform/config/settings.ts'
import { connectPool, type Database, database } from '../../src/platform/db/database.ts'
import type { ProcessRole } from '../../src/platform/processes/command-line.ts'
import { startService } from '../../src/service.ts'
import { cleanUp } from './clean-up.ts'
import { makeDatabase } from './database.ts'
import '../../src/features/index.ts'

export interface TestService {
  url: string
  databaseUrl: string
  db: Database
  settings: Settings
  /** The lines that were logged. */
  logged: Record<string, unknown>[]
  stop(): Promise<void>
}

export interface Person {
  userId: string
  individualId: string
  username: string
  token: string
  almoner: Almoner
}

export const PASSWORD = 'correct horse battery'
// Hashed once a file: every person of a test has the same password.
const passwordHash = hashPassword(PASSWORD)

interface Options {
  environment?: Record<string, string>
  role?: ProcessRole
}

/** Stopped by itself after the file's tests. */
export async function startTestService({ environment = {}, role = 'web' }: Options = {}): Promise<TestService> {
  const { url: databaseUrl, drop } = await makeDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'almoner-'))
  const generous = { USER_QUOTA: '1000000', ANONYMOUS_QUOTA: '1000000' }
  const settings = readSettings({ PORT: '0', DATA_DIR: dataDir, ...generous, ...environment })
  const logged: Record<string, unknown>[] = []
  const log = createLog(settings.logLevel, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const service = await startService({
    settings,
    databaseUrl,
    role,
    log,
    checkAnswers: true,
    consoleFolder: inject('consoleFolder'),
  })
  const pool = connectPool({ url: databaseUrl, poolSize: 4, statementTimeoutMs: 10_000, log })
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await service.stop()
    await pool.end()
    await drop()
  }
  cleanUp(stop)
  return { url: service.address ?? '', databaseUrl, db: database(pool), settings, logged, stop }
}

export async function makeOrganization({ db }: TestService, name = 'Riverside Clinic'): Promise<string> {
  const id = v7()
  await db.insertInto('organizations').values({ id, name, createdAt: new Date() }).execute()
  return id
}

/** Someone who belongs to an organization, or to several, and has signed in. */
export async function makePerson(
  service: TestService,
  memberships: { organizationId: string; role: (typeof ROLES)[number] }[],
): Promise<Person> {
  const { db, url } = service
  const [userId, individualId, createdAt] = [v7(), v7(), new Date()]
  const username = `${userId}@example.org`
  await db
    .insertInto('individuals')
    .values({ id: individualId, firstName: 'Ada', lastName: 'Person', email: username, createdAt })
    .execute()
  await db
    .insertInto('users')
    .values({
      id: userId,
      individualId,
      username,
      passwordHash: await passwordHash,
      state: 'registered',
      emailVerified: true,
      createdAt,
    })
    .execute()
  if (memberships.length > 0)
    await db
      .insertInto('memberships')
      .values(memberships.map((one) => ({ userId, ...one })))
      .execute()
  const almoner = connect({ baseUrl: url, retries: 0 })
  const { accessToken: token } = await almoner.login({ body: { username, password: PASSWORD } })
  return { userId, individualId, username, token, almoner }
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  body: any
}

interface Call {
  method?: string
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

/** A plain HTTP call, for what the client would never send. A body that is text or bytes is sent as it is. */
export async function call(
  { url }: TestService,
  path: string,
  { method, token, body, headers = {} }: Call = {},
): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(new URL(path, url), {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
  })
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  const text = isStream ? await beginningOf(response) : await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text }
}

/** What has no end is not waited for. */
async function beginningOf(response: Response): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}

export const groupBody = (attributes: object) => ({ data: { type: 'individual-groups', attributes } })
export const GROUPS = '/identity/v1/individual-groups/'
export const ORGANIZATIONS = '/identity/v1/organizations/'
export const LOGIN = '/identity/v1/login/'

/** Waits for something that happens in the background. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not happen within half a minute.')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
