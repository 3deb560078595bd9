import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { MatchedRule } from './matching.ts'
import { isWatched } from './scope.ts'

export type SilenceRule = MatchedRule

export async function rulesOfSilence(db: Database): Promise<SilenceRule[]> {
  const { rows } =
    await sql<SilenceRule>`select 0 as place, xmin::text as version, organization_id, id, name, target_id, target, metric_type,
      field, kind, direction, threshold, clear_threshold, range_from, range_to, period, severity,
      extract(epoch from effective_from)::float8 as effective_from, null::float8 as since, null::bool as fired
    from alert_rules where kind = 'no-data' and enabled and deleted_at is null order by id`.execute(db)
  return rows
}

/**
 * Those who have been silent for too long, since their last reading, since the rule began, or since they came. They are
 * locked, so that a reading which is just being written is waited for and seen, and the next one finds the alert.
 */
export async function silentIndividuals(
  db: Database,
  rule: SilenceRule,
  now: Date,
  limit: number,
): Promise<{ individualId: string; since: number }[]> {
  const seconds = now.getTime() / 1000
  const until = seconds - (rule.period as number) * 3600
  if (rule.effectiveFrom > until) return []
  const { rows } = await sql<{ individualId: string; came: number }>`
    select l.individual_id, extract(epoch from l.created_time)::float8 as came from listed_individuals l
    where l.organization_id = ${rule.organizationId} and l.account_type = 'regular' and l.state <> 'archived'
      and l.created_time <= to_timestamp(${until}) and ${isWatched(rule)}
      and not exists (select from alert_runs u where u.individual_id = l.individual_id and u.rule_id = ${rule.id}
        and u.series_id = 0)
      and not exists (select from metric_series s where s.individual_id = l.individual_id
        and s.type = ${rule.metricType} and s.trusted_time > to_timestamp(${until}))
    order by l.individual_id limit ${sql.lit(limit)}`.execute(db)
  if (rows.length === 0) return []
  const ids = rows.map(({ individualId }) => individualId)
  await sql`select from individuals where id = any(${ids}::uuid[]) order by id for update`.execute(db)
  const { rows: series } = await sql<{ individualId: string; last: number }>`
    select individual_id, extract(epoch from trusted_time)::float8 as last from metric_series
    where individual_id = any(${ids}::uuid[]) and type = ${rule.metricType} and trusted_time is not null`.execute(db)
  const last = Map.groupBy(series, ({ individualId }) => individualId)
  return rows
    .map(({ individualId, came }) => {
      const times = (last.get(individualId) ?? []).map((one) => one.last)
      return { individualId, since: Math.floor(Math.max(rule.effectiveFrom, came, ...times)) }
    })
    .filter(({ since }) => since <= until)
}
