import { createGroup, getGroup, listGroups, updateGroup } from '@almoner/contract/people/groups'
import { v7 } from 'uuid'
import type { Actor } from '../../platform/auth/actor.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { changeGroup, findGroup, type GroupRow, groupsPage, insertGroup } from './queries/groups.ts'

export const groups = [
  implement(listGroups, async (input, { db, actor, reach }) => {
    const { items, total } = await groupsPage(db, reach, input)
    return { items: items.map((group) => seenBy(actor, group)), total }
  }),

  implement(getGroup, async ({ id }, { db, actor, reach }) => seenBy(actor, found(await findGroup(db, reach, id)))),

  implement(createGroup, async ({ body }, { db, actor, events, now }) => {
    const group = await insertGroup(db, { ...body, id: v7(), createdAt: now, lastModifiedTime: now })
    await events.publish('group.created', eventOf(group))
    return seenBy(actor, group)
  }),

  implement(updateGroup, async ({ id, body }, { db, actor, reach, events, now }) => {
    const group = found(await changeGroup(db, reach, id, { ...body, lastModifiedTime: now }))
    await events.publish('group.updated', eventOf(group))
    return seenBy(actor, group)
  }),
]

function found(group: GroupRow | undefined): GroupRow {
  if (!group) throw new Problem('NotFound', { what: 'group' })
  return group
}

const seenBy = (actor: Actor, group: GroupRow) => ({
  ...group,
  selfCanWrite: actor.memberships.some(
    ({ organizationId, role }) =>
      organizationId === group.organizationId && updateGroup.access.roles.some((allowed) => allowed === role),
  ),
})

const eventOf = ({ id, name, organizationId }: GroupRow) => ({ organizationId, data: { groupId: id, name } })
