// Reading points, summing them up, the room they take, and what a fuller store costs.

import { arrivalOf } from '@almoner/server/features/metrics/arrival'
import { readSeries } from '@almoner/server/features/metrics/point-reader'
import { store } from '@almoner/server/features/metrics/writing'
import { connectPool, database } from '@almoner/server/platform/db/database'
import type pg from 'pg'
import { pino } from 'pino'
import { Connection } from './connection.ts'
import { contest } from './contest.ts'
import { makePatients } from './patients.ts'
import { batches, POINTS_A_REQUEST } from './points.ts'
import { startBenchService } from './service.ts'

const YEAR_MINUTES = 365 * 24 * 60
const SECONDS = 3

interface Bench {
  connection: Connection
  pool: pg.Pool
  /** Pushes so many minutes of pulse of each person straight through the store. */
  fill(ids: string[], minutes: number, firstBatch?: number): Promise<void>
}

async function withService(work: (bench: Bench) => Promise<void>): Promise<void> {
  const service = await startBenchService()
  const log = pino({ level: 'silent' })
  const pool = connectPool({ url: service.databaseUrl, poolSize: 4, statementTimeoutMs: 0, log })
  const db = database(pool)
  const connection = new Connection(service.baseUrl, {
    authorization: `Bearer ${service.token}`,
    'content-type': 'application/json',
  })
  const fill = async (ids: string[], minutes: number, firstBatch = 0) => {
    const next = batches(ids, firstBatch)
    const by = { by: service.userId, now: new Date() }
    for (let request = 0; request < (ids.length * minutes) / POINTS_A_REQUEST; request++) {
      const body = JSON.parse(next().toString()) as { data: { attributes: Record<string, unknown> }[] }
      const [item] = body.data as [{ attributes: Record<string, unknown> }]
      const { 'individual-id': individualId, ...rest } = item.attributes
      const { series } = readSeries([{ ...rest, individualId } as never], 'bench')
      await db.transaction().execute((trx) => store(trx, series.map(arrivalOf), () => by))
    }
    await pool.query('vacuum analyze metric_series, metric_segments, metric_points')
  }
  try {
    await work({ connection, pool, fill })
  } finally {
    connection.close()
    await pool.end()
    await service.stop()
  }
}

/** As often as it goes, one after the other. */
const repeated = (work: (turn: number) => Promise<unknown>) => async () => {
  const end = performance.now() + SECONDS * 1000
  let done = 0
  while (performance.now() < end) await work(done++)
  return done / SECONDS
}

const begin = (turn: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + ((turn * 7919) % 500_000) * 60_000)
const printed = (moment: Date) => encodeURIComponent(moment.toISOString().slice(0, 19).replace('T', ' '))

const pageOf = (connection: Connection, id: string) => (turn: number) =>
  connection.ask(
    `/lachesis/v1/timeseries/?individual-id=${id}&type=Pulse&begin-datetime=${printed(begin(turn))}&page[limit]=1000`,
  )

const summaryOf = (connection: Connection, id: string) => () =>
  connection.ask(
    `/lachesis/v1/timeseries-summaries/?individual-id=${id}&type=Pulse&period=day&timezone=America/New_York&page[limit]=1000`,
  )

export const readBenchmark = () =>
  withService(async ({ connection, pool, fill }) => {
    const [id] = (await makePatients(pool, 1)) as [string]
    await fill([id], YEAR_MINUTES)
    await pool.query(`create table bare_points (individual_id uuid, type text, time timestamptz, source text,
      value float8, primary key (individual_id, type, time, source))`)
    await pool.query(
      `insert into bare_points select individual_id, type, time, source, number from metric_point_rows
       where individual_id = $1`,
      [id],
    )
    await pool.query('vacuum analyze bare_points')
    const where = 'individual_id = $1 and type = $2'
    await contest('A page of 1,000 points of a year by the minute', 'pages a second', [
      { name: 'Almoner, over HTTP, with the exact total', round: repeated(pageOf(connection, id)) },
      {
        name: 'bare SQL, one row a point, without a total',
        round: repeated((turn) =>
          pool.query(
            `select time, source, value from bare_points where ${where} and time >= $3 order by time limit 1000`,
            [id, 'Pulse', begin(turn)],
          ),
        ),
      },
    ])
    await contest('A year of minutes (525,600 points) by days', 'times a second', [
      { name: 'Almoner, the summary over HTTP', round: repeated(summaryOf(connection, id)) },
      {
        name: 'bare SQL, fetching the points',
        round: repeated(() => pool.query(`select time, value from bare_points where ${where}`, [id, 'Pulse'])),
      },
    ])
  })

export const sizeBenchmark = () =>
  withService(async ({ pool, fill }) => {
    const ids = await makePatients(pool, 3)
    await fill(ids, YEAR_MINUTES)
    const { rows } = await pool.query<{ table: string; bytes: string }>(
      `select name as table, pg_total_relation_size(name::regclass) as bytes
       from unnest(array['metric_series', 'metric_segments', 'metric_points']) name`,
    )
    const total = rows.reduce((sum, { bytes }) => sum + Number(bytes), 0)
    console.log('\nA year of pulse by the minute with noise, of three people, pushed by the thousand')
    console.log('| table | bytes a point, indexes included |\n|---|---|')
    for (const { table, bytes } of rows)
      console.log(`| ${table} | ${(Number(bytes) / (3 * YEAR_MINUTES)).toFixed(2)} |`)
    console.log(`| together | ${(total / (3 * YEAR_MINUTES)).toFixed(2)} |`)
  })

export const growthBenchmark = () =>
  withService(async ({ connection, pool, fill }) => {
    const ids = await makePatients(pool, 20)
    const [id, other] = ids as [string, string]
    const measured: Record<string, number>[] = []
    for (const people of [ids.slice(0, 2), ids.slice(2)]) {
      await fill(people, YEAR_MINUTES)
      const next = batches([other], 1000 + measured.length * 10_000)
      const ways = {
        'a page of 1,000 points': pageOf(connection, id),
        'a summary of a year by days': summaryOf(connection, id),
        'a push of 1,000 points': () => connection.ask('/lachesis/v1/timeseries/', next()),
      }
      const milliseconds: Record<string, number> = {}
      for (const [name, way] of Object.entries(ways)) {
        await repeated(way)()
        milliseconds[name] = 1000 / (await repeated(way)())
      }
      measured.push(milliseconds)
    }
    const [small, large] = measured as [Record<string, number>, Record<string, number>]
    console.log('\nOne million points in the store, then more than ten million: milliseconds')
    console.log('| what | one million | ten million | ratio |\n|---|---|---|---|')
    for (const [name, before] of Object.entries(small)) {
      const after = large[name] as number
      console.log(`| ${name} | ${before.toFixed(1)} | ${after.toFixed(1)} | ${(after / before).toFixed(2)} |`)
    }
  })
