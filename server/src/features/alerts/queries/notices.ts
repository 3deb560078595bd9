import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { Notify, RuleRow } from '../rule.ts'

export interface FiredAlert
  extends Pick<
    RuleRow,
    | 'metricType'
    | 'field'
    | 'kind'
    | 'direction'
    | 'threshold'
    | 'clearThreshold'
    | 'rangeFrom'
    | 'rangeTo'
    | 'period'
    | 'severity'
  > {
  organizationId: string
  id: string
  individualId: string
  ruleName: string
  value: number | null
  firstName: string
  lastName: string
  channels: Notify['channels']
  recipientIds: string[]
}

/** With everyone its rule tells: those it names, the staff of the groups it names, and the patient if it says so. */
export async function firedAlerts(db: Database, ids: string[]): Promise<FiredAlert[]> {
  const { rows } = await sql<FiredAlert>`
    select a.organization_id, a.id, a.individual_id, a.rule_name, a.value, a.severity, a.metric_type, a.field, a.kind,
      r.direction, r.threshold, r.clear_threshold, r.range_from, r.range_to, r.period,
      i.first_name, i.last_name, array(select jsonb_array_elements_text(r.notify -> 'channels')) as channels,
      array(
        select value::uuid from jsonb_array_elements_text(r.notify -> 'individualIds')
        union
        select u.individual_id from group_staff s join users u on u.id = s.user_id
        where s.group_id in (select value::uuid from jsonb_array_elements_text(r.notify -> 'groupIds'))
        union
        select a.individual_id where (r.notify ->> 'patient')::bool) as recipient_ids
    from alerts a join alert_rules r on r.id = a.rule_id join individuals i on i.id = a.individual_id
    where a.id = any(${ids}::uuid[])
    order by a.created_at, a.id`.execute(db)
  return rows
}
