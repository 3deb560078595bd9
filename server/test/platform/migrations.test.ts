import { mkdtemp, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { connectPool } from '../../src/platform/db/database.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeDatabase } from '../support/database.ts'

const log = pino({ level: 'silent' })

async function setUp(files: Record<string, string>) {
  const { url } = await makeDatabase({ empty: true })
  const pool = connectPool({ url, poolSize: 8, statementTimeoutMs: 5000, log })
  cleanUp(() => pool.end())
  const directory = await mkdtemp(join(tmpdir(), 'almoner-migrations-'))
  const write = (name: string, sql: string) => writeFile(join(directory, name), sql)
  for (const [name, sql] of Object.entries(files)) await write(name, sql)
  const applied = async () =>
    (await pool.query('select name from migrations order by name')).rows.map(({ name }) => name)
  return { pool, directory, write, applied, run: () => migrate(pool, directory, log) }
}

const FIRST = { '0001_first.sql': 'create table things (id int primary key)' }

test('each file runs once, in the order of its number', async () => {
  const { run, write, applied, pool } = await setUp({ ...FIRST, '0002_second.sql': 'alter table things add name text' })
  await run()
  await run()
  await write('0003_third.sql', "insert into things values (1, 'one')")
  await run()
  await run()
  expect(await applied()).toEqual(['0001_first.sql', '0002_second.sql', '0003_third.sql'])
  expect((await pool.query('select * from things')).rows).toEqual([{ id: 1, name: 'one' }])
})

test('many at once migrate once', async () => {
  const { run, applied } = await setUp({
    ...FIRST,
    '0002_slow.sql': 'select pg_sleep(0.2); create table others (id int)',
  })
  await Promise.all([run(), run(), run()])
  expect(await applied()).toEqual(['0001_first.sql', '0002_slow.sql'])
})

test('a file that fails leaves no trace, and says which it was', async () => {
  const { run, applied, pool, write } = await setUp({
    ...FIRST,
    '0002_wrong.sql': 'create table half (id int); select 1/0',
  })
  await expect(run()).rejects.toThrow('The migration 0002_wrong.sql failed: division by zero')
  expect(await applied()).toEqual(['0001_first.sql'])
  expect((await pool.query("select to_regclass('half') as half")).rows[0].half).toBeNull()
  await write('0002_wrong.sql', 'create table half (id int)')
  await run()
})

test('a file changed after it ran stops the start', async () => {
  const { run, write } = await setUp(FIRST)
  await run()
  await write('0001_first.sql', 'create table things (id bigint primary key)')
  await expect(run()).rejects.toThrow('0001_first.sql was changed after it ran')
})

test('a database of a newer version stops the start', async () => {
  const { run, directory } = await setUp({ ...FIRST, '0002_second.sql': 'select 1' })
  await run()
  await rename(join(directory, '0002_second.sql'), join(directory, '0002_second.txt'))
  await expect(run()).rejects.toThrow('migrated by a newer version of the service (0002_second.sql)')
})

test('a file with an odd name is refused', async () => {
  const { run } = await setUp({ ...FIRST, '2_second.sql': 'select 1' })
  await expect(run()).rejects.toThrow('2_second.sql is not named like 0001_what_it_does.sql')
})
