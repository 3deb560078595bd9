// Which alerts a rule would have fired on what is stored.

import type { AnswerOf } from '@almoner/contract'
import type { dryRunAlertRule } from '@almoner/contract/alerts/alert-rules'
import type { Sight } from '../../platform/auth/sight.ts'
import type { Database } from '../../platform/db/database.ts'
import { columnOf, pointsWithin } from '../metrics/index.ts'
import { type Change, evaluate, inOrder, NO_RUN } from './evaluator.ts'
import { individualsInScope, type ScopeSeries, seriesInScope } from './queries/scope.ts'
import { termsOf, type Watched, watchedColumns } from './rule.ts'

type Answer = AnswerOf<typeof dryRunAlertRule>
type Found = Answer['alerts'][number]

interface Scope {
  organizationId: string
  sight: Sight
  days: number
  now: Date
  /** Readings that are looked at before it stops. */
  mostReadings?: number
}

const MOST_LISTED = 1000
/** Some seconds of work. */
const MOST_READINGS = 5_000_000
const INDIVIDUALS_AT_ONCE = 200
const DAY_SECONDS = 86_400

export async function dryRun(db: Database, scope: Scope, watched: Watched): Promise<Answer> {
  const to = Math.floor(scope.now.getTime() / 1000)
  const from = to - scope.days * DAY_SECONDS
  const rule = watchedColumns(scope.organizationId, watched)
  const mostReadings = scope.mostReadings ?? MOST_READINGS
  const inScope = await individualsInScope(db, scope.sight, scope.organizationId, rule)
  const found: Found[] = []
  let [lookedAt, readings] = [0, 0]
  while (lookedAt < inScope.length && readings < mostReadings) {
    const some = inScope.slice(lookedAt, lookedAt + INDIVIDUALS_AT_ONCE)
    const ids = some.map(({ id }) => id)
    const all = Map.groupBy(await seriesInScope(db, ids, rule.metricType, from), ({ individualId }) => individualId)
    for (const { id: individualId, came } of some) {
      if (readings >= mostReadings) break
      const times: { source: string; times: number[]; values: number[] }[] = []
      for (const series of all.get(individualId) ?? []) {
        const points = await readingsOf(db, series, from, to)
        readings += points.times.length
        const values = rule.field ? columnOf(rule.metricType, points, rule.field) : []
        times.push({ source: series.source, times: points.times, values })
      }
      found.push(
        ...(watched.kind === 'no-data'
          ? silences(watched, individualId, times, Math.max(from, Math.floor(came)), to)
          : crossings(watched, individualId, times, scope.organizationId)),
      )
      lookedAt++
    }
  }
  found.sort((a, b) => b.firedAt.getTime() - a.firedAt.getTime())
  return {
    alerts: found.slice(0, MOST_LISTED),
    total: found.length,
    individualsWithAlerts: new Set(found.map(({ individualId }) => individualId)).size,
    individualsLookedAt: lookedAt,
    individualsInScope: inScope.length,
    isComplete: lookedAt === inScope.length,
    from: new Date(from * 1000),
    to: new Date(to * 1000),
  }
}

const readingsOf = (db: Database, { individualId, id }: ScopeSeries, from: number, to: number) =>
  pointsWithin(db, { individualId, seriesId: id }, from, to)

interface Readings {
  source: string
  times: number[]
  values: number[]
}

/** As the evaluation does it: one open at a time, from the first series beyond until none is. */
function crossings(watched: Watched, individualId: string, all: Readings[], organizationId: string): Found[] {
  const terms = termsOf(watchedColumns(organizationId, watched))
  if (!terms) return []
  const always = { effectiveFrom: -Infinity, oldest: -Infinity }
  const changes: (Change & { source: string })[] = all.flatMap(({ source, times, values }) =>
    evaluate(terms, NO_RUN, { times, values, start: 0, end: times.length }, always).changes.map((change) => ({
      ...change,
      source,
    })),
  )
  const found: Found[] = []
  const beyond = new Set<string>()
  let open: Found | null = null
  for (const { kind, time, value, source } of inOrder(changes)) {
    if (kind === 'fire') {
      beyond.add(source)
      if (open) continue
      open = { individualId, source, value, firedAt: new Date(time * 1000), clearedAt: null }
      found.push(open)
    } else {
      beyond.delete(source)
      if (!open || beyond.size > 0) continue
      open.clearedAt = new Date(time * 1000)
      open = null
    }
  }
  return found
}

/** Gaps between readings of whatever source; someone who has none at all is silent since they came. */
function silences({ hours }: Watched, individualId: string, all: Readings[], from: number, to: number): Found[] {
  const longest = (hours as number) * 3600
  const times = [from, ...all.flatMap((one) => one.times).filter((time) => time > from)].sort((a, b) => a - b)
  return times.flatMap((time, place) => {
    const next = times[place + 1]
    if ((next ?? to) - time < longest) return []
    const firedAt = new Date((time + longest) * 1000)
    return [{ individualId, source: null, value: null, firedAt, clearedAt: next ? new Date(next * 1000) : null }]
  })
}
