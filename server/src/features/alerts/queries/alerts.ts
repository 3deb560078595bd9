import type { AnswerOf, InputOf, Page } from '@almoner/contract'
import type { getAlert, listAlerts } from '@almoner/contract/alerts/alerts'
import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import { textHolds, valueHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'
import { pageOf } from '../../../platform/db/paging.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { type ClearReason, withTerms } from '../rule.ts'

export type Alert = AnswerOf<typeof getAlert>

const isAlertSeen = (sight: Sight): RawBuilder<SqlBool> =>
  isSeen(sight, sql`alerts.organization_id`, sql`alerts.individual_id`)

const shownAlerts = (db: Database) =>
  db
    .selectFrom('alerts')
    .innerJoin('individuals as person', 'person.id', 'alerts.individualId')
    .selectAll('alerts')
    .select(['person.firstName', 'person.lastName'])

type ShownRow = Awaited<ReturnType<ReturnType<typeof shownAlerts>['executeTakeFirstOrThrow']>>

const shown = ({ firstName, lastName, weight: _, ...alert }: ShownRow): Alert => ({
  ...withTerms(alert),
  individual: { firstName, lastName },
})

export async function alertsPage(
  db: Database,
  sight: Sight,
  reach: string[],
  { filter, sort, page }: InputOf<typeof listAlerts>,
): Promise<Page<Alert>> {
  let query = shownAlerts(db)
    .where(sql<SqlBool>`alerts.organization_id = any(${reach}::uuid[])`)
    .where(isAlertSeen(sight))
  const at = (column: string) => sql.ref(`alerts.${column}`)
  if (filter.state) query = query.where(textHolds(at('state'), filter.state))
  if (filter.severity) query = query.where(textHolds(at('severity'), filter.severity))
  if (filter.metricType) query = query.where(textHolds(at('metric_type'), filter.metricType))
  if (filter.individualId) query = query.where(valueHolds(at('individual_id'), filter.individualId))
  if (filter.ruleId) query = query.where(valueHolds(at('rule_id'), filter.ruleId))
  if (filter.cmpFiredAt) query = query.where(valueHolds(at('fired_at'), filter.cmpFiredAt))
  for (const { field, descending } of sort)
    query = query.orderBy(field === 'severity' ? 'alerts.weight' : 'alerts.firedAt', descending ? 'desc' : 'asc')
  // Of the same moment or weight the newer is first, whichever way it goes.
  query = query.orderBy('alerts.firedAt', 'desc').orderBy('alerts.id', 'desc')
  const { items, total } = await pageOf(query, page)
  return { items: items.map(shown), total }
}

export async function findAlert(db: Database, sight: Sight, id: string): Promise<Alert | undefined> {
  const row = await shownAlerts(db).where('alerts.id', '=', id).where(isAlertSeen(sight)).executeTakeFirst()
  return row && shown(row)
}

export async function insertAlerts(db: Database, alerts: Insertable<Tables['alerts']>[]): Promise<void> {
  if (alerts.length > 0) await db.insertInto('alerts').values(alerts).execute()
}

export interface ClearedAlert {
  id: string
  organizationId: string
  ruleId: string
  individualId: string
}

/** Answers those that it cleared: another may have been quicker. */
export async function clearAlerts(
  db: Database,
  which: RawBuilder<SqlBool>,
  how: { reason: ClearReason; at: Date; by: string | null; note?: string },
): Promise<ClearedAlert[]> {
  const { rows } = await sql<ClearedAlert>`update alerts set state = 'cleared', cleared_at = ${how.at},
      cleared_by = ${how.by}, clear_reason = ${how.reason}, note = coalesce(${how.note ?? null}, note)
    where state <> 'cleared' and ${which} returning id, organization_id, rule_id, individual_id`.execute(db)
  return rows
}

/** False when it was not open any more. */
export async function acknowledge(
  db: Database,
  id: string,
  { by, at, note }: { by: string; at: Date; note: string | undefined },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alerts')
    .set({ state: 'acknowledged', acknowledgedAt: at, acknowledgedBy: by, ...(note === undefined ? {} : { note }) })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
