// The list of individuals and its counts are copies, kept by the database. Here they are held against the originals,
// and the rows of changes that counts are sums of are added up.

import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { task } from '../../platform/queue/queue.ts'
import { LISTED_TYPES } from '../metrics/index.ts'

const KEY = sql`organization_id, account_type, individual_id`
const KIND = sql`organization_id, account_type, state, registered, registration_invite, email_verified, phone_verified`

export interface Differences {
  compared: number
  missing: number
  leftOver: number
  outdated: number
  /** In how many of the outdated rows each column differs. */
  columns: { column: string; rows: number }[]
  counts: number
  groupCounts: number
  /** Latest readings that are not those of their series. */
  readings: number
}

/** Each comparison is one statement, so that what others write meanwhile is not found different. */
export function checkListing(db: Database, isMended: boolean): Promise<Differences> {
  return db.transaction().execute(async (trx) => {
    const differences = await compareRows(trx)
    if (isMended) await sql`select relist(array(select individual_id from different))`.execute(trx)
    return { ...differences, ...(await compareCounts(trx, isMended)), readings: await compareReadings(trx, isMended) }
  })
}

async function compareRows(db: Database) {
  await sql`create temporary table different on commit drop as
    select coalesce(v.individual_id, l.individual_id) as individual_id, to_jsonb(v) as original, to_jsonb(l) as copy
    from individuals_to_list v full join listed_individuals l using (${KEY})
    where row(v.*) is distinct from row(l.*)`.execute(db)
  const { rows } = await sql<Record<'compared' | 'missing' | 'leftOver' | 'outdated', number>>`
    select (select count(*) from listed_individuals)::int as compared,
      count(*) filter (where copy is null)::int as missing, count(*) filter (where original is null)::int as left_over,
      count(*) filter (where copy is not null and original is not null)::int as outdated from different`.execute(db)
  const { rows: columns } = await sql<{ column: string; rows: number }>`
    select o.key as column, count(*)::int as rows
    from different d, jsonb_each(d.original) o, jsonb_each(d.copy) c
    where c.key = o.key and c.value is distinct from o.value group by o.key order by o.key`.execute(db)
  const [found = { compared: 0, missing: 0, leftOver: 0, outdated: 0 }] = rows
  return { ...found, columns }
}

/** Of two sources that measured at the same moment either may be the latest. */
async function compareReadings(db: Database, isMended: boolean): Promise<number> {
  await sql`create temporary table wrong_readings on commit drop as
    select coalesce(r.individual_id, e.individual_id) as individual_id, coalesce(r.type, e.type) as type
    from (select of.* from (select distinct individual_id, type from metric_series
        where type = any(${LISTED_TYPES}::text[])) s cross join lateral readings_of(s.individual_id, s.type) of) e
    full join listed_readings r using (organization_id, account_type, individual_id, type)
    where e.time is distinct from r.time or not exists (
      select from metric_series s where s.individual_id = r.individual_id and s.type = r.type and s.last_time = r.time
        and coalesce(s.last_point ->> 'value', s.last_point ->> 'systolic')::float8 = r.value
        and (s.last_point ->> 'diastolic')::float8 is not distinct from r.second
        and s.last_point ->> 'context' is not distinct from r.context)
      or (r.type = 'BloodGlucose' and r.state is distinct from classify(r.organization_id, r.type, 'value', r.value, r.context))
      or (r.type = 'BloodPressure' and (r.state, r.second_state) is distinct from
        (classify(r.organization_id, r.type, 'systolic', r.value, null),
        classify(r.organization_id, r.type, 'diastolic', r.second, null)))`.execute(db)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from wrong_readings`.execute(db)
  if (isMended) {
    await sql`delete from listed_readings r using wrong_readings w
      where r.individual_id = w.individual_id and r.type = w.type`.execute(db)
    await sql`insert into listed_readings select of.* from (select distinct individual_id, type from wrong_readings) w
      cross join lateral readings_of(w.individual_id, w.type) of on conflict do nothing`.execute(db)
  }
  return rows[0]?.count ?? 0
}

/** What is wrong is mended by one more change, as everything else that is counted. */
async function compareCounts(db: Database, isMended: boolean): Promise<{ counts: number; groupCounts: number }> {
  const wrongCounts = sql`select ${KIND}, is_assigned, sum(change)::int as change from (
      select ${KIND}, group_ids <> '{}' as is_assigned, 1 as change from listed_individuals
      union all select ${KIND}, is_assigned, -change from listed_counts) changes
    group by ${KIND}, is_assigned having sum(change) <> 0`
  const wrongGroups = sql`select group_id, sum(change)::int as change from (
      select unnest(group_ids) as group_id, 1 as change from listed_individuals where state <> 'archived'
      union all select group_id, -change from group_counts) changes
    group by group_id having sum(change) <> 0`
  const countOf = async (rows: ReturnType<typeof sql>, table: ReturnType<typeof sql>) => {
    const mended = isMended ? sql`with rows as (insert into ${table} ${rows} returning 1)` : sql`with rows as (${rows})`
    const answer = await sql<{ count: number }>`${mended} select count(*)::int as count from rows`.execute(db)
    return answer.rows[0]?.count ?? 0
  }
  return {
    counts: await countOf(wrongCounts, sql`listed_counts`),
    groupCounts: await countOf(wrongGroups, sql`group_counts`),
  }
}

const MOST_CHANGES = 200
const MOST_GROUP_CHANGES = 20

/** Sums read few rows, however much has changed. Two workers at once delete each row only once. */
export const addUpCounts = task({
  name: 'add-up-counts',
  cron: '* * * * *',
  async run(_, { db }) {
    await sql`with changes as (
        delete from listed_counts where organization_id in (
          select organization_id from listed_counts group by 1 having count(*) > ${MOST_CHANGES}) returning *)
      insert into listed_counts select ${KIND}, is_assigned, sum(change) from changes
      group by ${KIND}, is_assigned having sum(change) <> 0`.execute(db)
    await sql`with changes as (
        delete from group_counts where group_id in (
          select group_id from group_counts group by 1 having count(*) > ${MOST_GROUP_CHANGES}) returning *)
      insert into group_counts select group_id, sum(change) from changes
      group by group_id having sum(change) <> 0`.execute(db)
  },
})
