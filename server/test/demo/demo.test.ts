import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { connect } from '@almoner/client'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { demoOrganization } from '../../src/demo/demo-organization.ts'
import { patients } from '../../src/demo/population.ts'
import {
  DEMO_PASSWORD,
  PopulationElsewhere,
  type WriteOptions,
  writePopulation,
} from '../../src/demo/write-population.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeDatabase } from '../support/database.ts'
import { startProcess, stopProcess, temporaryDirectory } from '../support/process.ts'
import { makeOrganization, startTestService, type TestService } from '../support/service.ts'

const COUNT = 300
const UNTIL = new Date('2026-08-01T00:00:00Z')
const TABLES = [
  'individuals',
  'users',
  'memberships',
  'individual_groups',
  'group_individuals',
  'group_staff',
  'tags',
  'individual_tags',
  'listed_individuals',
  'listed_counts',
  'group_counts',
]

let service: TestService
let organizationId: string

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
})

const write = (more: Partial<WriteOptions> = {}) =>
  writePopulation(service.db, { seed: 1, until: UNTIL, organizationId, patients: COUNT, batchSize: 100, ...more })

const number = async (query: ReturnType<typeof sql<{ count: number }>>) =>
  (await query.execute(service.db)).rows[0]?.count

const everything = () =>
  Promise.all(
    TABLES.map(async (table) => {
      const { rows } = await sql<{ content: string }>`
        select md5(string_agg(t::text, ',' order by t::text)) as content from ${sql.table(table)} t`.execute(service.db)
      return [table, rows[0]?.content]
    }),
  )

const signIn = async (username: string) => {
  const almoner = connect({ baseUrl: service.url, retries: 0 })
  await almoner.login({ body: { username, password: DEMO_PASSWORD } })
  return almoner
}

describe('a made-up population', () => {
  test('that is stopped in the middle is completed by the next run, on another day too', async () => {
    const controller = new AbortController()
    const stopped = await write({ signal: controller.signal, onProgress: () => controller.abort() })
    expect(stopped).toMatchObject({ patients: 100, isComplete: false })
    const told: number[] = []
    const until = new Date('2026-08-02T00:00:00Z')
    const completed = await write({ until, onProgress: (done) => told.push(done) })
    expect(completed).toEqual({ patients: 200, patientsBefore: 100, staff: 0, groups: 0, isComplete: true })
    expect(told).toEqual([100, 200, 300])
  })

  test('is not added twice', async () => {
    const before = await everything()
    expect(await write()).toEqual({ patients: 0, patientsBefore: COUNT, staff: 0, groups: 0, isComplete: true })
    expect(await everything()).toEqual(before)
  })

  test('is listed with its groups, and counted', async () => {
    const expected = [...patients({ seed: 1, until: UNTIL }, COUNT)]
    const inGroups = expected.flatMap(({ groupIds }) => groupIds)
    expect(await number(sql`select count(*)::int from listed_individuals where account_type = 'regular'`)).toBe(COUNT)
    expect(await number(sql`select count(*)::int from group_individuals`)).toBe(inGroups.length)
    expect(await number(sql`select sum(change)::int as count from listed_counts where account_type = 'regular'`)).toBe(
      COUNT,
    )
    const { rows } = await sql<{ groupId: string; counted: number }>`
      select group_id, sum(change)::int as counted from group_counts group by 1`.execute(service.db)
    const present = expected.filter(({ state }) => state !== 'archived').flatMap(({ groupIds }) => groupIds)
    const sizes = Map.groupBy(present, (id) => id)
    expect(rows.map(({ groupId, counted }) => [groupId, counted]).sort()).toEqual(
      [...sizes].map(([id, { length }]) => [id, length]).sort(),
    )
  })

  test('has people who can sign in: administrators, providers and three patients', async () => {
    const admin = await signIn('admin1@demo.example')
    const { total } = await admin.listUsers({ organizationId, filter: { role: 'provider' } })
    expect(total).toBeGreaterThanOrEqual(4)
    const provider = await signIn('provider1@demo.example')
    const groups = await provider.listGroups({ organizationId })
    expect(groups.items.map(({ name }) => name)).toContain('Hypertension, North campus')
    for (const place of [1, 2, 3]) await signIn(`patient${place}@demo.example`)
    await expect(signIn('patient4@demo.example')).rejects.toThrow()
  })

  test('stays in its organization: a second one needs another seed', async () => {
    const second = await makeOrganization(service, 'Hilltop Practice')
    const before = await everything()
    await expect(write({ organizationId: second })).rejects.toThrow(PopulationElsewhere)
    expect(await everything()).toEqual(before)
    expect(await write({ organizationId: second, seed: 2 })).toMatchObject({ patients: COUNT, patientsBefore: 0 })
    const shared = sql<{ count: number }>`
      select count(*)::int from (select user_id from memberships group by 1 having count(*) > 1) shared`
    expect(await number(shared)).toBe(0)
  })

  test('can have a larger one added to it', async () => {
    expect(await write({ patients: COUNT + 700, batchSize: 350 })).toMatchObject({
      patients: 700,
      patientsBefore: COUNT,
      groups: 5,
    })
  })
})

describe('the organization to fill', () => {
  test('is named, by its name or id', async () => {
    const riverside = { id: organizationId, name: 'Riverside Clinic' }
    expect(await demoOrganization(service.db, 'Riverside Clinic')).toEqual(riverside)
    expect(await demoOrganization(service.db, organizationId)).toEqual(riverside)
    await expect(demoOrganization(service.db, 'Nowhere')).rejects.toThrow(
      'There is no organization Nowhere. There are: Riverside Clinic',
    )
    await makeOrganization(service, 'Twin')
    await makeOrganization(service, 'Twin')
    await expect(demoOrganization(service.db, 'Twin')).rejects.toThrow('There are 2 organizations named Twin')
  })

  test('is not taken for granted where the first one is no demo', async () => {
    await expect(demoOrganization(service.db, undefined)).rejects.toThrow('Name the one to fill with --organization')
  })
})

describe('npm run demo', () => {
  const COMMAND = resolve(import.meta.dirname, '../../src/commands/demo.ts')

  const run = (args: string[], environment: Record<string, string> = {}) =>
    new Promise<{ code: number; output: string; errors: string }>((done) => {
      const env = { PATH: process.env.PATH ?? '', LOG_LEVEL: 'warn', ...environment }
      execFile(process.execPath, [COMMAND, ...args], { env }, (error, output, errors) =>
        done({ code: Number(error?.code ?? 0), output, errors }),
      )
    })

  test('fills an empty database, and tells how to sign in', async () => {
    const { url, drop } = await makeDatabase({ empty: true })
    cleanUp(drop)
    const environment = { DATABASE_URL: url }
    const first = await run(['--patients', '120', '--days', '5', '--until', '2026-08-01'], environment)
    expect(first).toMatchObject({ code: 0 })
    expect(first.output).toMatch(/^Demo Clinic: 120 patients, 6 of staff and 10 groups added, in \d+ s/)
    expect(first.output).toContain('provider1@demo.example or patient1@demo.example with the password almoner-demo-1')
    expect(first.output).toMatch(/^Of 5 days: [\d,]+ points of \d+ patients added, in \d+ s\.$/m)
    expect(first.errors).toMatch(/^120 of 120: 100%/)
    const again = await run(['--patients', '120', '--days', '5', '--organization', 'Demo Clinic'], environment)
    expect(again.output).toContain('0 patients (120 were there already), 0 of staff and 0 groups added')
  })

  test('fills the database of a service that runs with one of its own', async () => {
    const DATA_DIR = await temporaryDirectory()
    const running = startProcess({ DATA_DIR })
    const baseUrl = await running.ready
    const filled = await run(['--patients', '30', '--days', '2', '--until', '2026-08-01'], { DATA_DIR })
    expect(filled).toMatchObject({ code: 0 })
    const almoner = connect({ baseUrl, retries: 0 })
    await almoner.login({ body: { username: 'provider1@demo.example', password: DEMO_PASSWORD } })
    const [organization] = (await almoner.listOrganizations()).items
    const { total } = await almoner.listIndividuals({ organizationId: organization?.id ?? '', page: { limit: 1 } })
    expect(total).toBeGreaterThan(20)
    expect(await stopProcess(running)).toBe(0)
  })

  test('does nothing where no demo is wanted', async () => {
    const { code, errors } = await run([], { DATABASE_URL: service.databaseUrl, DEMO: 'false' })
    expect([code, errors]).toEqual([1, expect.stringMatching(/^DEMO is false here/)])
  })

  test('explains itself, and names a wrong option in one line', async () => {
    const help = await run(['--help'])
    expect(help).toMatchObject({ code: 0, errors: '' })
    expect(help.output).toContain('--patients N')
    expect(await run(['--pateints', '5'])).toEqual({
      code: 1,
      output: '',
      errors: "Unknown option '--pateints'. See npm run demo -- --help.\n",
    })
  })
})
