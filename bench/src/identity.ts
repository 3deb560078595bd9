// Signing in beside the bare hash it must compute, and checking a token beside the bare query it saves.

import { TokenCheck } from '@almoner/server/platform/auth/token-check'
import { tokenHash } from '@almoner/server/platform/auth/tokens'
import { connectPool, database } from '@almoner/server/platform/db/database'
import { hash, verify } from '@node-rs/argon2'
import { pino } from 'pino'
import { contest } from './contest.ts'
import { load } from './load.ts'
import { DEMO, startBenchService } from './service.ts'

const CONNECTIONS = 8
const SECONDS = 4
// As the service hashes.
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export async function identityBenchmark(): Promise<void> {
  const service = await startBenchService()
  const log = pino({ level: 'silent' })
  const pool = connectPool({ url: service.databaseUrl, poolSize: CONNECTIONS, statementTimeoutMs: 10_000, log })
  try {
    const stored = await hash(DEMO.password, ARGON2)
    await contest('Signing in', 'sign-ins a second', [
      { name: 'Almoner, POST /identity/v1/login/', round: () => signIns(service.baseUrl) },
      { name: 'bare argon2id', round: () => repeated(() => verify(stored, DEMO.password)) },
    ])
    const tokens = new TokenCheck(database(pool))
    const sha = tokenHash(service.token)
    await contest('Checking a token', 'checks a second', [
      { name: 'Almoner, warm', round: () => repeated(() => tokens.verify(service.token, new Date())) },
      {
        name: 'bare SQL, one indexed row',
        round: () =>
          repeated(() => pool.query('select session_id, expires_at from session_tokens where hash = $1', [sha])),
      },
    ])
  } finally {
    await pool.end()
    await service.stop()
  }
}

function signIns(baseUrl: string): Promise<number> {
  const body = Buffer.from(JSON.stringify(DEMO))
  return load({
    url: `${baseUrl}/identity/v1/login/`,
    headers: { 'content-type': 'application/json' },
    body: () => body,
    connections: CONNECTIONS,
    seconds: SECONDS,
  })
}

/** As often as it goes, by as many at once as there are connections. */
async function repeated(work: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + SECONDS * 1000
  let done = 0
  const lane = async () => {
    while (performance.now() < end) {
      await work()
      done++
      // Work that never waits would keep the clock of the other lanes from being looked at.
      if (done % 1000 === 0) await new Promise(setImmediate)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  return done / SECONDS
}
