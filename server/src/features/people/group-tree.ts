import { moveGroup } from '@almoner/contract/people/groups'
import { type Sight, sightOf } from '../../platform/auth/sight.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { finishTask, progressTask, startTask } from '../tasks/index.ts'
import { isAutomatic, seenGroup } from './group-answers.ts'
import { changeGroup, findGroup, type GroupRow, groupsBelow, lockTree } from './queries/groups.ts'

export const groupTree = [
  implement(moveGroup, async ({ id, body: { toParentGroupId: parentGroupId } }, context) => {
    const { db, actor, events, audit, now } = context
    const { organizationId } = await seenGroup(context, id)
    await lockTree(db, organizationId)
    // Read again: another move may have been waited for.
    const group = await seenGroup(context, id)
    if (isAutomatic(group)) throw new Problem('AutomaticGroup')
    if (parentGroupId !== null) await checkParent(db, await sightOf(db, actor, [organizationId]), group, parentGroupId)
    audit.touched([], [organizationId])
    const task = { kind: 'move-group', organizationId, createdBy: actor.userId }
    const taskId = await startTask(db, task, now)
    if (group.parentGroupId !== parentGroupId) {
      await changeGroup(db, group, { parentGroupId, lastModifiedTime: now })
      await events.publish('group.moved', { organizationId, data: { groupId: id, parentGroupId } })
    }
    await progressTask(db, taskId, 1, 1)
    await finishTask(db, taskId, { 'group-id': id, 'parent-group-id': parentGroupId }, now)
    return { taskId }
  }),
]

async function checkParent(db: Database, sight: Sight, group: GroupRow, parentId: string): Promise<void> {
  const parent = await findGroup(db, sight, parentId)
  if (!parent) {
    const fault = 'must be the id of a group of the same organization'
    throw new Problem('InvalidValue', { pointer: '/to-parent-group-id', fault })
  }
  if (isAutomatic(parent)) throw new Problem('AutomaticGroup')
  if (parentId === group.id || (await groupsBelow(db, group.id)).includes(parentId)) throw new Problem('GroupCircle')
}
