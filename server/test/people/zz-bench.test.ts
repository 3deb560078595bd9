import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import { pino } from 'pino'
import { test } from 'vitest'
import { v7 } from 'uuid'
import { importPatientsTask } from '../../src/features/people/patient-import-task.ts'
import { connectPool } from '../../src/platform/db/database.ts'
import { makeOrganization, makePerson, startTestService } from '../support/service.ts'

test('bench', async () => {
  const s = await startTestService({ role: 'web' })
  const org = await makeOrganization(s)
  const admin = await makePerson(s, [{ organizationId: org, role: 'org-admin' }])
  await admin.almoner.createGroup({ body: { name: 'G', organizationId: org } })
  const log = pino({ level: 'silent' })
  const pool = connectPool({ url: s.databaseUrl, poolSize: 2, statementTimeoutMs: 0, log })
  const sums = new Map<string, [number, number]>()
  const db = new Kysely<any>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    log: (e) => { const k = e.query.sql.replace(/\s+/g, ' ').slice(0, 70); const at = sums.get(k) ?? [0, 0]; at[0]++; at[1] += e.queryDurationMillis; sums.set(k, at) } })
  const run = async (label: string, count: number, groups: string, options = {}) => {
    const csv = ['first-name,last-name,birth-date,gender,email,groups', ...Array.from({ length: count }, (_, i) => `F${i},L${v7().slice(-5)},${1930 + (i % 80)}-0${1 + (i % 9)}-1${i % 10},f,${v7()}@e.org,${groups}`)].join('\n')
    const t0 = performance.now()
    const { id } = await admin.almoner.importPatients({ body: { organizationId: org, csv, ...options } })
    const t1 = performance.now()
    sums.clear()
    for (;;) { await importPatientsTask({ publicUrl: 'http://x', outbox: null as never }).run({ importId: id }, { db, now: new Date(), log }); if ((await admin.almoner.getPatientImport({ id })).finishedAt) break }
    const ms = performance.now() - t1
    console.log(label, Math.round(t1 - t0), 'ms request', Math.round(count / ms * 1000), 'lines/s')
    console.log([...sums].sort((a, b) => b[1][1] - a[1][1]).slice(0, 9).map(([k, [n, m]]) => `${Math.round(m)}ms ${n} ${(m / n).toFixed(2)} ${k}`).join('\n'))
  }
  await run('plain', 3000, '')
  await run('groups', 3000, 'G')
  await run('dry', 3000, 'G', { dryRun: true })
  await pool.end()
}, 120000)
