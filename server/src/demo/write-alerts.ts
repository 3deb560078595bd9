// Lets the rules of a made-up clinic look at the last days of its readings, as they would have come in, by the same code
// that looks at points that are pushed; and the staff do something about what fires. All of it is there or nothing.

import { sql } from 'kysely'
import { clearedEvent, evaluateWritten } from '../features/alerts/evaluation.ts'
import { acknowledge, clearAlerts } from '../features/alerts/queries/alerts.ts'
import { insertRule } from '../features/alerts/queries/rules.ts'
import type { Written } from '../features/metrics/ingest.ts'
import type { Points } from '../features/metrics/points.ts'
import { ownersOf } from '../features/metrics/queries/owners.ts'
import { pointsWithin } from '../features/metrics/queries/segments.ts'
import type { Database } from '../platform/db/database.ts'
import { Events } from '../platform/events/events.ts'
import { careFor, demoRules } from './alert-rules.ts'
import { type Monitoring, monitoredPatients } from './metrics.ts'
import { mailHost } from './population.ts'

export interface AlertsOptions extends Monitoring {
  organizationId: string
}

const [HOUR, DAY] = [3600, 86_400]
const DAYS = 14
/** Devices send what they have a few times a day. */
const SENT_EVERY = 3 * HOUR
const PULSE_RULES = 5

/** How many alerts there are, or null when the rules were there before: then readings were looked at when they came. */
export async function writeAlerts(db: Database, options: AlertsOptions): Promise<number | null> {
  const { organizationId, seed, until } = options
  const to = until.getTime() / 1000
  const from = to - DAYS * DAY
  const staff = await staffOf(db, options)
  const [createdBy] = staff
  if (!createdBy) return null
  const indexes = await indexesOf(db, options)
  const all = await seriesOf(db, [...indexes.keys()])
  const measured = [...new Set(all.filter(({ type }) => type === 'Pulse').map(({ individualId }) => individualId))]
  measured.sort((a, b) => (indexes.get(a) as number) - (indexes.get(b) as number))
  const since = new Date(from * 1000)
  const rules = demoRules({ seed, organizationId, createdBy, since }, measured.slice(0, PULSE_RULES))
  const ids = rules.map(({ id }) => id)
  return db.transaction().execute(async (trx) => {
    const there = await trx.selectFrom('alertRules').select('id').where('id', 'in', ids).executeTakeFirst()
    if (there) return null
    for (const rule of rules) await insertRule(trx, rule)
    const watchedTypes = new Set(rules.filter(({ kind }) => kind !== 'no-data').map(({ metricType }) => metricType))
    const arrivals = await arrivalsOf(
      trx,
      all.filter(({ type }) => watchedTypes.has(type)),
      from,
      to,
    )
    for (let sent = from + SENT_EVERY; sent <= to; sent += SENT_EVERY) {
      const now = new Date(sent * 1000)
      const written = arrivals.get(sent)
      if (!written) continue
      await evaluateWritten(trx, written, now)
      await care(trx, { ...options, ids, staff, indexes, now })
    }
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from alerts
      where rule_id = any(${ids}::uuid[])`.execute(trx)
    return rows[0]?.count ?? 0
  })
}

async function staffOf(db: Database, { organizationId, seed }: AlertsOptions): Promise<string[]> {
  const host = mailHost(seed, 'demo.example')
  const { rows } = await sql<{ id: string }>`select u.id from users u join memberships m on m.user_id = u.id
    where m.organization_id = ${organizationId} and m.role <> 'patient' and u.username like ${`%@${host}`}
    order by m.role, length(u.username), u.username limit 5`.execute(db)
  return rows.map(({ id }) => id)
}

/** The individuals who measure something, and which of the made-up patients they are. */
async function indexesOf(db: Database, options: AlertsOptions): Promise<Map<string, number>> {
  const byName = new Map([...monitoredPatients(options)].map(({ patient, index }) => [patient.username, index]))
  const { rows } = await sql<{ individualId: string; username: string }>`
    select u.individual_id, lower(u.username) as username from users u
    join memberships m on m.user_id = u.id and m.organization_id = ${options.organizationId} and m.role = 'patient'
    where lower(u.username) = any(${[...byName.keys()]}::text[])`.execute(db)
  return new Map(rows.map(({ individualId, username }) => [individualId, byName.get(username) as number]))
}

interface Series {
  individualId: string
  id: string
  type: string
  source: string
}

async function seriesOf(db: Database, individualIds: string[]): Promise<Series[]> {
  const { rows } = await sql<Series>`select individual_id, id::text, type, source from metric_series
    where individual_id = any(${individualIds}::uuid[]) order by individual_id, type, source`.execute(db)
  return rows
}

/** What comes at each moment, by seconds. */
async function arrivalsOf(db: Database, all: Series[], from: number, to: number): Promise<Map<number, Written[]>> {
  const owners = await ownersOf(db, [...new Set(all.map(({ individualId }) => individualId))])
  const arrivals = new Map<number, Written[]>()
  for (const { individualId, id: seriesId, type, source } of all) {
    const { times, columns } = await pointsWithin(db, { individualId, seriesId }, from, to - 1)
    const more = { horizon: -Infinity, newFrom: 0, isLate: false, owners: owners.get(individualId) ?? [] }
    for (let at = 0; at < times.length; ) {
      const sent = (Math.floor(((times[at] as number) - from) / SENT_EVERY) + 1) * SENT_EVERY + from
      const next = times.findIndex((time, place) => place >= at && time >= sent)
      const end = next === -1 ? times.length : next
      const points: Points = {
        times: times.slice(at, end),
        columns: columns.map((values) => values.slice(at, end)),
        texts: [],
        offsets: null,
        tags: null,
      }
      const written = { individualId, seriesId, type, source, points, newTo: end - at, ...more }
      arrivals.set(sent, [...(arrivals.get(sent) ?? []), written])
      at = end
    }
  }
  return arrivals
}

interface Caring extends AlertsOptions {
  ids: string[]
  staff: string[]
  indexes: Map<string, number>
  now: Date
}

/** What just fired is taken up, or cleared by hand, or waits. */
async function care(db: Database, { ids, staff, indexes, now, seed, until }: Caring): Promise<void> {
  const fired = await db
    .selectFrom('alerts')
    .select(['id', 'organizationId', 'individualId', 'ruleId', 'ruleName', 'firedAt'])
    .where('ruleId', 'in', ids)
    .where('createdAt', '=', now)
    .where('state', '=', 'open')
    .orderBy('id')
    .execute()
  for (const alert of fired) {
    const { id, organizationId, individualId, ruleId } = alert
    const planned = careFor(seed, indexes.get(individualId) ?? 0, alert.ruleName, alert.firedAt)
    const at = new Date(now.getTime() + (planned.acknowledgedAfter ?? planned.clearedAfter ?? 0) * 60_000)
    if (at >= until) continue
    const by = staff[Math.floor(planned.who * staff.length)] as string
    const note = planned.note ?? undefined
    const events = new Events(db, at)
    if (planned.acknowledgedAfter !== null) {
      await acknowledge(db, id, { by, at, note })
      const data = { alertId: id, ruleId, userId: by }
      await events.publish('metric.alert-acknowledged', { organizationId, individualId, data })
    } else if (planned.clearedAfter !== null) {
      await clearAlerts(db, sql`id = ${id}`, { reason: 'by-hand', at, by, ...(note ? { note } : {}) })
      await events.publish('metric.alert-cleared', clearedEvent(alert, 'by-hand'))
    }
  }
}
