// Lists of individuals in an organization of 200,000, alone and beside another as large, against bare SQL.

import { assembleQuery, coerceQuery, type InputOf, queryParameters } from '@almoner/contract'
import { listIndividuals } from '@almoner/contract/people/individuals'
import { writePopulation } from '@almoner/server/demo/write-population'
import { individualsPage, type ListRequest } from '@almoner/server/features/people/queries/listing'
import { wholeSight } from '@almoner/server/platform/auth/sight'
import { connectPool, database } from '@almoner/server/platform/db/database'
import type { Tables } from '@almoner/server/platform/db/tables'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { v7 } from 'uuid'
import { Connection } from './connection.ts'
import { startBenchService } from './service.ts'

const PATIENTS = Number(process.env.BENCH_PATIENTS ?? 200_000)
const ROUNDS = 15
/** So many calls, and for so long, so that both ways are measured as in the middle of a day, not after a start. */
const WARM_UP = 12
const WARM_UP_MS = 2000
const PATH = '/caredb/v1/aggregation-individuals/'
const UNTIL = new Date('2026-06-30T00:00:00Z')
const DEEP = Math.floor(PATIENTS * 0.9)

interface List {
  query: string
  /** The same by hand: what stands after `where`, besides organization and kind of account, and the order. */
  where: string
  order: string
  offset?: number
}

const active = "state <> 'archived'"
const byName = 'last_name_key, individual_id'

const lists: List[] = [
  { query: '', where: active, order: byName },
  { query: '', where: active, order: byName, offset: DEEP },
  { query: 'sort=-last-name', where: active, order: 'last_name_key desc, individual_id' },
  { query: 'sort=-last-name', where: active, order: 'last_name_key desc, individual_id', offset: DEEP },
  { query: 'sort=last-name&sort=first-name', where: active, order: 'last_name_key, first_name_key, individual_id' },
  { query: 'sort=birth-date', where: active, order: 'birth_date, individual_id' },
  { query: 'sort=-birth-date', where: active, order: 'birth_date desc, individual_id', offset: DEEP },
  { query: 'sort=state', where: active, order: 'state, individual_id' },
  { query: 'sort=-state', where: active, order: 'state desc, individual_id', offset: DEEP },
  { query: 'sort=-registered&sort=last-name', where: active, order: 'registered desc, last_name_key, individual_id' },
  { query: 'sort=created-time', where: active, order: 'created_time, individual_id' },
  { query: 'sort=last-login-time', where: active, order: 'last_login_time, individual_id' },
  { query: 'sort=-last-login-time', where: active, order: 'last_login_time desc nulls last, individual_id' },
  {
    query: 'sort=-last-login-time',
    where: active,
    order: 'last_login_time desc nulls last, individual_id',
    offset: DEEP,
  },
  { query: 'sort=preferred-name', where: active, order: 'preferred_name_key, individual_id', offset: DEEP },
  { query: 'filter[state]=registered', where: "state = 'registered'", order: byName },
  { query: 'filter[state]=registered', where: "state = 'registered'", order: byName, offset: Math.floor(DEEP / 2) },
  {
    query: 'filter[registered]=false&filter[email-verified]=true',
    where: `${active} and not registered and email_verified`,
    order: byName,
  },
  { query: 'filter[state]=archived', where: "state = 'archived'", order: byName },
  {
    query: 'filter[last-name]=garcia',
    where: `${active} and last_name_key = 'garcia' and lower(last_name) = 'garcia'`,
    order: byName,
  },
  {
    query: 'filter[last-name]=garcia&sort=-last-login-time',
    where: `${active} and last_name_key = 'garcia' and lower(last_name) = 'garcia'`,
    order: 'last_login_time desc nulls last, individual_id',
  },
  { query: 'filter[last-name][contains]=rod', where: `${active} and last_name_key like '%rod%'`, order: byName },
  { query: 'filter[birth-date]=1950-05-05', where: `${active} and birth_date = '1950-05-05'`, order: byName },
  { query: 'filter[birth-date][gte]=1990-01-01', where: `${active} and birth_date >= '1990-01-01'`, order: byName },
  {
    query: 'filter[email]=patient1@demo.example',
    where: `${active} and email_key = 'patient1@demo.example'`,
    order: byName,
  },
  {
    query: 'filter[individual-group-id]=LARGE',
    where: `${active} and group_ids @> array['LARGE'::uuid]`,
    order: byName,
  },
  {
    query: 'filter[individual-group-id]=SMALL',
    where: `${active} and group_ids @> array['SMALL'::uuid]`,
    order: byName,
  },
  { query: 'filter[individual-group-id]=UNASSIGNED', where: `${active} and group_ids = '{}'`, order: byName },
]

export async function peopleBenchmark(): Promise<void> {
  const service = await startBenchService()
  const log = pino({ level: 'silent' })
  const pool = connectPool({ url: service.databaseUrl, poolSize: 4, statementTimeoutMs: 0, log })
  const db = database(pool)
  const barePool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 })
  const connection = new Connection(service.baseUrl, { authorization: `Bearer ${service.token}` })
  try {
    const { id: organizationId } = await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow()
    const fill = async (id: string, seed: number) => {
      const start = performance.now()
      await writePopulation(db, { organizationId: id, patients: PATIENTS, seed, until: UNTIL })
      const seconds = (performance.now() - start) / 1000
      console.log(`${PATIENTS} patients made in ${seconds.toFixed(0)} s, ${(PATIENTS / seconds).toFixed(0)} a second`)
    }
    await fill(organizationId, 1)
    const names = await groupNames(pool, organizationId)
    const asked = lists.map((list) => named(list, names))
    const alone = []
    for (const list of asked) alone.push(await measure(connection, barePool, organizationId, list))
    const other = v7()
    await db.insertInto('organizations').values({ id: other, name: 'Other Clinic', createdAt: UNTIL }).execute()
    await fill(other, 2)
    const rows: string[] = []
    for (const [index, list] of asked.entries()) {
      const { ours, bare, total } = await measure(connection, barePool, organizationId, list)
      const indexes = await indexesOf(pool, organizationId, service, list)
      rows.push(
        `| ${label(list, names)} | ${total} | ${milliseconds(ours)} | ${milliseconds(bare)} | ${(middle(ours) / middle(bare)).toFixed(1)} | ${(middle(ours) / middle(alone[index]?.ours ?? [])).toFixed(2)} | ${indexes} |`,
      )
    }
    console.log(`\nLists of individuals: median milliseconds of ${ROUNDS} calls (lowest to highest)`)
    console.log(
      '| list | total | Almoner, over HTTP | bare SQL, the page alone | ratio | beside another organization / alone | indexes |',
    )
    console.log('|---|---|---|---|---|---|---|')
    console.log(rows.join('\n'))
  } finally {
    connection.close()
    await barePool.end()
    await pool.end()
    await service.stop()
  }
}

type Names = Record<'LARGE' | 'SMALL' | 'UNASSIGNED', string>

async function groupNames(pool: pg.Pool, organizationId: string): Promise<Names> {
  const { rows } = await pool.query<{ id: string; type: string }>(
    `select g.id, g.type from individual_groups g left join group_counts c on c.group_id = g.id
     where organization_id = $1 group by g.id having g.type = 'unassigned' or sum(c.change) > 0
     order by g.type = 'unassigned', sum(c.change) desc`,
    [organizationId],
  )
  const ids = rows.map(({ id }) => id)
  return { LARGE: ids[0] as string, SMALL: ids.at(-2) as string, UNASSIGNED: ids.at(-1) as string }
}

const replaced = (text: string, names: Names) =>
  Object.entries(names).reduce((done, [name, id]) => done.replaceAll(name, id), text)
const named = (list: List, names: Names): List => ({
  ...list,
  query: replaced(list.query, names),
  where: replaced(list.where, names),
})
const label = ({ query, offset }: List, names: Names) => {
  const shown = Object.entries(names).reduce(
    (done, [name, id]) => done.replaceAll(id, `${name.toLowerCase()} group`),
    query,
  )
  return `\`${shown || 'as it comes'}\`${offset ? ` from ${offset}` : ''}`
}

const pageOf = (list: List, organizationId: string) =>
  `organization-id=${organizationId}&${list.query}&page[offset]=${list.offset ?? 0}`

async function measure(connection: Connection, pool: pg.Pool, organizationId: string, list: List) {
  const path = encodeURI(`${PATH}?${pageOf(list, organizationId)}`)
  const bareText = `select * from listed_individuals where organization_id = $1 and account_type = 'regular' and ${list.where}
    order by ${list.order} limit 100 offset ${list.offset ?? 0}`
  const ours: number[] = []
  const bare: number[] = []
  let total = 0
  const begun = performance.now()
  let isWarm = false
  for (let round = 0; ours.length < ROUNDS; round++) {
    isWarm ||= round >= WARM_UP && performance.now() - begun >= WARM_UP_MS
    const start = performance.now()
    const answer = await connection.ask(path)
    const between = performance.now()
    const { rows } = await pool.query(bareText, [organizationId])
    const end = performance.now()
    const body = JSON.parse(answer.toString()) as { data: unknown[]; meta: Record<string, number> }
    if (rows.length !== body.data.length) throw new Error(`${path}: ${body.data.length} rows instead of ${rows.length}`)
    total = body.meta['page[total]'] ?? 0
    if (!isWarm) continue
    ours.push(between - start)
    bare.push(end - between)
  }
  return { ours, bare, total }
}

/** What EXPLAIN says of every statement behind a list; a scan of a whole table is named in capitals. */
async function indexesOf(
  pool: pg.Pool,
  organizationId: string,
  caller: { userId: string },
  list: List,
): Promise<string> {
  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const watched = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    log: ({ query }) => void (/^\s*select/.test(query.sql) && statements.push(query)),
  })
  const parameters = queryParameters(listIndividuals)
  const raw = Object.fromEntries(new URLSearchParams(pageOf(list, organizationId)).entries())
  const request = assembleQuery(parameters, coerceQuery(parameters, raw)) as InputOf<typeof listIndividuals>
  await individualsPage(watched, wholeSight([organizationId]), caller.userId, request as ListRequest)
  const used = new Set<string>()
  for (const { sql, parameters: values } of statements) {
    const { rows } = await pool.query(`explain (format json) ${sql}`, [...values])
    const walk = (node: Record<string, unknown>): void => {
      if (node['Node Type'] === 'Seq Scan') used.add(`SCAN OF ${String(node['Relation Name']).toUpperCase()}`)
      if (node['Index Name']) used.add(String(node['Index Name']))
      for (const child of (node.Plans ?? []) as Record<string, unknown>[]) walk(child)
    }
    walk(rows[0]['QUERY PLAN'][0].Plan)
  }
  return [...used].join(', ')
}

const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b)
const middle = (numbers: number[]): number => sorted(numbers)[Math.floor(numbers.length / 2)] as number
const milliseconds = (numbers: number[]): string => {
  const all = sorted(numbers)
  return `${middle(all).toFixed(1)} (${all[0]?.toFixed(1)} to ${all.at(-1)?.toFixed(1)})`
}
