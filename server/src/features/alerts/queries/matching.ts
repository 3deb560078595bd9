// Which rules can match what was written, and where each stands.

import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { Written } from '../../metrics/index.ts'
import type { RuleRow } from '../rule.ts'

export type MatchedRule = Omit<
  RuleRow,
  'notify' | 'worklistEntry' | 'enabled' | 'createdAt' | 'createdBy' | 'lastModifiedAt' | 'deletedAt' | 'effectiveFrom'
> & {
  /** Which of the written series it is about, counted from 0. */
  place: number
  /** Which version of the row this is: whoever changes it makes another. */
  version: string
  effectiveFrom: number
  since: number | null
  fired: boolean | null
}

/** Silence is of a person and not of a series. */
export const NO_SERIES = '0'

/**
 * By the index of targets alone: the person, the organizations, and the groups with those above them. Thousands of
 * rules for other people are not looked at.
 */
export async function matchingRules(db: Database, written: Written[]): Promise<MatchedRule[]> {
  const plain = written.flatMap(({ individualId, owners }, place) => [
    { place, id: individualId },
    ...owners.map(({ organizationId }) => ({ place, id: organizationId })),
  ])
  const groups = written.flatMap(({ owners }, place) =>
    owners.flatMap(({ groupIds }) => groupIds.map((id) => ({ place, id }))),
  )
  const pairs = (some: { place: number; id: string }[]) =>
    sql`unnest(${some.map(({ place }) => place)}::int4[], ${some.map(({ id }) => id)}::uuid[])`
  const { rows } = await sql<MatchedRule>`
    with recursive up (place, id) as (
      select * from ${pairs(groups)}
      union select up.place, g.parent_group_id from up join individual_groups g on g.id = up.id
      where g.parent_group_id is not null)
    select t.place, r.xmin::text as version, r.organization_id, r.id, r.name, r.target_id, r.target, r.metric_type, r.field, r.kind, r.direction,
      r.threshold, r.clear_threshold, r.range_from, r.range_to, r.period, r.severity,
      extract(epoch from r.effective_from)::float8 as effective_from, extract(epoch from u.since)::float8 as since, u.fired
    from (select * from ${pairs(plain)} union all select * from up) t (place, id)
    join unnest(${written.map(({ individualId }) => individualId)}::uuid[],
      ${written.map(({ seriesId }) => seriesId)}::int8[], ${written.map(({ type }) => type)}::text[])
      with ordinality w (individual_id, series_id, type, nth) on w.nth = t.place + 1
    join alert_rules r on r.target_id = t.id and r.metric_type = w.type and r.enabled and r.deleted_at is null
    left join alert_runs u on u.individual_id = w.individual_id and u.rule_id = r.id
      and u.series_id = case r.kind when 'no-data' then 0 else w.series_id end`.execute(db)
  // Someone who left an organization is no longer watched by its rules.
  return rows.filter(({ place, organizationId }) =>
    written[place]?.owners.some((owner) => owner.organizationId === organizationId),
  )
}
