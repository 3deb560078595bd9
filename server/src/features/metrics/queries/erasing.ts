import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { LISTED_TYPES } from './latest.ts'

const HOLDING = ['metric_segments', 'metric_points', 'metric_replaced_points'] as const

/** Everything that was ever measured of a person. Writers are waited for, wait themselves, and then begin anew. */
export async function eraseSeries(db: Database, individualId: string): Promise<void> {
  await sql`select from individuals where id = ${individualId} for update`.execute(db)
  for (const table of HOLDING)
    await sql`delete from ${sql.table(table)} where individual_id = ${individualId}`.execute(db)
  await db.deleteFrom('metricSeries').where('individualId', '=', individualId).execute()
  await sql`delete from listed_readings where individual_id = ${individualId}`.execute(db)
}

/**
 * When one record goes into another, and both are locked, its series go with it. Where the other has one of the same source, the name says
 * that this one came with the merger.
 */
export async function moveSeries(db: Database, from: string, into: string): Promise<void> {
  await sql`update metric_series s set source = left(s.source, 200) || ' (merged ' || s.id || ')'
    where s.individual_id = ${from} and exists (select from metric_series other
      where other.individual_id = ${into} and other.type = s.type and other.source = s.source)`.execute(db)
  for (const table of [...HOLDING, 'metric_series'] as const)
    await sql`update ${sql.table(table)} set individual_id = ${into} where individual_id = ${from}`.execute(db)
  await sql`delete from listed_readings where individual_id = any(${[from, into]}::uuid[])`.execute(db)
  await sql`insert into listed_readings select r.* from (select distinct type from metric_series
      where individual_id = ${into}) s cross join lateral readings_of(${into}, s.type) r
    where s.type = any(${LISTED_TYPES}::text[])`.execute(db)
}
