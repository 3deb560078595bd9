// Work for later. A job is a row written in the caller's transaction, so it runs if, and only if, that commits.

import { parseCronItems, Logger as QueueLogger, type Runner, run, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'

export interface TaskContext {
  db: Database
  now: Date
  log: Logger
}

/** The name of some work and what it needs to know: enough to ask for it. */
export interface Job<Payload extends object = object> {
  name: string
  /** For the compiler only. */
  readonly payload?: Payload
}

export const job = <Payload extends object>(name: string): Job<Payload> => ({ name })

/** The work itself. */
export interface Task<Payload extends object = object> extends Job<Payload> {
  /** When it runs by itself, as a crontab pattern in UTC. */
  cron?: string
  run(payload: Payload, context: TaskContext): Promise<void>
}

export const task = <Payload extends object>(declared: Task<Payload>): Task<Payload> => declared

export class Queue {
  readonly #db: Database
  readonly #delayMs: number

  /** Everything added waits `delayMs` besides: how a developer sees what callers see while work is not done yet. */
  constructor(db: Database, delayMs = 0) {
    this.#db = db
    this.#delayMs = delayMs
  }

  /** The same queue, as part of a transaction. */
  on(transaction: Database): Queue {
    return new Queue(transaction, this.#delayMs)
  }

  /** A job with a key takes the place of one with the same key that has not begun. */
  async add<Payload extends object>(
    { name }: Job<Payload>,
    payload: Payload,
    options: { runAt?: Date; key?: string } = {},
  ): Promise<void> {
    const wanted = options.runAt ?? new Date()
    const runAt = options.runAt || this.#delayMs > 0 ? new Date(wanted.getTime() + this.#delayMs) : null
    await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, run_at => ${runAt},
      job_key => ${options.key ?? null})`.execute(this.#db)
  }
}

interface WorkerOptions {
  pool: pg.Pool
  db: Database
  tasks: Task[]
  log: Logger
}

const CONCURRENCY = 4

export function startWorker({ pool, db, tasks, log }: WorkerOptions): Promise<Runner> {
  const taskList: TaskList = {}
  for (const declared of tasks) {
    if (taskList[declared.name]) throw new Error(`There are two tasks named ${declared.name}.`)
    taskList[declared.name] = (payload, { job }) =>
      declared.run(payload as object, { db, now: new Date(), log: log.child({ task: declared.name, job: job.id }) })
  }
  const crons = tasks.flatMap(({ name, cron }) => (cron ? [{ task: name, match: cron }] : []))
  return run({
    pgPool: pool,
    taskList,
    concurrency: CONCURRENCY,
    parsedCronItems: parseCronItems(crons),
    noHandleSignals: true,
    logger: new QueueLogger(() => (level, message, meta) => {
      const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
      log[levels[level]]({ err: meta?.error }, message)
    }),
  })
}
