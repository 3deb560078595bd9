// What alert rules cost those who push points: 10,000 rules over 5,000 people, switched on and off round by round.

import { connectPool } from '@almoner/server/platform/db/database'
import type pg from 'pg'
import { pino } from 'pino'
import { contest } from './contest.ts'
import { pushed } from './ingest.ts'
import { makePatients } from './patients.ts'
import { batches, POINTS_A_REQUEST } from './points.ts'
import { startBenchService } from './service.ts'

const PEOPLE = 5000
const LANES = 8
const HOUR_MS = 3_600_000

export async function alertsBenchmark(): Promise<void> {
  const service = await startBenchService()
  const log = pino({ level: 'silent' })
  const pool = connectPool({ url: service.databaseUrl, poolSize: 4, statementTimeoutMs: 0, log })
  try {
    const ids = await makePatients(pool, PEOPLE)
    await makeRules(pool, ids, service.userId)
    // Of the last day and by the second, so that rules take every point seriously.
    const next = batches(ids, 0, { start: Date.now() - 23 * HOUR_MS, stepMs: 1000 })
    const round = (isWithRules: boolean) => async () => {
      await pool.query('update alert_rules set enabled = $1', [isWithRules])
      return POINTS_A_REQUEST * (await pushed(service, LANES, next))
    }
    await contest(`Points in requests of ${POINTS_A_REQUEST}, ${LANES} connections`, 'points a second', [
      { name: `with ${2 * PEOPLE} rules over ${PEOPLE} people`, round: round(true) },
      { name: 'without rules', round: round(false) },
    ])
    const { rows } = await pool.query('select count(*)::int as count from alerts')
    console.log(`${rows[0].count} alerts were fired.`)
  } finally {
    await pool.end()
    await service.stop()
  }
}

/** For each person a threshold that is crossed now and then, and a range that is entered and left all the time. */
async function makeRules(pool: pg.Pool, ids: string[], userId: string): Promise<void> {
  await pool.query(
    `insert into alert_rules (organization_id, id, name, target_id, target, metric_type, field, kind, direction, threshold,
       range_from, range_to, period, severity, notify, enabled, effective_from, created_at, created_by, last_modified_at)
     select (select id from organizations order by created_at limit 1), gen_random_uuid(), 'Bench', person, 'individual',
       'Pulse', 'value', kind, case kind when 'watermark' then 'above' end, case kind when 'watermark' then 91 end,
       case kind when 'range' then 60 end, case kind when 'range' then 80 end, case kind when 'range' then 60 end,
       'warning', '{"individualIds": [], "groupIds": [], "patient": false, "channels": ["in-app"]}', true,
       now() - interval '2 days', now(), $2, now()
     from unnest($1::uuid[]) person cross join unnest(array['watermark', 'range']) kind`,
    [ids, userId],
  )
  await pool.query('analyze alert_rules')
}
