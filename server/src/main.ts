// Starts the service: reads the settings once, starts what it needs, and stops it in order.

import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { createLog } from './platform/config/log.ts'
import { readSettings, WrongSettings } from './platform/config/settings.ts'
import { builtConsole } from './platform/console/built-console.ts'
import { claimDataDirectory, DataDirectoryInUse } from './platform/db/data-directory.ts'
import { startEmbeddedPostgres } from './platform/db/embedded-postgres.ts'
import { isConnectionLost } from './platform/db/lost-connections.ts'
import { readCommandLine, USAGE, WrongCommandLine } from './platform/processes/command-line.ts'
import { ProcessNotReady, reportReady, superviseProcesses } from './platform/processes/supervisor.ts'
import { type FirstSignIn, prepareDatabase, startService } from './service.ts'

const SAME_SIGNAL_MS = 1000
const closers: (() => Promise<unknown>)[] = []

async function main(): Promise<void> {
  const commandLine = readCommandLine(process.argv.slice(2))
  if (commandLine === 'help') return console.log(USAGE)
  const { role, processes } = commandLine
  const settings = readSettings(process.env)
  const log = createLog(settings.logLevel)
  stopOnSignal(settings.drainSeconds)
  outliveLostConnections(log)
  const consoleFolder = role === 'worker' ? undefined : builtConsole(settings.dataDir, log)
  // Awaited below, when the database is ready too.
  consoleFolder?.catch(() => {})
  let { databaseUrl } = settings
  if (!databaseUrl) {
    closers.push(await claimDataDirectory(settings.dataDir))
    const postgres = await startEmbeddedPostgres({ directory: settings.dataDir, log })
    closers.push(postgres.stop)
    databaseUrl = postgres.url('postgres')
  }
  if (!cluster.isPrimary) {
    const service = await startService({ settings, databaseUrl, role, log, consoleFolder: await consoleFolder })
    closers.push(service.stop)
    return reportReady(service.address)
  }
  const firstSignIn = await prepareDatabase(databaseUrl, settings, log)
  if (processes > 1) {
    await consoleFolder
    const supervised = await superviseProcesses(processes, { DATABASE_URL: databaseUrl }, log)
    closers.push(supervised.stop)
    return announce(supervised.address, settings.publicUrl, firstSignIn)
  }
  const service = await startService({ settings, databaseUrl, role, log, consoleFolder: await consoleFolder })
  closers.push(service.stop)
  announce(service.address, settings.publicUrl, firstSignIn)
}

function announce(address: string | null, publicUrl: string | undefined, firstSignIn: FirstSignIn | null): void {
  const where = publicUrl ?? address
  if (!where) {
    console.log('Almoner is working through its queue.')
    return
  }
  const lines = [`Almoner is ready at ${where}`]
  if (firstSignIn) {
    const { username, password } = firstSignIn
    lines.push(`Sign in as ${username} with the password ${password ?? 'you set'}`)
    if (password) lines.push('To fill it with made-up patients and readings, run in another terminal: npm run demo')
  }
  lines.push(`The interface is described at ${new URL('/reference/', where)}`)
  // Apart from the log before it, and at once: whoever waits for the first line has them all.
  console.log(`\n${lines.join('\n')}\n`)
}

/** The first signal drains: what runs may finish. A second one, or the time running out, ends at once. */
function stopOnSignal(drainSeconds: number): void {
  let stopping: number | null = null
  const stop = async () => {
    // Told twice at once means told by two: a terminal and npm, or the system and the one that supervises a process.
    if (stopping !== null)
      return Date.now() - stopping > SAME_SIGNAL_MS && cluster.isPrimary ? process.exit(1) : undefined
    stopping = Date.now()
    setTimeout(() => process.exit(0), drainSeconds * 1000).unref()
    for (const close of closers.splice(0).reverse()) await close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  if (cluster.isPrimary) process.on('SIGINT', stop)
  else {
    // A Ctrl-C reaches every process of the terminal; forked ones wait for the word of the one that supervises them.
    process.on('SIGINT', () => {})
    process.on('disconnect', stop)
  }
}

/**
 * The queue does not wait for what it tells the database at the end of a job, so a connection that breaks just then is
 * nobody's to catch. The database will be back, and the job is done again.
 */
function outliveLostConnections(log: Logger): void {
  process.on('unhandledRejection', (error) => {
    if (!isConnectionLost(error)) throw error
    log.error({ err: error }, 'a database connection was lost at the end of a job')
  })
}

/** What to change, for what goes wrong by itself; everything else is shown whole. */
function explain(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if ([WrongSettings, WrongCommandLine, DataDirectoryInUse, ProcessNotReady].some((kind) => error instanceof kind))
    return message
  if (code === 'EADDRINUSE')
    return `Another program listens there already (${message}). Stop it, or choose another PORT.`
  if (code === 'EACCES' || code === 'EROFS' || code === 'ENOENT')
    return `A file cannot be used: ${message}. Check DATA_DIR, TLS_CERT and TLS_KEY.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01' || code === '3D000') {
    return `The database of DATABASE_URL cannot be used: ${message}.`
  }
  return error
}

main().catch(async (error: unknown) => {
  console.error(explain(error))
  for (const close of closers.splice(0).reverse()) await close().catch(() => {})
  process.exit(1)
})
