// A service as `npm start` runs it, and the database under it, for a benchmark to load.

import { type ChildProcess, fork, spawn } from 'node:child_process'
import type { EventEmitter } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect } from '@almoner/client'
import { startEmbeddedPostgres } from '@almoner/server/platform/db/embedded-postgres'
import { pino } from 'pino'

const MAIN = resolve(import.meta.dirname, '../../server/src/main.ts')
const PORT = 18_080
export const DEMO = { username: 'admin@demo.example', password: 'almoner-demo-1' }

export interface BenchService {
  databaseUrl: string
  baseUrl: string
  token: string
  userId: string
  /** Another process beside it, stopped with it; resolves when it says that it is ready. */
  alongside(script: string, args: string[]): Promise<void>
  stop(): Promise<void>
}

export async function startBenchService(): Promise<BenchService> {
  const directory = await mkdtemp(join(tmpdir(), 'almoner-bench-'))
  await chmod(directory, 0o755)
  const postgres = await startEmbeddedPostgres({ directory, log: pino({ level: 'silent' }) })
  const databaseUrl = postgres.url('postgres')
  const children: ChildProcess[] = []
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: directory,
    PORT: String(PORT),
    LOG_LEVEL: 'error',
    USER_QUOTA: '1000000000',
    ANONYMOUS_QUOTA: '1000000000',
  }
  // Where it is looked up what went wrong; the audit trail is in it too, which would hide the tables.
  const output = openSync(join(directory, 'service.log'), 'a')
  const service = spawn(process.execPath, [MAIN, '--role', 'web'], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', output],
  })
  closeSync(output)
  children.push(service)
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL')
  })
  await first(service, service.stdout as EventEmitter, 'data')
  const baseUrl = `http://127.0.0.1:${PORT}`
  const signIn = await connect({ baseUrl }).login({
    body: DEMO,
  })
  return {
    databaseUrl,
    baseUrl,
    token: signIn.accessToken,
    userId: signIn.userId,
    async alongside(script, args) {
      const child = fork(script, args)
      children.push(child)
      await first(child, child, 'message')
    },
    async stop() {
      for (const child of children) {
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill()
        await ended
      }
      await postgres.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Waits for a sign of life; a process that ends instead is an error. */
function first(child: ChildProcess, source: EventEmitter, event: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  source.once(event, () => resolve())
  child.once('exit', (code) =>
    reject(new Error(`${child.spawnargs.join(' ')} ended with ${code} before it was ready.`)),
  )
  return promise
}
