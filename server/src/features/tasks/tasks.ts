import { getTask } from '@almoner/contract/identity/tasks'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { findTask } from './queries.ts'

export const tasks = [
  implement(getTask, async ({ id }, { db, reach, actor }) => {
    const task = await findTask(db, reach, id)
    const isAdministrator = actor.memberships.some(
      ({ organizationId, role }) => organizationId === task?.organizationId && role === 'org-admin',
    )
    if (!task || (!isAdministrator && task.createdBy !== actor.userId)) throw new Problem('NotFound', { what: 'task' })
    return task
  }),
]
