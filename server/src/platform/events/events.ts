// Events are rows, written with the change that caused them: neither exists without the other.

import type { EventData, EventKind } from '@almoner/contract'
import type { Generated } from 'kysely'
import { v7 } from 'uuid'
import type { Database } from '../db/database.ts'

declare module '../db/tables.ts' {
  interface Tables {
    events: {
      organizationId: string
      id: string
      kind: string
      individualId: string | null
      occurredAt: Date
      data: object
      position: Generated<number | null>
    }
  }
}

export interface Happening<Kind extends EventKind> {
  organizationId: string
  individualId?: string
  data: EventData<Kind>
}

export class Events {
  readonly #db: Database
  readonly #now: Date

  constructor(db: Database, now: Date) {
    this.#db = db
    this.#now = now
  }

  /** Answers its id. */
  async publish<Kind extends EventKind>(kind: Kind, happening: Happening<Kind>): Promise<string> {
    const [id] = await this.publishAll(kind, [happening])
    return id as string
  }

  async publishAll<Kind extends EventKind>(kind: Kind, happenings: Happening<Kind>[]): Promise<string[]> {
    if (happenings.length === 0) return []
    const rows = happenings.map(({ organizationId, individualId, data }) => ({
      organizationId,
      id: v7(),
      kind,
      individualId: individualId ?? null,
      occurredAt: this.#now,
      data,
    }))
    await this.#db.insertInto('events').values(rows).execute()
    return rows.map(({ id }) => id)
  }
}
