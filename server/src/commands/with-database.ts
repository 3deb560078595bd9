// What every command needs: the settings, and the database they name, for as long as the work takes.

import type { Logger } from 'pino'
import { createLog } from '../platform/config/log.ts'
import { readSettings, type Settings } from '../platform/config/settings.ts'
import { claimDataDirectory } from '../platform/db/data-directory.ts'
import { connectPool, type Database, database } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'

interface Opened {
  db: Database
  databaseUrl: string
  settings: Settings
  log: Logger
}

/** An embedded PostgreSQL is started for it, so a service that runs with one is stopped first. */
export async function withDatabase(work: (opened: Opened) => Promise<void>): Promise<void> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    const settings = readSettings(process.env)
    const log = createLog(settings.logLevel)
    let { databaseUrl } = settings
    if (!databaseUrl) {
      closers.push(await claimDataDirectory(settings.dataDir))
      const postgres = await startEmbeddedPostgres({ directory: settings.dataDir, log })
      closers.push(postgres.stop)
      databaseUrl = postgres.url('postgres')
    }
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
