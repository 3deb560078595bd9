// The latest readings of people, in the list of individuals.

import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/** The types whose latest reading is listed. */
export const LISTED_TYPES = [
  'BloodGlucose',
  'BloodPressure',
  'BodyMass',
  'FeelingRating',
  'OxygenSaturation',
  'Pulse',
] as const
const listed = new Set<string>(LISTED_TYPES)

interface Changed {
  individualId: string
  type: string
  source: string
}

/**
 * In the transaction that changed a series, and of that series alone: of others it might know what is no longer so. An
 * older reading never takes the place of a newer one.
 */
export async function noteLatest(db: Database, changed: Changed[]): Promise<void> {
  const some = changed.filter(({ type }) => listed.has(type))
  if (some.length === 0) return
  await sql`insert into listed_readings as r
    select l.organization_id, l.account_type, l.individual_id, s.type, s.last_time,
      coalesce(s.last_point ->> 'value', s.last_point ->> 'systolic')::float8, (s.last_point ->> 'diastolic')::float8,
      s.last_point ->> 'context'
    from (select distinct on (s.individual_id, s.type) s.individual_id, s.type, s.last_time, s.last_point
      from unnest(${some.map(({ individualId }) => individualId)}::uuid[], ${some.map(({ type }) => type)}::text[],
        ${some.map(({ source }) => source)}::text[]) c (individual_id, type, source)
      join metric_series s using (individual_id, type, source)
      order by s.individual_id, s.type, s.last_time desc, s.source) s
    join listed_individuals l on l.individual_id = s.individual_id
    order by l.organization_id, l.account_type, l.individual_id, s.type
    on conflict (organization_id, account_type, individual_id, type) do update
      set time = excluded.time, value = excluded.value, second = excluded.second, context = excluded.context
      where excluded.time >= r.time`.execute(db)
}
