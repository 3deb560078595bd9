// Tells those who want to know, within moments, that there are new events. Every process has one.

import pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { EVENTS_PLACED, EVENTS_WRITTEN, placeEvents } from './event-log.ts'

/** Should a notification be lost with its connection, it is seen so much later that there are events. */
const LOOK_ANYWAY_MS = 5000
const RECONNECT_MS = 1000

export class EventFeed {
  readonly #databaseUrl: string
  readonly #db: Database
  readonly #log: Logger
  readonly #listeners = new Set<() => void>()
  #client: pg.Client | null = null
  #isClosed = false
  #timer: NodeJS.Timeout | null = null
  #placing: Promise<void> | null = null
  #isToPlaceAgain = false

  constructor(databaseUrl: string, db: Database, log: Logger) {
    this.#databaseUrl = databaseUrl
    this.#db = db
    this.#log = log
  }

  async start(): Promise<void> {
    await this.#listen()
    this.#timer = setInterval(() => this.#look(), LOOK_ANYWAY_MS)
    this.#look()
  }

  /** Called when there may be new events; answers how to stop that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearInterval(this.#timer)
    this.#listeners.clear()
    await this.#placing
    await this.#client?.end().catch(() => {})
  }

  async #listen(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#databaseUrl, application_name: 'almoner events' })
    client.on('notification', ({ channel }) => (channel === EVENTS_PLACED ? this.#tell() : this.#place()))
    client.on('error', (error) => this.#reconnect(client, error))
    client.on('end', () => this.#reconnect(client))
    try {
      await client.connect()
      await client.query(`listen ${EVENTS_WRITTEN}; listen ${EVENTS_PLACED}`)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    this.#client = client
  }

  #reconnect(lost: pg.Client, error?: Error): void {
    if (this.#isClosed || this.#client !== lost) return
    this.#client = null
    this.#log.warn({ err: error }, 'the connection that tells of events was lost')
    const again = (): void => {
      if (this.#isClosed) return
      this.#listen().then(
        () => this.#look(),
        () => void setTimeout(again, RECONNECT_MS),
      )
    }
    setTimeout(again, RECONNECT_MS)
  }

  #look(): void {
    this.#place()
    this.#tell()
  }

  /** What comes while places are given out is placed right after. */
  #place(): void {
    if (this.#placing) {
      this.#isToPlaceAgain = true
      return
    }
    if (this.#isClosed) return
    this.#placing = placeEvents(this.#db)
      .catch((error: unknown) => this.#log.error({ err: error }, 'events could not be put in order; trying again'))
      .then(() => {
        this.#placing = null
        if (!this.#isToPlaceAgain) return
        this.#isToPlaceAgain = false
        this.#place()
      })
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
