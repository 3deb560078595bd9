// In the transaction of a push: what the rules make of it. A push costs one statement more, and further ones only when
// something crosses.

import { sql } from 'kysely'
import { v7 } from 'uuid'
import type { Database } from '../../platform/db/database.ts'
import { Events, type Happening } from '../../platform/events/events.ts'
import { columnOf, type Written } from '../metrics/index.ts'
import { type Change, evaluate, inOrder, type Run } from './evaluator.ts'
import { insideSince } from './late-readings.ts'
import { clearAlerts, insertAlerts } from './queries/alerts.ts'
import { type MatchedRule, matchingRules, NO_SERIES } from './queries/matching.ts'
import { keyOf, lockPairs, lockRules, type Pair, type RunRow, saveRuns, standingOf } from './queries/runs.ts'
import { messageOf, termsOf, WEIGHTS } from './rule.ts'

const HOUR = 3600
/** A reading that comes later than this fires nothing. */
const LATEST_SECONDS = 24 * HOUR

interface SeriesChange extends Pair, Change {
  rule: MatchedRule
  seriesId: string
  source: string | null
}

export async function evaluateWritten(db: Database, written: Written[], now: Date): Promise<void> {
  if (written.length === 0) return
  const rules = await matchingRules(db, written)
  if (rules.length === 0) return
  const runs: RunRow[] = []
  const changes: SeriesChange[] = []
  for (const rule of rules) {
    const one = written[rule.place] as Written
    const judged = rule.kind === 'no-data' ? endOfSilence(rule, one, now) : await judge(db, rule, one, now)
    if (!judged) continue
    const seriesId = rule.kind === 'no-data' ? NO_SERIES : one.seriesId
    const pair = { ruleId: rule.id, individualId: one.individualId }
    if (judged.run.since !== rule.since || judged.run.fired !== (rule.fired ?? false))
      runs.push({ ...pair, seriesId, ...judged.run })
    for (const change of judged.changes) changes.push({ ...pair, ...change, rule, seriesId, source: one.source })
  }
  const found = new Set([...runs, ...changes].map(({ ruleId }) => ruleId))
  if (found.size === 0) return
  // A rule that was changed in this moment is asked anew, as it is now.
  const areSame = await lockRules(
    db,
    rules.filter(({ id }) => found.has(id)),
  )
  if (!areSame) return evaluateWritten(db, written, now)
  if (changes.length > 0) await lockPairs(db, changes)
  await saveRuns(db, runs)
  if (changes.length > 0) await apply(db, changes, now)
}

interface Judged {
  run: Run
  changes: Change[]
}

/** By a reading that is not too old itself. */
function endOfSilence(rule: MatchedRule, { points, newFrom, newTo }: Written, now: Date): Judged | null {
  const last = points.times[newTo - 1]
  const value = Number.NaN
  if (!rule.fired || last === undefined || newFrom === newTo) return null
  if (last < now.getTime() / 1000 - (rule.period as number) * HOUR) return null
  return { run: { since: null, fired: false }, changes: [{ kind: 'clear', time: last, value }] }
}

async function judge(db: Database, rule: MatchedRule, one: Written, now: Date): Promise<Judged | null> {
  const terms = termsOf(rule)
  if (!terms) return null
  const values = columnOf(one.type, one.points, rule.field as string)
  const seconds = now.getTime() / 1000
  const { effectiveFrom } = rule
  let since = rule.since
  // What came late fires nothing, but it may break a run, or lengthen it.
  if (terms.kind === 'range' && one.isLate)
    since = await insideSince(db, terms, one, rule.field as string, effectiveFrom)
  const run = { since, fired: rule.fired ?? false }
  const readings = { times: one.points.times, values, start: one.newFrom, end: one.newTo }
  return evaluate(terms, run, readings, { effectiveFrom, oldest: seconds - LATEST_SECONDS })
}

/**
 * One open alert for each rule and person: it opens with the first series beyond, and clears when none is any more. The
 * changes of all series are taken in the order of their times.
 */
async function apply(db: Database, changes: SeriesChange[], now: Date): Promise<void> {
  const standing = await standingOf(db, changes)
  const open = new Map(standing.open.map((alert) => [keyOf(alert), alert.id]))
  const beyond = Map.groupBy(standing.fired, keyOf)
  const seriesBeyond = new Map([...beyond].map(([key, all]) => [key, new Set(all.map(({ seriesId }) => seriesId))]))
  const made = new Map<string, ReturnType<typeof alertOf>>()
  const ended = new Set<string>()
  const told: (Fired | Cleared)[] = []
  // The runs are saved already: what this push changed is taken out, to be put in again change by change.
  for (const change of changes) seriesBeyond.get(keyOf(change))?.delete(change.seriesId)
  for (const change of startingBeyond(changes)) setOf(seriesBeyond, keyOf(change)).add(change.seriesId)
  for (const change of inOrder(changes)) {
    const key = keyOf(change)
    const all = setOf(seriesBeyond, key)
    const there = open.get(key)
    if (change.kind === 'fire') {
      all.add(change.seriesId)
      if (there) continue
      const alert = alertOf(change, now)
      made.set(alert.id, alert)
      open.set(key, alert.id)
      told.push({ kind: 'metric.alert-fired', happening: firedEvent(alert) })
    } else {
      all.delete(change.seriesId)
      if (!there || all.size > 0) continue
      open.delete(key)
      const alert = made.get(there)
      if (alert) Object.assign(alert, { state: 'cleared', clearedAt: now, clearReason: 'readings' })
      else ended.add(there)
      const happening = clearedEvent({ ...change, id: there, organizationId: change.rule.organizationId }, 'readings')
      told.push({ kind: 'metric.alert-cleared', happening })
    }
  }
  // Of those that were there before, someone may be clearing one by hand in this moment.
  if (ended.size > 0) {
    const how = { reason: 'readings', at: now, by: null } as const
    for (const { id } of await clearAlerts(db, sql`id = any(${[...ended]}::uuid[])`, how)) ended.delete(id)
  }
  await insertAlerts(db, [...made.values()])
  await tell(
    new Events(db, now),
    told.filter(({ kind, happening }) => kind === 'metric.alert-fired' || !ended.has(happening.data.alertId)),
  )
}

interface Fired {
  kind: 'metric.alert-fired'
  happening: Happening<'metric.alert-fired'>
}
interface Cleared {
  kind: 'metric.alert-cleared'
  happening: Happening<'metric.alert-cleared'>
}

/** In the order in which it happened; of one kind, as many as come together at once. */
async function tell(events: Events, told: (Fired | Cleared)[]): Promise<void> {
  for (let at = 0; at < told.length; ) {
    const { kind } = told[at] as Fired | Cleared
    const next = told.findIndex((one, place) => place > at && one.kind !== kind)
    const some = told.slice(at, next === -1 ? told.length : next)
    await events.publishAll(
      kind,
      some.map(({ happening }) => happening as Happening<typeof kind>),
    )
    at += some.length
  }
}

/** Series whose first change here is to clear were beyond before. */
function startingBeyond(changes: SeriesChange[]): SeriesChange[] {
  const first = new Map<string, SeriesChange>()
  for (const change of changes) {
    const key = `${keyOf(change)} ${change.seriesId}`
    if (!first.has(key)) first.set(key, change)
  }
  return [...first.values()].filter(({ kind }) => kind === 'clear')
}

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  let set = sets.get(key)
  if (!set) {
    set = new Set()
    sets.set(key, set)
  }
  return set
}

interface Firing extends Pair {
  rule: MatchedRule
  source: string | null
  time: number
  value: number
}

export function alertOf({ rule, ruleId, individualId, source, time, value }: Firing, now: Date) {
  const said = Number.isNaN(value) ? null : value
  return {
    organizationId: rule.organizationId,
    id: v7(),
    ruleId,
    individualId,
    ruleName: rule.name,
    kind: rule.kind,
    metricType: rule.metricType,
    field: rule.field,
    severity: rule.severity,
    weight: WEIGHTS[rule.severity],
    state: 'open' as const,
    source,
    value: said,
    message: messageOf(rule, said),
    direction: rule.direction,
    threshold: rule.threshold,
    rangeFrom: rule.rangeFrom,
    rangeTo: rule.rangeTo,
    period: rule.period,
    firedAt: new Date(time * 1000),
    createdAt: now,
  }
}

export const firedEvent = (alert: ReturnType<typeof alertOf>): Happening<'metric.alert-fired'> => {
  const { organizationId, individualId, id: alertId, ruleId, ruleName, severity, metricType, field, value } = alert
  const { message, firedAt } = alert
  const data = { alertId, ruleId, ruleName, severity, metricType, field, value, message, firedAt }
  return { organizationId, individualId, data }
}

type Reason = 'readings' | 'by-hand' | 'rule-changed'

export const clearedEvent = (
  alert: { id: string; organizationId: string; ruleId: string; individualId: string },
  reason: Reason,
): Happening<'metric.alert-cleared'> => ({
  organizationId: alert.organizationId,
  individualId: alert.individualId,
  data: { alertId: alert.id, ruleId: alert.ruleId, reason },
})
