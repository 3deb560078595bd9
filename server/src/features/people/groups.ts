import { createGroup, getGroup, listGroups, updateGroup } from '@almoner/contract/people/groups'
import { v7 } from 'uuid'
import { sightOf } from '../../platform/auth/sight.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { groupAnswer, groupAnswers, groupToChange, isAutomatic, seenGroup } from './group-answers.ts'
import { namedPatients, namedStaff, refuseFaults, replaceLeaders, tellOfChange } from './group-members.ts'
import { addIndividuals, addStaff } from './queries/group-members.ts'
import { changeGroup, type GroupRow, groupsPage, insertGroup, lockGroups } from './queries/groups.ts'

export const groups = [
  implement(listGroups, async (input, context) => {
    const { db, actor, reach } = context
    const { items, total } = await groupsPage(db, await sightOf(db, actor, reach), input)
    return { items: await groupAnswers(context, items, input), total }
  }),

  implement(getGroup, async ({ id, ...shown }, context) => groupAnswer(context, await seenGroup(context, id), shown)),

  implement(createGroup, async ({ body: { individualIds, leaderIds, ...body } }, context) => {
    const { db, audit, events, now } = context
    if (body.type === 'provider_only' && individualIds.length > 0) throw new Problem('ProviderOnlyGroup')
    const group = await insertGroup(db, { ...body, id: v7(), createdAt: now, lastModifiedTime: now })
    await events.publish('group.created', eventOf(group))
    const patients = await namedPatients(context, group, individualIds, '/data/attributes/individual-ids')
    const leaders = await namedStaff(context, group, leaderIds, '/data/attributes/leader-ids')
    refuseFaults(patients, leaders)
    const added = await addIndividuals(db, group.id, patients.ids, now)
    await tellOfChange(context, group, 'individuals', { added })
    await tellOfChange(context, group, 'leaders', { added: await addStaff(db, group.id, 'leader', leaders.ids, now) })
    audit.touched([...patients.individualIds, ...leaders.individualIds], [group.organizationId])
    return groupAnswer(context, group)
  }),

  implement(updateGroup, async ({ id, body: { leaderIds, ...change } }, context) => {
    const { db, events, now } = context
    const before = await groupToChange(context, id)
    if (isAutomatic(before) && (leaderIds || change.isActive === false)) throw new Problem('AutomaticGroup')
    await lockGroups(db, [id])
    if (leaderIds) await replaceLeaders(context, before, leaderIds)
    const group = await changeGroup(db, before, { ...change, lastModifiedTime: now })
    await events.publish('group.updated', eventOf(group))
    return groupAnswer(context, group)
  }),
]

const eventOf = ({ id, name, organizationId }: GroupRow) => ({ organizationId, data: { groupId: id, name } })
