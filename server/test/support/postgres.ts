// One PostgreSQL for the whole run, with a migrated template that each test file clones.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { readSettings } from '../../src/platform/config/settings.ts'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts'
import { prepareDatabase } from '../../src/service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a database, with NAME in place of its name. */
    databaseUrl: string
  }
}

export const TEMPLATE = 'template_almoner'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = pino({ level: 'silent' })
  const directory = await mkdtemp(join(tmpdir(), 'almoner-test-'))
  // Readable by the unprivileged user that PostgreSQL runs as when the tests run as root.
  await chmod(directory, 0o755)
  const postgres = await startEmbeddedPostgres({ directory, log, settings: ['fsync=off', 'max_connections=300'] })
  const admin = new pg.Client({ connectionString: postgres.url('postgres') })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  await prepareDatabase(postgres.url(TEMPLATE), readSettings({ DEMO: 'false' }), log)
  await admin.end()
  project.provide('databaseUrl', postgres.url('NAME'))
  return async () => {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
