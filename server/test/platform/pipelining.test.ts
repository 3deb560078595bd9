import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { Database } from '../../src/platform/db/database.ts'
import { PipeliningDialect, together } from '../../src/platform/db/pipelining.ts'
import type { Tables } from '../../src/platform/db/tables.ts'
import { startTestService } from '../support/service.ts'

const { db, databaseUrl } = await startTestService()
await sql`create table marks (place serial, name text unique)`.execute(db)

const mark = (at: Database, name: string) => sql`insert into marks (name) values (${name})`.execute(at)
async function marked(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from marks order by place`.execute(db)
  return rows.map(({ name }) => name)
}

test('what is started together is done in that order, and each part sees what came before it', async () => {
  const counts: number[] = []
  const count = async (at: Database) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from marks`.execute(at)
    counts.push(rows[0]?.count ?? -1)
  }
  await db.transaction().execute(async (trx) => {
    await together(trx, (all) => [count(all), mark(all, 'one'), count(all), mark(all, 'two'), count(all)])
    await mark(trx, 'three')
  })
  expect(counts).toEqual([0, 1, 2])
  expect(await marked()).toEqual(['one', 'two', 'three'])
})

test('when one part fails nothing stays, and the others have ended before it is told', async () => {
  const before = await marked()
  let hasEnded = false
  const inTwoSteps = async (at: Database) => {
    await sql`select 1`.execute(at).finally(() => {})
    await mark(at, 'too late').finally(() => {
      hasEnded = true
    })
  }
  const failing = db
    .transaction()
    .execute((trx) => together(trx, (all) => [mark(all, 'four'), inTwoSteps(all), mark(all, 'one')]))
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  expect(hasEnded).toBe(true)
  expect(await marked()).toEqual(before)
})

test('a transaction whose failed statement nobody waited for is not taken for done', async () => {
  const before = await marked()
  const unwatched = db.transaction().execute(async (trx) => {
    await mark(trx, 'five')
    await mark(trx, 'one').catch(() => {})
  })
  await expect(unwatched).rejects.toThrow()
  expect(await marked()).toEqual(before)
})

test('together is not for beginning another transaction', async () => {
  const nested = db
    .transaction()
    .execute((trx) => together(trx, (all) => [all.transaction().execute((inner) => mark(inner, 'six'))]))
  await expect(nested).rejects.toThrow('in a transaction already')
})

test('a transaction that did not begin is not taken for done', async () => {
  class Unwilling extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: pg declares query by a dozen overloads
    override query(text: any, ...rest: any[]): any {
      return super.query(text === 'begin' ? 'begin at once' : text, ...rest)
    }
  }
  const pool = new pg.Pool({ connectionString: databaseUrl, pipeline: true, Client: Unwilling as typeof pg.Client })
  const unwilling = new Kysely<Tables>({ dialect: new PipeliningDialect(pool) })
  const failing = unwilling.transaction().execute((trx) => sql`select 1`.execute(trx))
  await expect(failing).rejects.toMatchObject({ code: '42601' })
  await unwilling.destroy()
})
