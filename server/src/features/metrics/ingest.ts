// Many pushes become one transaction. A push waits for what is being written, and then goes with all others that wait;
// each is answered when its points are durable, and one that fails does not fail its neighbours.

import { AuditNote } from '../../platform/audit/audit-note.ts'
import { isInSight, type Sight } from '../../platform/auth/sight.ts'
import type { Database } from '../../platform/db/database.ts'
import { keepPlans, together } from '../../platform/db/pipelining.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { Queue } from '../../platform/queue/queue.ts'
import type { Arrival } from './arrival.ts'
import { seriesToCompact } from './compaction.ts'
import type { Points } from './points.ts'
import { noteLatest } from './queries/latest.ts'
import { type Owner, ownersOf } from './queries/owners.ts'
import { settleSeries } from './queries/series.ts'
import { add, append, type Outcome, take } from './writing.ts'

export interface Push {
  arrivals: Arrival[]
  sight: Sight
  /** Who writes: a user or a service account. */
  by: string
  now: Date
  audit: AuditNote
}

/** What was written to a series, for those who watch. */
export interface Written extends Pick<Outcome, 'seriesId' | 'horizon' | 'newFrom' | 'newTo' | 'isLate'> {
  individualId: string
  type: string
  source: string
  points: Points
  /** Where the person is listed. */
  owners: Owner[]
}

/** Called in the transaction of what it is told. */
export interface Watcher {
  written(db: Database, written: Written[], now: Date): Promise<void>
  erased(db: Database, individualId: string): Promise<void>
}

interface Waiting {
  push: Push
  keys: string[]
  points: number
  resolve(outcomes: Outcome[]): void
  reject(error: unknown): void
}

/** While one transaction waits for the disk, the next is being made, once as many pushes wait as are being written. */
const LANES = 2
const MOST_PUSHES = 500
const MOST_POINTS = 20_000
/** So many loose points of a series are worth putting together. */
const MOST_LOOSE = 64

export class Ingest {
  readonly #db: Database
  readonly #watcher: Watcher
  #waiting: Waiting[] = []
  readonly #beingWritten = new Set<string>()
  #lanes = 0
  /** How many are being written. */
  #inHand = 0

  constructor(db: Database, watcher: Watcher) {
    this.#db = db
    this.#watcher = watcher
  }

  /** Resolves when the points are stored for good. */
  push(push: Push): Promise<Outcome[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>()
    const keys = push.arrivals.map(({ individualId, type, source }) => `${individualId}${type} ${source}`)
    const points = push.arrivals.reduce((sum, arrival) => sum + arrival.points.times.length, 0)
    this.#waiting.push({ push, keys, points, resolve, reject })
    if (this.#lanes < LANES && this.#areEnough) void this.#lane()
    return promise
  }

  /** Fewer than are being written go with others when those are done: few large transactions cost less than many small. */
  get #areEnough(): boolean {
    return this.#waiting.length >= this.#inHand
  }

  async #lane(): Promise<void> {
    this.#lanes++
    // Those that arrive in the same moment go together.
    await new Promise(setImmediate)
    for (let batch = this.#take(); batch.length > 0; batch = this.#areEnough ? this.#take() : []) {
      this.#inHand += batch.length
      await this.#write(batch)
      this.#inHand -= batch.length
      for (const { keys } of batch) for (const key of keys) this.#beingWritten.delete(key)
    }
    this.#lanes--
  }

  /** As many as go into one transaction; of each series one, so that what came first is written first. */
  #take(): Waiting[] {
    const batch: Waiting[] = []
    const left: Waiting[] = []
    const passedOver = new Set<string>()
    let points = 0
    for (const one of this.#waiting) {
      const isFull = batch.length >= MOST_PUSHES || points >= MOST_POINTS
      const mustWait = one.keys.some((key) => this.#beingWritten.has(key) || passedOver.has(key))
      if (isFull || mustWait) {
        for (const key of one.keys) passedOver.add(key)
        left.push(one)
        continue
      }
      batch.push(one)
      points += one.points
      for (const key of one.keys) this.#beingWritten.add(key)
    }
    this.#waiting = left
    return batch
  }

  async #write(batch: Waiting[]): Promise<void> {
    const pushes = batch.map(({ push }) => push)
    try {
      const outcomes = await this.#db.transaction().execute((trx) => writeAll(trx, pushes, this.#watcher))
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome[])
    } catch (error) {
      for (const { audit } of pushes) audit.forget()
      if (error instanceof Refusals) {
        for (const { push, reject } of batch) if (error.of.has(push)) reject(error.of.get(push))
        const others = batch.filter(({ push }) => !error.of.has(push))
        if (others.length > 0) await this.#write(others)
      }
      // Alone, each shows whether it was the one.
      else if (batch.length > 1) for (const one of batch) await this.#write([one])
      else batch[0]?.reject(error)
    }
  }
}

/** What was begun with these pushes among others is undone. */
class Refusals extends Error {
  readonly of: Map<Push, Problem>

  constructor(of: Map<Push, Problem>) {
    super()
    this.of = of
  }
}

/**
 * For each push what became of its arrivals. Their series are written to before it is known whether the callers may:
 * nearly always they may.
 */
async function writeAll(db: Database, pushes: Push[], watcher: Watcher): Promise<Outcome[][]> {
  const pushOf = new Map(pushes.flatMap((push) => push.arrivals.map((arrival) => [arrival, push])))
  const writerOf = (arrival: Arrival) => pushOf.get(arrival) as Push
  const arrivals = [...pushOf.keys()]
  const ids = [...new Set(arrivals.map(({ individualId }) => individualId))]
  const [, owners, appended] = await together(db, (all) => [
    keepPlans(all),
    ownersOf(all, ids, { isLocking: true }),
    append(all, arrivals, writerOf),
  ])
  const refusals = new Map(pushes.flatMap((push) => refusalOf(push, owners).map((problem) => [push, problem])))
  if (refusals.size > 0) throw new Refusals(refusals)
  const { outcomes, added } = await take(db, arrivals, writerOf, appended)
  const byArrival = new Map(arrivals.map((arrival, index) => [arrival, outcomes[index] as Outcome]))
  const written = arrivals.map((arrival) => ({
    ...arrival,
    ...(byArrival.get(arrival) as Outcome),
    owners: owners.get(arrival.individualId) ?? [],
  }))
  const changed = written.filter(isChange)
  const notes = pushes.map(({ audit }) => audit)
  await together(db, (all) => [
    add(all, added),
    noteLatest(all, changed),
    watcher.written(all, changed, new Date()),
    AuditNote.recordAllIn(all, notes),
  ])
  await askToCompact(db, written)
  return pushes.map((push) => push.arrivals.map((arrival) => byArrival.get(arrival) as Outcome))
}

/** A point that was of a wrong clock once may be sent again when its time has come. */
const isChange = ({ stored, updated, newFrom, newTo }: Outcome) => stored + updated > 0 || newFrom < newTo

function refusalOf({ arrivals, sight, audit }: Push, owners: Map<string, Owner[]>): Problem[] {
  for (const { individualId } of arrivals) {
    const seen = (owners.get(individualId) ?? []).filter((owner) => isInSight(sight, owner))
    const [first] = seen
    if (!first) return [new Problem('NotFound', { what: 'individual' })]
    if (first.mergedInto) return [new Problem('RecordMerged', { id: first.mergedInto })]
    audit.touched(
      [individualId],
      seen.map(({ organizationId }) => organizationId),
    )
  }
  return []
}

async function askToCompact(db: Database, written: (Outcome & { individualId: string })[]): Promise<void> {
  const many = written.filter(({ loose }) => loose >= MOST_LOOSE)
  if (many.length === 0) return
  await settleSeries(db, many)
  const queue = new Queue(db)
  for (const { individualId, seriesId } of many)
    await queue.add(seriesToCompact, { individualId, seriesId }, { key: `compact ${individualId} ${seriesId}` })
}
