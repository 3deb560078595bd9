// What every command needs: the settings, and the database they name, for as long as the work takes.

import type { Logger } from 'pino'
import { createLog } from '../platform/config/log.ts'
import { readSettings, type Settings } from '../platform/config/settings.ts'
import { claimDataDirectory, DataDirectoryInUse } from '../platform/db/data-directory.ts'
import { connectPool, type Database, database } from '../platform/db/database.ts'
import { runningPostgres, startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'

interface Opened {
  db: Database
  databaseUrl: string
  settings: Settings
  log: Logger
}

export async function withDatabase(work: (opened: Opened) => Promise<void>): Promise<void> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    const settings = readSettings(process.env)
    const log = createLog(settings.logLevel)
    const databaseUrl = settings.databaseUrl ?? (await embedded(settings.dataDir, log, closers))
    // A command may take as long as it takes.
    const pool = connectPool({ url: databaseUrl, poolSize: 2, statementTimeoutMs: 0, log })
    closers.push(() => pool.end())
    await work({ db: database(pool), databaseUrl, settings, log })
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

/** That of a service that runs, or else one for as long as the work takes. */
async function embedded(directory: string, log: Logger, closers: (() => Promise<unknown>)[]): Promise<string> {
  try {
    closers.push(await claimDataDirectory(directory))
  } catch (error) {
    const running = error instanceof DataDirectoryInUse && (await runningPostgres(directory, 'postgres'))
    if (!running) throw error
    return running
  }
  const postgres = await startEmbeddedPostgres({ directory, log })
  closers.push(postgres.stop)
  return postgres.url('postgres')
}
