// Puts the readings of made-up patients into the database, by the same code as points that are pushed. A piece is there
// whole or not at all, and points that are there already change nothing.

import { sql } from 'kysely'
import { alertWatcher } from '../features/alerts/index.ts'
import { arrivalOf } from '../features/metrics/arrival.ts'
import { readSeries, type SeriesItem } from '../features/metrics/point-reader.ts'
import { noteLatest } from '../features/metrics/queries/latest.ts'
import { ownersOf } from '../features/metrics/queries/owners.ts'
import { type Outcome, store } from '../features/metrics/writing.ts'
import type { Database } from '../platform/db/database.ts'
import { type Monitored, type Monitoring, monitoredPatients, type Point, readings } from './metrics.ts'

export interface MetricsOptions extends Monitoring {
  organizationId: string
  /** How many days back the readings go. */
  days: number
  /** Of all days of all patients. */
  onProgress?(done: number, total: number): void
  /** Asks to stop between two pieces. */
  signal?: AbortSignal
}

export interface WrittenMetrics {
  /** Those who have readings. */
  patients: number
  points: number
  /** Points that were there before. */
  pointsBefore: number
  isComplete: boolean
}

interface Known {
  individualId: string
  userId: string
}

/** So many points make a transaction. */
const ENOUGH = 15_000

export async function writeMetrics(db: Database, options: MetricsOptions): Promise<WrittenMetrics> {
  const { days, onProgress, signal } = options
  const written: WrittenMetrics = { patients: 0, points: 0, pointsBefore: 0, isComplete: false }
  const monitored = [...monitoredPatients(options)]
  const known = await knownPatients(db, monitored, options.organizationId)
  const waiting: Waiting[] = []
  const flush = async () => {
    const outcomes = await writePieces(db, waiting.splice(0), options.until)
    for (const { stored, updated, unchanged } of outcomes) {
      written.points += stored
      written.pointsBefore += updated + unchanged
    }
  }
  for (const [place, one] of monitored.entries()) {
    const who = known.get(one.patient.username)
    let hasAny = false
    for (const points of who ? readings(options, one, days) : []) {
      hasAny = true
      waiting.push({ ...(who as Known), points })
      if (waiting.reduce((sum, piece) => sum + piece.points.length, 0) < ENOUGH) continue
      if (signal?.aborted) return written
      await flush()
    }
    if (hasAny) written.patients++
    onProgress?.((place + 1) * days, monitored.length * days)
  }
  await flush()
  await sql`vacuum analyze metric_series, metric_segments, metric_points, listed_readings`.execute(db)
  return { ...written, isComplete: true }
}

/** By their sign-in name: made on another day they have other ids. Whoever was merged into another is left alone. */
async function knownPatients(db: Database, some: Monitored[], organizationId: string): Promise<Map<string, Known>> {
  const { rows } = await sql<Known & { username: string }>`
    select lower(u.username) as username, u.id as user_id, u.individual_id
    from users u
    join memberships m on m.user_id = u.id and m.organization_id = ${organizationId} and m.role = 'patient'
    join individuals i on i.id = u.individual_id and i.merged_into is null
    where lower(u.username) = any(${some.map(({ patient }) => patient.username)}::text[])`.execute(db)
  return new Map(rows.map(({ username, ...who }) => [username, who]))
}

interface Waiting extends Known {
  points: Point[]
}

async function writePieces(db: Database, pieces: Waiting[], now: Date): Promise<Outcome[]> {
  if (pieces.length === 0) return []
  const items = pieces.map(
    ({ individualId, points }): SeriesItem => ({ individualId, type: points[0]?.type as string, data: points }),
  )
  const { series, faults } = readSeries(items, 'demo')
  if (faults.length > 0) throw new Error(faults.map(({ detail }) => detail).join(' '))
  const arrivals = series.map(arrivalOf)
  const writers = new Map(pieces.map(({ individualId, userId }) => [individualId, userId]))
  return db.transaction().execute(async (trx) => {
    const outcomes = await store(trx, arrivals, ({ individualId }) => ({
      by: writers.get(individualId) as string,
      now,
    }))
    const owners = await ownersOf(trx, [...writers.keys()])
    const changed = arrivals.flatMap((arrival, place) => {
      const outcome = outcomes[place] as Outcome
      const whose = owners.get(arrival.individualId) ?? []
      return outcome.stored + outcome.updated > 0 ? [{ ...arrival, ...outcome, owners: whose }] : []
    })
    await noteLatest(trx, changed)
    if (changed.length > 0) await alertWatcher.written(trx, changed, now)
    return outcomes
  })
}
