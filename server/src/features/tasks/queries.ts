import type { TASK_STATES } from '@almoner/contract/identity/tasks'
import type { Generated } from 'kysely'
import { v7 } from 'uuid'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Database } from '../../platform/db/database.ts'

declare module '../../platform/db/tables.ts' {
  interface Tables {
    tasks: {
      id: string
      organizationId: string
      kind: string
      state: (typeof TASK_STATES)[number]
      done: Generated<number>
      total: Generated<number | null>
      result: Generated<Record<string, unknown>>
      error: Generated<string | null>
      createdBy: string | null
      createdAt: Date
      finishedAt: Generated<Date | null>
    }
  }
}

export const findTask = (db: Database, reach: string[], id: string) =>
  db.selectFrom('tasks').selectAll().where('id', '=', id).where('organizationId', '=', anyOf(reach)).executeTakeFirst()

interface NewTask {
  kind: string
  organizationId: string
  createdBy: string
  total?: number
}

/** Answers its id, to be asked about. */
export async function startTask(db: Database, task: NewTask, now: Date): Promise<string> {
  const id = v7()
  await db
    .insertInto('tasks')
    .values({ ...task, id, state: 'created', createdAt: now })
    .execute()
  return id
}

export const progressTask = (db: Database, id: string, done: number, total: number) =>
  db.updateTable('tasks').set({ state: 'running', done, total }).where('id', '=', id).execute()

export const finishTask = (db: Database, id: string, result: Record<string, unknown>, now: Date) =>
  db
    .updateTable('tasks')
    .set(({ ref }) => ({ state: 'completed', total: ref('done'), result, finishedAt: now }))
    .where('id', '=', id)
    .execute()

export const failTask = (db: Database, id: string, error: string, now: Date) =>
  db.updateTable('tasks').set({ state: 'failed', error, finishedAt: now }).where('id', '=', id).execute()
