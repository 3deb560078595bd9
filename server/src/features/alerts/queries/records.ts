// What becomes of someone's alerts when the record does not stay what it was.

import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { Events } from '../../../platform/events/events.ts'
import { forgetNotifications } from '../../notifications/index.ts'
import { clearedEvent } from '../evaluation.ts'
import { clearAlerts } from './alerts.ts'

/** With the readings goes what was made of them, and what was told of them. That something happened stays known. */
export async function eraseAlerts(db: Database, individualId: string): Promise<void> {
  await sql`update events set data = data || '{"value": null, "message": ""}'
    where individual_id = ${individualId} and kind = 'metric.alert-fired'`.execute(db)
  await forgetNotifications(db, individualId, 'alert.fired')
  await db.deleteFrom('alertRuns').where('individualId', '=', individualId).execute()
  await db.deleteFrom('alerts').where('individualId', '=', individualId).execute()
}

/** When one record goes into another, after its series: of two open alerts of a rule the kept record's stays open. */
export async function moveAlerts(db: Database, from: string, into: string, now: Date): Promise<void> {
  const isTwice = sql<SqlBool>`individual_id = ${from} and rule_id in (select other.rule_id from alerts other
    where other.individual_id = ${into} and other.state <> 'cleared')`
  const cleared = await clearAlerts(db, isTwice, { reason: 'rule-changed', at: now, by: null })
  await new Events(db, now).publishAll(
    'metric.alert-cleared',
    cleared.map((alert) => clearedEvent({ ...alert, individualId: into }, 'rule-changed')),
  )
  await sql`update alerts set individual_id = ${into} where individual_id = ${from}`.execute(db)
  await sql`delete from alert_runs u where u.individual_id = ${from} and exists (select from alert_runs other
    where other.individual_id = ${into} and other.rule_id = u.rule_id and other.series_id = u.series_id)`.execute(db)
  await sql`update alert_runs set individual_id = ${into} where individual_id = ${from}`.execute(db)
  // Rules that were for the one are for the other.
  await sql`update alert_rules set target_id = ${into} where target = 'individual' and target_id = ${from}`.execute(db)
}
