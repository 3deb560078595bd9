// What a caller sees of groups, which of them the caller may write to, and how they are answered.

import { type Sight, sightOf } from '../../platform/auth/sight.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { Context } from '../../platform/http/implementation.ts'
import { individualIdsOf, individualsOf, staffOf, type Wanted } from './queries/group-members.ts'
import { findGroup, type Group, type GroupDetail, type GroupRow, groupDetails, groupsLedBy } from './queries/groups.ts'

const MOST_OF_A_GROUP = 10_000
const MOST_OF_A_LIST = 50_000

export async function seenGroup({ db, actor, reach }: Context, id: string): Promise<GroupRow> {
  const group = await findGroup(db, await sightOf(db, actor, reach), id)
  if (!group) throw new Problem('NotFound', { what: 'group' })
  return group
}

/** A group the caller may write to; one that is seen and not led is refused. */
export async function groupToChange(context: Context, id: string): Promise<GroupRow> {
  const group = await seenGroup(context, id)
  const isWritable = await writing(context, [group])
  if (!isWritable(group)) throw new Problem('PermissionDenied')
  return group
}

/** Administrators write to every group, providers to those they lead and those below. */
export async function writing(
  { db, actor, reach }: Context,
  groups: GroupRow[],
): Promise<(group: GroupRow) => boolean> {
  const administered = new Set(
    actor.memberships.flatMap(({ organizationId, role }) => (role === 'org-admin' ? [organizationId] : [])),
  )
  const isProviders = groups.some(({ organizationId }) => !administered.has(organizationId))
  const led = new Set(isProviders ? await groupsLedBy(db, actor.userId, reach) : [])
  return ({ id, organizationId }) => administered.has(organizationId) || led.has(id)
}

export const isAutomatic = ({ type }: GroupRow): boolean => type === 'all_participants' || type === 'unassigned'

export interface Shown {
  withIndividuals?: boolean
  withMembers?: boolean
}

/** One group, with what was asked for of those in it. */
export async function groupAnswer(
  context: Context,
  group: GroupRow,
  { withIndividuals = false, withMembers = false }: Shown = {},
): Promise<Group> {
  const { db, audit } = context
  const wanted = [{ id: group.id, most: MOST_OF_A_GROUP }]
  const [plain] = (await plainAnswers(context, [group])) as [Group]
  const inIt = withIndividuals
    ? shownIndividuals(context, group, await individualsOf(db, wanted))
    : { individualIds: await individualIdsOf(db, wanted) }
  if (!withMembers) return { ...plain, ...inIt }
  const staff = await staffOf(db, group.id)
  audit.touched(
    staff.map(({ individualId }) => individualId),
    [group.organizationId],
  )
  const ofKind = (kind: 'leader' | 'member') => staff.filter((one) => one.kind === kind)
  return { ...plain, ...inIt, leaders: ofKind('leader'), members: ofKind('member') }
}

/** A list of groups, in as many statements as one group takes. */
export async function groupAnswers(
  context: Context,
  groups: GroupRow[],
  { withIndividuals = false }: Pick<Shown, 'withIndividuals'>,
): Promise<Group[]> {
  const answers = await plainAnswers(context, groups)
  if (!withIndividuals) return answers
  const found = Map.groupBy(await individualsOf(context.db, rationed(answers)), ({ groupId }) => groupId)
  return answers.map((answer) => ({ ...answer, ...shownIndividuals(context, answer, found.get(answer.id) ?? []) }))
}

/** A list of a thousand groups must not become an answer of ten million people. */
function rationed(groups: Group[]): Wanted[] {
  let left = MOST_OF_A_LIST
  return groups.map(({ id, individualsCount }) => {
    const most = Math.min(MOST_OF_A_GROUP, left)
    left -= Math.min(most, individualsCount)
    return { id, most }
  })
}

function shownIndividuals(
  { audit }: Context,
  { organizationId }: Pick<Group, 'organizationId'>,
  individuals: NonNullable<Group['individuals']>,
): Pick<Group, 'individuals' | 'individualIds'> {
  const individualIds = individuals.map(({ id }) => id)
  audit.touched(individualIds, [organizationId])
  return { individuals, individualIds }
}

async function plainAnswers(context: Context, groups: GroupRow[]): Promise<Group[]> {
  const { db, actor, reach } = context
  const isWritable = await writing(context, groups)
  const sight = await sightOf(db, actor, reach)
  const details = await groupDetails(
    db,
    groups.map(({ id }) => id),
  )
  const byId = new Map(details.map((detail) => [detail.id, detail]))
  return groups.map((group) => {
    const { childCount, individualsCount, leaderIds, parentName } = byId.get(group.id) as GroupDetail
    const { parentGroupId, ...rest } = group
    const isParentSeen = parentGroupId !== null && isInSight(sight, group.organizationId, parentGroupId)
    return {
      ...rest,
      parentGroup: isParentSeen && parentName !== null ? { id: parentGroupId, name: parentName } : null,
      childCount,
      individualsCount,
      leaderIds,
      selfCanWrite: isWritable(group),
    }
  })
}

const isInSight = ({ organizationIds, groupIds }: Sight, organizationId: string, groupId: string): boolean =>
  organizationIds.includes(organizationId) || groupIds.includes(groupId)
