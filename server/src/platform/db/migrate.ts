// Brings the schema up to date: numbered SQL files, forward only, each in its own transaction and recorded with a
// checksum. An advisory lock lets any number of processes start at once; the first migrates, the others find it done.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runMigrations as migrateQueue } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'

interface Migration {
  name: string
  sql: string
  checksum: string
}

// Any fixed number that nothing else in the database uses.
const LOCK = 7_204_113_905
const OLDEST_SERVER = 15

export async function migrate(pool: pg.Pool, directory: string, log: Logger): Promise<void> {
  const migrations = await readMigrations(directory)
  await withLock(pool, async (client) => {
    await refuseOldServer(client)
    await client.query(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')
    const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
    refuseSurprises(migrations, applied)
    await migrateQueue({ pgPool: pool })
    for (const migration of migrations) {
      if (!applied.has(migration.name)) await apply(client, migration, log)
    }
  })
}

async function refuseOldServer(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as version",
  )
  const [server] = rows
  if (server && server.number < OLDEST_SERVER * 10_000) {
    throw new Error(`This PostgreSQL is version ${server.version}. Version ${OLDEST_SERVER} or newer is needed.`)
  }
}

/** Runs what only one process at a time may do while starting. */
export async function withLock<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    // Waiting for another process to finish its migrations may take longer than any statement should.
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await work(client)
  } finally {
    // Closing the connection gives back the lock and the timeout, whatever happened.
    client.release(true)
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  const wrong = names.find((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
  if (wrong) throw new Error(`The migration ${wrong} is not named like 0001_what_it_does.sql.`)
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

function refuseSurprises(migrations: Migration[], applied: Map<string, string>): void {
  const changed = migrations.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
  if (changed) {
    throw new Error(
      `The migration ${changed.name} was changed after it ran on this database. Restore the file as it was, and put the change into a new migration.`,
    )
  }
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied.keys()].find((name) => !known.has(name))
  if (unknown) {
    throw new Error(
      `This database was migrated by a newer version of the service (${unknown}). Start that version or a later one.`,
    )
  }
}

async function apply(client: pg.PoolClient, { name, sql, checksum }: Migration, log: Logger): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`The migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
  log.info({ migration: name }, 'migrated')
}
