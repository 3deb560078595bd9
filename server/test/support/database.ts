import pg from 'pg'
import { v7 } from 'uuid'
import { inject } from 'vitest'
import { TEMPLATE } from './postgres.ts'

const urlOf = (name: string) => inject('databaseUrl').replace('NAME', name)

/** A database of the test file's own: a clone of the migrated template, or an empty one. */
export async function makeDatabase({ empty = false } = {}): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${v7().replaceAll('-', '')}`
  await asAdmin(`create database ${name} template ${empty ? 'template1' : TEMPLATE}`)
  return { url: urlOf(name), drop: () => asAdmin(`drop database ${name} with (force)`) }
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('postgres') })
  await client.connect()
  try {
    // Cloning needs the template to itself; another test file may be cloning at the same moment.
    for (let attempt = 0; ; attempt++) {
      try {
        await client.query(statement)
        return
      } catch (error) {
        if ((error as { code?: string }).code !== '55006' || attempt > 50) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  } finally {
    await client.end()
  }
}
