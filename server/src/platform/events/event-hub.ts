// One reading of the log for all who follow it in this process. While nobody does, nothing is read.

import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { EventFeed } from './event-feed.ts'
import { type LoggedEvent, lastPosition } from './event-log.ts'

export interface FollowedEvent extends LoggedEvent {
  /** The groups that its individual was in, in its organization, when it was read. */
  groupIds: string[]
}

type Follower = (events: FollowedEvent[]) => void

export interface Followed {
  /** Everything after this place is told. */
  position: number
  leave(): void
}

const MOST_AT_ONCE = 500

export class EventHub {
  readonly #db: Database
  readonly #log: Logger
  readonly #followers = new Set<Follower>()
  readonly #unsubscribe: () => void
  /** Those who follow, and those who are about to. */
  #count = 0
  #begun: Promise<void> = Promise.resolve()
  #position = 0
  #isToRead = false
  /** Reading and finding where to begin, one after the other. */
  #work: Promise<unknown> = Promise.resolve()

  constructor(db: Database, feed: EventFeed, log: Logger) {
    this.#db = db
    this.#log = log
    this.#unsubscribe = feed.subscribe(() => this.#wake())
  }

  async follow(follower: Follower): Promise<Followed> {
    if (++this.#count === 1)
      this.#begun = this.#inTurn(async () => {
        this.#position = await lastPosition(this.#db)
      })
    try {
      await this.#begun
    } catch (error) {
      this.#count--
      throw error
    }
    this.#followers.add(follower)
    // What came while there was nobody to tell.
    this.#wake()
    const leave = () => {
      if (this.#followers.delete(follower)) this.#count--
    }
    return { position: this.#position, leave }
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    this.#followers.clear()
    await this.#work
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => {})
    return done
  }

  /** What fails is done again when the feed looks anyway. */
  #wake(): void {
    if (this.#isToRead || this.#followers.size === 0) return
    this.#isToRead = true
    this.#inTurn(async () => {
      this.#isToRead = false
      await this.#readAll()
    }).catch((error: unknown) => this.#log.error({ err: error }, 'events could not be read for those who follow them'))
  }

  async #readAll(): Promise<void> {
    for (let count = MOST_AT_ONCE; count === MOST_AT_ONCE && this.#followers.size > 0; ) {
      const events = await followedAfter(this.#db, this.#position)
      const last = events.at(-1)
      if (!last) return
      count = events.length
      this.#position = last.position
      for (const follower of this.#followers) follower(events)
    }
  }
}

async function followedAfter(db: Database, position: number): Promise<FollowedEvent[]> {
  const { rows } = await sql<FollowedEvent>`
    select e.position::float8 as position, e.id, e.organization_id, e.kind, e.individual_id, e.occurred_at, e.data,
      array(select i.group_id from group_individuals i join individual_groups g on g.id = i.group_id
        where i.individual_id = e.individual_id and g.organization_id = e.organization_id) as group_ids
    from events e where e.position > ${position} order by e.position limit ${sql.lit(MOST_AT_ONCE)}`.execute(db)
  return rows
}
