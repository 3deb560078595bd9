// Statements that need not wait for each other go to the database in one breath: each wait is a wake-up of two processes,
// which costs more than a small statement itself.

import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  sql,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import type { Database } from './database.ts'

/** PostgreSQL as Kysely knows it, but that the beginning of a transaction goes out with its first statement. */
export class PipeliningDialect extends PostgresDialect {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): Driver {
    return new PipeliningDriver({ pool: this.#pool })
  }
}

class PipeliningDriver extends PostgresDriver {
  readonly #begun = new WeakMap<DatabaseConnection, Promise<void>>()

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const begun = super.beginTransaction(connection, settings)
    // Looked at before anything is said to be done.
    begun.catch(() => {})
    this.#begun.set(connection, begun)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#begun.get(connection)
    await super.commitTransaction(connection)
  }
}

/**
 * In a transaction, which otherwise sends one statement after the other's answer: what is started together is sent
 * together, and done in the order in which it was started. All of it has ended when this ends, also when one part fails.
 */
export function together<T extends unknown[]>(
  db: Database,
  start: (db: Database) => { [Part in keyof T]: Promise<T[Part]> },
): Promise<T> {
  const executor = db.getExecutor()
  const plugins = [...executor.plugins]
  return executor.provideConnection(async (connection) => {
    const parts = start(new Kysely({ dialect: new OneConnection(connection), plugins }))
    // Fails with what failed first: what comes after that only says that something did.
    const all = Promise.all(parts) as Promise<T>
    await Promise.allSettled([all, ...parts])
    return all
  })
}

/**
 * For the rest of the transaction a repeated statement keeps the plan it has. PostgreSQL would plan one with short lists
 * of ids anew each time, which takes longer than carrying it out. A plan that is kept is one by indexes: whole tables are
 * read fastest only while they are small.
 */
export const keepPlans = (db: Database) =>
  sql`select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`.execute(db)

class OneConnection extends PostgresDialect {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    super({ pool: () => Promise.reject(new Error('There is a connection already.')) })
    this.#connection = connection
  }

  override createDriver(): Driver {
    const refuse = () => Promise.reject(new Error('It is in a transaction already.'))
    return {
      init: async () => {},
      acquireConnection: async () => this.#connection,
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      releaseConnection: async () => {},
      destroy: async () => {},
    }
  }
}
