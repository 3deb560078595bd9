// Taking points in: thousands at once beside COPY of one row a point, and one at a time beside one transaction each.

import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { contest } from './contest.ts'
import { load } from './load.ts'
import { makePatients } from './patients.ts'
import { batches, copyRows, lines, POINTS_A_REQUEST, singles } from './points.ts'
import { type BenchService, startBenchService } from './service.ts'
import { startOthers } from './time-series-databases.ts'

const PEOPLE = 400
const SECONDS = 4
const LANES = 8
const SMALL_LANES = 64
const BARE_PORT = 18_082

export async function ingestBenchmark(): Promise<void> {
  const service = await startBenchService()
  const others = await startOthers()
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: LANES })
  try {
    const ids = await makePatients(pool, PEOPLE)
    await pool.query(`create table bare_points (individual_id uuid, type text, time timestamptz, source text,
      value float8, primary key (individual_id, type, time, source))`)
    const next = batches(ids)
    const copied = copies(pool, ids)
    await contest(`Points in requests of ${POINTS_A_REQUEST}, ${LANES} connections`, 'points a second', [
      {
        name: 'Almoner, POST /lachesis/v1/timeseries/',
        round: async () => POINTS_A_REQUEST * (await pushed(service, LANES, next)),
      },
      { name: 'COPY, one row a point', round: copied },
      ...others.map(({ name, writeUrl }) => {
        const nextLines = lines(ids)
        return { name, round: async () => POINTS_A_REQUEST * (await requests(writeUrl, {}, LANES, nextLines)) }
      }),
    ])
    for (const other of others.splice(0)) await other.stop()
    await service.alongside(join(import.meta.dirname, 'bare-ingest.ts'), [service.databaseUrl, String(BARE_PORT)])
    const bare = `http://127.0.0.1:${BARE_PORT}`
    const [ours, theirs] = [singles(ids), singles(ids)]
    await contest(`Single points, ${SMALL_LANES} connections`, 'requests a second', [
      { name: 'Almoner, POST /lachesis/v1/timeseries/', round: () => pushed(service, SMALL_LANES, ours) },
      {
        name: 'bare Fastify, one transaction each',
        round: () => requests(`${bare}/points/`, {}, SMALL_LANES, theirs),
      },
      { name: 'bare Fastify, nothing stored', round: () => requests(`${bare}/nothing/`, {}, SMALL_LANES, theirs) },
    ])
  } finally {
    for (const other of others) await other.stop()
    await pool.end()
    await service.stop()
  }
}

export const pushed = ({ baseUrl, token }: BenchService, connections: number, next: () => Buffer) =>
  requests(`${baseUrl}/lachesis/v1/timeseries/`, { authorization: `Bearer ${token}` }, connections, next)

const requests = (url: string, headers: Record<string, string>, connections: number, body: () => Buffer) =>
  load({ url, headers: { ...headers, 'content-type': 'application/json' }, body, connections, seconds: SECONDS })

/** As many at once as there are connections, each a transaction of its own. */
function copies(pool: pg.Pool, ids: string[]): () => Promise<number> {
  let count = 0
  return async () => {
    const end = performance.now() + SECONDS * 1000
    let points = 0
    const lane = async () => {
      const client = await pool.connect()
      try {
        while (performance.now() < end) {
          const turn = count++
          const rows = copyRows(ids[turn % ids.length] as string, Math.floor(turn / ids.length))
          await pipeline(Readable.from([rows]), client.query(copyFrom('copy bare_points from stdin')))
          points += POINTS_A_REQUEST
        }
      } finally {
        client.release()
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    return points / SECONDS
  }
}
