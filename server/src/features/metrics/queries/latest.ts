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
}

/** In the transaction that changed a series. An older reading never takes the place of a newer one. */
export async function noteLatest(db: Database, changed: Changed[]): Promise<void> {
  const some = changed.filter(({ type }) => listed.has(type))
  if (some.length === 0) return
  await sql`insert into listed_readings as r
    select distinct v.* from unnest(${some.map(({ individualId }) => individualId)}::uuid[],
      ${some.map(({ type }) => type)}::text[]) c (individual_id, type)
    cross join lateral readings_of(c.individual_id, c.type) v
    order by v.organization_id, v.account_type, v.individual_id, v.type
    on conflict (organization_id, account_type, individual_id, type) do update
      set time = excluded.time, value = excluded.value, second = excluded.second, context = excluded.context
      where excluded.time >= r.time`.execute(db)
}
