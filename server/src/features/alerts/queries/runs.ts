// Where rules stand, and the alerts that are open.

import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/** A rule and someone it watches. */
export interface Pair {
  ruleId: string
  individualId: string
}

export const keyOf = ({ ruleId, individualId }: Pair): string => `${ruleId} ${individualId}`

const pairsOf = (pairs: Pair[]) => sql`unnest(${pairs.map(({ ruleId }) => ruleId)}::uuid[],
  ${pairs.map(({ individualId }) => individualId)}::uuid[]) p (rule_id, individual_id)`

/**
 * Two transactions that write different series of a person decide on its alerts one after the other. In one order, so
 * that they never wait for each other.
 */
export async function lockPairs(db: Database, pairs: Pair[]): Promise<void> {
  const keys = [...new Set(pairs.map(keyOf))].sort()
  await sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) key`.execute(db)
}

/**
 * Those who change a rule wait until what it finds here is written, and clear it then. False when one of them was changed
 * since it was read.
 */
export async function lockRules(db: Database, rules: { id: string; version: string }[]): Promise<boolean> {
  const ids = [...new Set(rules.map(({ id }) => id))]
  const { rows } = await sql<{ id: string; version: string }>`
    select id, xmin::text as version from alert_rules
    where id = any(${ids}::uuid[]) and enabled and deleted_at is null order by id for key share`.execute(db)
  const versions = new Map(rows.map(({ id, version }) => [id, version]))
  return rules.every(({ id, version }) => versions.get(id) === version)
}

export async function standingOf(
  db: Database,
  pairs: Pair[],
): Promise<{ open: (Pair & { id: string; organizationId: string })[]; fired: (Pair & { seriesId: string })[] }> {
  const [open, fired] = await Promise.all([
    sql<Pair & { id: string; organizationId: string }>`
      select a.id, a.organization_id, a.rule_id, a.individual_id from ${pairsOf(pairs)}
      join alerts a using (rule_id, individual_id) where a.state <> 'cleared'`.execute(db),
    sql<Pair & { seriesId: string }>`
      select u.rule_id, u.individual_id, u.series_id::text from ${pairsOf(pairs)}
      join alert_runs u using (rule_id, individual_id) where u.fired`.execute(db),
  ])
  return { open: open.rows, fired: fired.rows }
}

export interface RunRow extends Pair {
  seriesId: string
  since: number | null
  fired: boolean
}

/** A run of which there is nothing left to say is not kept. */
export async function saveRuns(db: Database, runs: RunRow[]): Promise<void> {
  if (runs.length === 0) return
  const isOver = ({ since, fired }: RunRow) => since === null && !fired
  const [over, kept] = [runs.filter(isOver), runs.filter((run) => !isOver(run))]
  const keys = (some: RunRow[]) => sql`unnest(${some.map(({ individualId }) => individualId)}::uuid[],
    ${some.map(({ ruleId }) => ruleId)}::uuid[], ${some.map(({ seriesId }) => seriesId)}::int8[]`
  const removal = sql`delete from alert_runs u using ${keys(over)}) k (individual_id, rule_id, series_id)
    where u.individual_id = k.individual_id and u.rule_id = k.rule_id and u.series_id = k.series_id`
  const keeping = sql`insert into alert_runs (individual_id, rule_id, series_id, since, fired)
    select k.individual_id, k.rule_id, k.series_id, to_timestamp(k.since), k.fired
    from ${keys(kept)}, ${kept.map(({ since }) => since)}::float8[], ${kept.map(({ fired }) => fired)}::bool[])
      k (individual_id, rule_id, series_id, since, fired)
    on conflict (individual_id, rule_id, series_id) do update set since = excluded.since, fired = excluded.fired`
  await Promise.all([
    ...(over.length > 0 ? [removal.execute(db)] : []),
    ...(kept.length > 0 ? [keeping.execute(db)] : []),
  ])
}
