import { execFile, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { missingPoints } from '../../../client/src/commands/simulation-check.ts'
import { writePopulation } from '../../src/demo/write-population.ts'
import {
  makeOrganization,
  makePerson,
  PASSWORD,
  type Person,
  startTestService,
  type TestService,
} from '../support/service.ts'

const COMMAND = resolve(import.meta.dirname, '../../../client/src/commands/simulate.ts')

let service: TestService
let organizationId: string
let admin: Person

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
})

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  ALMONER_PASSWORD: PASSWORD,
  ...more,
})

const run = (args: string[], more: Record<string, string> = {}) =>
  new Promise<{ code: number; output: string; errors: string }>((done) => {
    const all = [COMMAND, '--url', service.url, ...args]
    execFile(process.execPath, all, { env: environment(more) }, (error, output, errors) =>
      done({ code: Number(error?.code ?? 0), output, errors }),
    )
  })
const asAdmin = () => ['--username', admin.username]

describe('npm run simulate', () => {
  test('needs patients, and says how to have some', async () => {
    const { code, errors } = await run([...asAdmin(), '--devices', '3'])
    expect([code, errors]).toEqual([2, 'There are no patients. Make some with: npm run demo\n'])
  })

  test('pushes as devices do, finds everything there, and leaves no account behind that could push', async () => {
    const until = new Date('2026-08-01T00:00:00Z')
    await writePopulation(service.db, { seed: 1, until, organizationId, patients: 12 })
    const args = ['--devices', '30', '--minutes', '0.05', '--speed', '40000', '--organization', 'riverside clinic']
    const { code, output, errors } = await run([...asAdmin(), ...args])
    expect([code, errors]).toEqual([0, ''])
    expect(output).toMatch(/^([\d,]+) of \1 points taken in \d+ s/)
    expect(output).toMatch(/, 0 errors$/m)
    expect(output).toMatch(/^[\d,]+ points of 30 devices read back: 0 missing$/m)
    const { items } = await admin.almoner.listServiceAccounts({ organizationId })
    expect(items.map(({ kind, scopes, isActive }) => [kind, scopes, isActive])).toEqual([
      ['device', ['push-timeseries'], false],
      ['device', ['push-timeseries'], false],
    ])
    const { rows } = await admin.almoner
      .listIndividuals({ organizationId, filter: { accountType: 'regular' } })
      .then(({ items: listed }) => ({ rows: listed.filter(({ lastHeartRate }) => lastHeartRate != null) }))
    expect(rows.length).toBeGreaterThan(5)
  })

  test('interrupted, sends what it has and checks it', async () => {
    const args = ['--url', service.url, ...asAdmin(), '--devices', '10', '--minutes', '5', '--speed', '20000']
    const child = spawn(process.execPath, [COMMAND, ...args], { env: environment() })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    setTimeout(() => child.kill('SIGINT'), 4000)
    const code = await new Promise((done) => child.on('close', done))
    expect(output).toContain('points of 10 devices read back: 0 missing')
    expect(code).toBe(0)
  })

  test('names a wrong option, and a service that is not there', async () => {
    expect(await run(['--devices', '0'])).toEqual({
      code: 2,
      output: '',
      errors: '--devices must be a number above 0, at most 100,000.\n',
    })
    const { code, errors } = await run(['--url', 'http://127.0.0.1:59999'])
    expect([code, errors]).toEqual([2, 'The service cannot be reached: ECONNREFUSED.\n'])
    expect((await run(['--help'])).output).toContain('--speed N')
  })
})

test('a point that the service does not have, or has otherwise, is found missing', async () => {
  const { items } = await admin.almoner.listIndividuals({ organizationId, page: { limit: 1 } })
  const individualId = items[0]?.id as string
  const at = (minute: number, value: number) => ({ type: 'Pulse', time: `2026-07-01 10:0${minute}:00`, value })
  const data = [at(1, 60), at(2, 61)]
  await admin.almoner.pushTimeseries({ body: [{ individualId, type: 'Pulse', source: 'one', data }] })
  const missingOf = (taken: ReturnType<typeof at>[], source = 'one') =>
    missingPoints(admin.almoner, { settings: { individualId, source }, taken })
  expect(await missingOf(data)).toEqual([])
  expect(await missingOf([at(1, 60), at(2, 99), at(3, 62)])).toEqual([at(2, 99), at(3, 62)])
  expect(await missingOf(data, 'other')).toEqual(data)
})
