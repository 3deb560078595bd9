// Those who do something with every event, each once: how far one has come is written in the transaction of what it did.

import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { EventFeed } from './event-feed.ts'
import { eventsAfter, type LoggedEvent } from './event-log.ts'

export interface EventReader {
  /** Under which its place is kept. */
  name: string
  /** Through the transaction it is given, and nothing that takes long: what does is queued. */
  read(db: Database, events: LoggedEvent[], now: Date): Promise<void>
}

const MOST_AT_ONCE = 500
const AGAIN_AFTER_MS = 5000

/** Reads from now on until it is stopped. A reader that is new begins with the events that come after it. */
export async function startEventReaders(
  db: Database,
  feed: EventFeed,
  readers: EventReader[],
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  for (const { name } of readers)
    await sql`insert into event_readers (name, position)
      select ${name}, coalesce(max(position), 0) from events on conflict (name) do nothing`.execute(db)
  const running = readers.map((reader) => new RunningReader(db, feed, reader, log))
  return {
    async stop() {
      await Promise.all(running.map((one) => one.stop()))
    },
  }
}

class RunningReader {
  readonly #db: Database
  readonly #reader: EventReader
  readonly #log: Logger
  readonly #unsubscribe: () => void
  #reading: Promise<void> | null = null
  #isToReadAgain = false
  #retry: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(db: Database, feed: EventFeed, reader: EventReader, log: Logger) {
    this.#db = db
    this.#reader = reader
    this.#log = log
    this.#unsubscribe = feed.subscribe(() => this.#wake())
    this.#wake()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#unsubscribe()
    if (this.#retry) clearTimeout(this.#retry)
    await this.#reading
  }

  #wake(): void {
    if (this.#isStopped) return
    if (this.#reading) {
      this.#isToReadAgain = true
      return
    }
    this.#reading = this.#readAll()
      .catch((error: unknown) => {
        this.#log.error({ err: error, reader: this.#reader.name }, 'events could not be read; trying again')
        this.#retry = setTimeout(() => this.#wake(), AGAIN_AFTER_MS)
      })
      .then(() => {
        this.#reading = null
        if (!this.#isToReadAgain) return
        this.#isToReadAgain = false
        this.#wake()
      })
  }

  async #readAll(): Promise<void> {
    for (let count = MOST_AT_ONCE; count === MOST_AT_ONCE && !this.#isStopped; ) count = await this.#readSome()
  }

  /** In several processes the same reader runs: whoever has its row reads, and the others have nothing to do. */
  #readSome(): Promise<number> {
    const { name, read } = this.#reader
    return this.#db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ position: number }>`
        select position::float8 as position from event_readers where name = ${name} for update skip locked`.execute(trx)
      const [at] = rows
      if (!at) return 0
      const events = await eventsAfter(trx, at.position, { limit: MOST_AT_ONCE })
      const last = events.at(-1)
      if (!last) return 0
      await read(trx, events, new Date())
      await sql`update event_readers set position = ${last.position} where name = ${name}`.execute(trx)
      return events.length
    })
  }
}
