// The service: everything wired together from the settings, started, and stopped in reverse order.

import { join } from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import { alertTasks, writeShippedSets } from './features/alerts/index.ts'
import { identityTasks, invitationFailed, makeFirstOrganization } from './features/identity/index.ts'
import { eventReaders, implementations } from './features/index.ts'
import { metricsTasks, writeMetricFields } from './features/metrics/index.ts'
import { notificationsTasks } from './features/notifications/index.ts'
import { peopleTasks } from './features/people/index.ts'
import { Courier, webhookTasks } from './features/webhooks/index.ts'
import { AuditTrail } from './platform/audit/audit-trail.ts'
import { PasswordAdvice } from './platform/auth/password-advice.ts'
import { PasswordStrength } from './platform/auth/password-strength.ts'
import { PwnedPasswords } from './platform/auth/pwned.ts'
import { loadSecrets, type Secrets } from './platform/auth/secrets.ts'
import { TokenCheck } from './platform/auth/token-check.ts'
import type { Settings } from './platform/config/settings.ts'
import { connectPool, type Database, database } from './platform/db/database.ts'
import { migrate, withLock } from './platform/db/migrate.ts'
import { deliverMessage } from './platform/delivery/deliver.ts'
import { createMailer } from './platform/delivery/mail.ts'
import { Outbox } from './platform/delivery/outbox.ts'
import { createTexter } from './platform/delivery/sms.ts'
import { EventFeed } from './platform/events/event-feed.ts'
import { EventHub } from './platform/events/event-hub.ts'
import { startEventReaders } from './platform/events/event-readers.ts'
import { buildApp } from './platform/http/app.ts'
import { Measures } from './platform/http/measures.ts'
import { Counter } from './platform/limits/quota.ts'
import { connectRedis } from './platform/limits/redis.ts'
import { SignInAttempts } from './platform/limits/sign-in-attempts.ts'
import { AddressGuard } from './platform/outbound/address-guard.ts'
import { Outbound } from './platform/outbound/outbound.ts'
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
  /** The folder of the built console. */
  consoleFolder?: string | undefined
}

export interface Service {
  /** Where the web side listens; null for a worker. */
  address: string | null
  stop(): Promise<void>
}

const MIGRATIONS = join(import.meta.dirname, '../migrations')
const QUOTA_BUCKET_SECONDS = 60

export async function startService(options: ServiceOptions): Promise<Service> {
  const { settings, databaseUrl, role, log } = options
  const { databasePoolSize: poolSize, statementTimeoutMs } = settings
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const pool = connectPool({ url: databaseUrl, poolSize, statementTimeoutMs, log })
    closers.push(() => pool.end())
    const db = database(pool)
    const feed = new EventFeed(databaseUrl, db, log)
    await feed.start()
    closers.push(() => feed.close())
    const secrets = await loadSecrets(settings)
    const outbox = new Outbox(secrets)
    // The address in links: behind a proxy only the operator knows it.
    const publicUrl = settings.publicUrl ?? localUrl(settings)
    const outbound = new Outbound(new AddressGuard(settings.webhookAllow))
    if (role !== 'web') {
      const courier = new Courier(db, { secrets, outbox, outbound }, log)
      courier.start()
      closers.push(() => courier.stop())
      const tasks = [
        housekeeping(settings),
        deliveryTask(settings, secrets),
        ...identityTasks({ outbox, publicUrl, secrets }),
        ...peopleTasks({ outbox, publicUrl }),
        ...metricsTasks,
        ...alertTasks,
        ...notificationsTasks({ outbox, publicUrl }),
        ...webhookTasks(courier),
      ]
      const worker = await startWorker({ pool, db, tasks, log })
      closers.push(() => worker.stop())
      const readers = await startEventReaders(db, feed, eventReaders(), log)
      closers.push(() => readers.stop())
    }
    if (role === 'worker') return { address: null, stop }
    const app = await webApp({ ...options, pool, db, feed, secrets, outbox, outbound, publicUrl, closers })
    const address = await app.listen({ port: settings.port, host: settings.host })
    closers.push(() => app.close())
    return { address, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Good enough for links that are opened on this machine; whoever serves others sets PUBLIC_URL. */
function localUrl({ host, port, tlsCert }: Settings): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http${tlsCert ? 's' : ''}://${name}:${port}`
}

const deliveryTask = (settings: Settings, secrets: Secrets) =>
  deliverMessage({
    mailer: createMailer(settings),
    texter: createTexter(settings),
    secrets,
    outcomes: {
      invitation: async (db, { id, individualId }, outcome) => {
        if (individualId && outcome === 'failed') await invitationFailed(db, id, individualId)
      },
    },
  })

interface WebParts extends ServiceOptions {
  pool: pg.Pool
  db: Database
  feed: EventFeed
  secrets: Secrets
  outbox: Outbox
  outbound: Outbound
  publicUrl: string
  closers: (() => Promise<unknown>)[]
}

async function webApp(parts: WebParts) {
  const {
    settings,
    pool,
    db,
    log,
    feed,
    secrets,
    outbox,
    outbound,
    publicUrl,
    closers,
    checkAnswers = false,
    consoleFolder,
  } = parts
  const { userQuota, anonymousQuota, tlsCert, tlsKey, streamHeartbeatSeconds } = settings
  const redis = settings.redisUrl ? connectRedis(settings.redisUrl, log) : undefined
  if (redis) closers.push(async () => redis.disconnect())
  const strength = new PasswordStrength()
  closers.push(() => strength.close())
  const advice = new PasswordAdvice()
  closers.push(() => advice.close())
  const auditTrail = new AuditTrail(db, log)
  closers.push(() => auditTrail.close())
  const hub = new EventHub(db, feed, log)
  closers.push(() => hub.close())
  const signInAttempts = new SignInAttempts(redis)
  const pwned = new PwnedPasswords(settings.pwnedPasswordsUrl)
  return buildApp({
    ...settings,
    log,
    db,
    secrets,
    auditTrail,
    checkAnswers,
    consoleFolder,
    implementations: implementations({
      ...{ db, signInAttempts, secrets, strength, advice, pwned, outbox, outbound, publicUrl },
      ...{ hub, streamHeartbeatSeconds },
    }),
    admission: {
      tokens: new TokenCheck(db),
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
  /** Null when the operator chose it and need not be told. */
  password: string | null
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
    await writeMetricFields(database(pool))
    await writeShippedSets(database(pool))
    const { adminEmail, adminPassword, demo } = settings
    if (!demo && !adminEmail) return null
    const username = adminEmail ?? DEMO_ADMINISTRATOR.email
    const password = adminPassword ?? DEMO_ADMINISTRATOR.password
    const name = demo ? 'Demo Clinic' : 'First organization'
    const made = await withLock(pool, () => makeFirstOrganization(database(pool), { name, username, password }))
    return made ? { username, password: adminPassword ? null : password } : null
  } finally {
    await pool.end()
  }
}
