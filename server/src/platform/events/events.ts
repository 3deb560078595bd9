// Events are rows, written with the change that caused them: neither exists without the other.

import type { EventData, EventKind } from '@almoner/contract'
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
    }
  }
}

interface Happening<Kind extends EventKind> {
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

  async publish<Kind extends EventKind>(
    kind: Kind,
    { organizationId, individualId, data }: Happening<Kind>,
  ): Promise<void> {
    const row = { organizationId, id: v7(), kind, individualId: individualId ?? null, occurredAt: this.#now, data }
    await this.#db.insertInto('events').values(row).execute()
  }
}
