// The connection to PostgreSQL: a pool, and Kysely on top of it. Names are camelCase in code, snake_case in SQL.

import { CamelCasePlugin, Kysely } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { numbersOf } from './arrays.ts'
import { namingClient } from './named-statements.ts'
import { PipeliningDialect } from './pipelining.ts'
import type { Tables } from './tables.ts'

/** A database or a transaction in it: whoever receives one need not know which. */
export type Database = Kysely<Tables>

export interface DatabaseOptions {
  url: string
  poolSize: number
  statementTimeoutMs: number
  log: Logger
}

const parsers: Record<number, (text: string) => unknown> = {
  // A date is a day, not a moment: it stays the text YYYY-MM-DD.
  1082: String,
  // int2[], int4[] and float8[], which metrics have by the thousand.
  1005: numbersOf,
  1007: numbersOf,
  1022: numbersOf,
}
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format),
}

export function connectPool({ url, poolSize, statementTimeoutMs, log }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    Client: namingClient(),
    pipeline: true,
    types,
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'almoner',
    // What the database prints itself is in the interface's own time.
    options: '-c TimeZone=UTC',
    keepAlive: true,
  })
  // A connection lost while idle. The pool drops it and the next query opens another.
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  // And one lost while in use: its query fails by itself, but the event would end the process if nobody listened.
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

export function database(pool: pg.Pool): Database {
  return new Kysely<Tables>({
    dialect: new PipeliningDialect(pool),
    // Keys inside JSON columns are their authors' own.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}
