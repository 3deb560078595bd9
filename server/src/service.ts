// The service: everything wired together from the settings, started, and stopped in reverse order.

import { join } from 'node:path'
import type { Redis } from 'ioredis'
import type pg from 'pg'
import type { Logger } from 'pino'
import { makeFirstOrganization } from './features/identity/index.ts'
import { implementations } from './features/index.ts'
import { loadInstanceKey, Secrets } from './platform/auth/secrets.ts'
import { Sessions } from './platform/auth/sessions.ts'
import type { Settings } from './platform/config/settings.ts'
import { connectPool, type Database, database } from './platform/db/database.ts'
import { migrate, withLock } from './platform/db/migrate.ts'
import { buildApp } from './platform/http/app.ts'
import { Measures } from './platform/http/measures.ts'
import { Counter } from './platform/limits/quota.ts'
import { connectRedis } from './platform/limits/redis.ts'
import { SignInAttempts } from './platform/limits/sign-in-attempts.ts'
import type { ProcessRole } from './platform/processes/command-line.ts'
import { housekeeping } from './platform/queue/housekeeping.ts'
import { startWorker } from './platform/queue/queue.ts'

export interface ServiceOptions {
  settings: Settings
  databaseUrl: string
  role: ProcessRole
  log: Logger
  /** Refuse to send an answer that is not as declared: for tests. */
  checkAnswers?: boolean
}

export interface Service {
  /** Where the web side listens; null for a worker. */
  address: string | null
  stop(): Promise<void>
}

const MIGRATIONS = join(import.meta.dirname, '../migrations')
const TASKS = [housekeeping]
const QUOTA_BUCKET_SECONDS = 60

export async function startService({
  settings,
  databaseUrl,
  role,
  log,
  checkAnswers = false,
}: ServiceOptions): Promise<Service> {
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const pool = connectPool({
      url: databaseUrl,
      poolSize: settings.databasePoolSize,
      statementTimeoutMs: settings.statementTimeoutMs,
      log,
    })
    closers.push(() => pool.end())
    const db = database(pool)
    const redis = settings.redisUrl ? connectRedis(settings.redisUrl, log) : undefined
    if (redis) closers.push(async () => redis.disconnect())
    if (role !== 'web') {
      const worker = await startWorker({ pool, db, tasks: TASKS, log })
      closers.push(() => worker.stop())
    }
    if (role === 'worker') return { address: null, stop }
    const app = await webApp({ settings, pool, db, redis, log, checkAnswers })
    const address = await app.listen({ port: settings.port, host: settings.host })
    closers.push(() => app.close())
    return { address, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface WebParts {
  settings: Settings
  pool: pg.Pool
  db: Database
  redis: Redis | undefined
  log: Logger
  checkAnswers: boolean
}

async function webApp({ settings, pool, db, redis, log, checkAnswers }: WebParts) {
  const { userQuota, anonymousQuota, tlsCert, tlsKey } = settings
  return buildApp({
    ...settings,
    log,
    db,
    checkAnswers,
    secrets: new Secrets(await loadInstanceKey(settings.instanceKey, settings.dataDir)),
    implementations: implementations({ signInAttempts: new SignInAttempts(redis) }),
    admission: {
      sessions: new Sessions(db),
      quota: new Counter('quota', QUOTA_BUCKET_SECONDS, redis),
      userQuota,
      anonymousQuota,
    },
    measures: new Measures(),
    readiness: {
      database: () => pool.query('select 1'),
      queue: () => pool.query('select 1 from graphile_worker.jobs limit 1'),
      ...(redis ? { redis: () => redis.ping() } : {}),
    },
    ...(tlsCert && tlsKey ? { tls: { cert: tlsCert, key: tlsKey } } : {}),
  })
}

const DEMO_ADMINISTRATOR = { email: 'admin@demo.example', password: 'almoner-demo-1' }

export interface FirstSignIn {
  username: string
  password: string
}

/**
 * Brings the database up to date and, when it is empty, gives it its first organization; answers that one's sign-in.
 * Safe to run from many processes at once.
 */
export async function prepareDatabase(
  databaseUrl: string,
  settings: Settings,
  log: Logger,
): Promise<FirstSignIn | null> {
  const pool = connectPool({ url: databaseUrl, poolSize: 4, statementTimeoutMs: 0, log })
  try {
    await migrate(pool, MIGRATIONS, log)
    const { adminEmail, adminPassword, demo } = settings
    if (!demo && !adminEmail) return null
    const username = adminEmail ?? DEMO_ADMINISTRATOR.email
    const password = adminPassword ?? DEMO_ADMINISTRATOR.password
    const name = demo ? 'Demo Clinic' : 'First organization'
    const made = await withLock(pool, () => makeFirstOrganization(database(pool), { name, username, password }))
    return made ? { username, password } : null
  } finally {
    await pool.end()
  }
}
