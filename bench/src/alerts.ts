// What alert rules cost those who push points: 10,000 rules over 5,000 people, switched on and off round by round.

import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@almoner/client'
import { connectPool } from '@almoner/server/platform/db/database'
import type pg from 'pg'
import { pino } from 'pino'
import { contest } from './contest.ts'
import { pushed } from './ingest.ts'
import { load } from './load.ts'
import { makePatients } from './patients.ts'
import { batches, POINTS_A_REQUEST, singles } from './points.ts'
import { type BenchService, startBenchService } from './service.ts'

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
    await timeToSee(service, pool, ids)
  } finally {
    await pool.end()
    await service.stop()
  }
}

/** For each person a threshold just above all readings, and a range that is entered and left all the time. */
async function makeRules(pool: pg.Pool, ids: string[], userId: string): Promise<void> {
  await pool.query(
    `insert into alert_rules (organization_id, id, name, target_id, target, metric_type, field, kind, direction, threshold,
       clear_threshold, range_from, range_to, period, severity, notify, enabled, effective_from, created_at, created_by, last_modified_at)
     select (select id from organizations order by created_at limit 1), gen_random_uuid(), 'Bench', person, 'individual',
       'Pulse', 'value', kind, case kind when 'watermark' then 'above' end, case kind when 'watermark' then 95 end,
       case kind when 'watermark' then 80 end,
       case kind when 'range' then 60 end, case kind when 'range' then 80 end, case kind when 'range' then 60 end,
       'warning', '{"individualIds": [], "groupIds": [], "patient": false, "channels": ["in-app"]}', true,
       now() - interval '2 days', now(), $2, now()
     from unnest($1::uuid[]) person cross join unnest(array['watermark', 'range']) kind`,
    [ids, userId],
  )
  await pool.query('analyze alert_rules')
}

const PROBES = 200
const BESIDE = 200
const APART_MS = 60
/** A little longer than the probes take. */
const LOAD_SECONDS = 25

/** From just before a reading is pushed until the alert it fires is with someone who follows the stream. */
async function timeToSee({ baseUrl, token }: BenchService, pool: pg.Pool, ids: string[]): Promise<void> {
  const [id = '', ...others] = ids
  await pool.query(`delete from alert_runs; delete from alerts; update alert_rules set enabled = (kind = 'watermark')`)
  const almoner = connect({ baseUrl, token })
  const over = new AbortController()
  const besides = load({
    url: `${baseUrl}/lachesis/v1/timeseries/`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: singles(others),
    connections: 16,
    seconds: LOAD_SECONDS,
    mostPerSecond: BESIDE,
  })
  const sent = new Map<number, number>()
  const took: number[] = []
  const follow = async () => {
    for await (const event of almoner.streamEvents(
      { filter: { kind: ['metric.alert-fired'] } },
      { signal: over.signal },
    )) {
      if (event.kind !== 'metric.alert-fired' || event.individualId !== id) continue
      const start = sent.get(event.data.firedAt.getTime())
      if (start !== undefined) took.push(performance.now() - start)
    }
  }
  const following = follow().catch(() => {})
  await sleep(500)
  const begin = Math.floor(Date.now() / 1000) * 1000 - 2 * PROBES * 1000
  for (let probe = 0; probe < 2 * PROBES; probe++) {
    const time = new Date(begin + probe * 1000)
    const value = probe % 2 === 0 ? 150 : 70
    sent.set(time.getTime(), performance.now())
    const point = { type: 'Pulse', time: time.toISOString(), value }
    await almoner.pushTimeseries({ body: [{ individualId: id, type: 'Pulse', source: 'probe', data: [point] }] })
    await sleep(APART_MS / 2)
  }
  await sleep(500)
  over.abort()
  await Promise.all([following, besides])
  const sorted = took.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]?.toFixed(0)
  console.log(`\nFrom a pushed reading to the one who follows, beside ${BESIDE} pushes a second: milliseconds`)
  console.log('| alerts | median | p95 | highest |\n|---|---|---|---|')
  console.log(`| ${sorted.length} of ${PROBES} | ${at(0.5)} | ${at(0.95)} | ${sorted.at(-1)?.toFixed(0)} |`)
}
