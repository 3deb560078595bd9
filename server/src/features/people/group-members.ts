import { type ErrorEntry, type EventData, errorEntry } from '@almoner/contract'
import {
  addIndividualsToGroup,
  addLeadersToGroup,
  addMembersToGroup,
  removeIndividualsFromGroup,
  removeLeadersFromGroup,
  removeMembersFromGroup,
} from '@almoner/contract/people/group-members'
import { sightOf } from '../../platform/auth/sight.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { type Context, implement } from '../../platform/http/implementation.ts'
import { groupAnswer, groupToChange, isAutomatic, type Shown, writing } from './group-answers.ts'
import {
  addIndividuals,
  addStaff,
  lockIndividuals,
  type Person,
  patientsAmong,
  removeIndividuals,
  removeOtherLeaders,
  removeStaff,
  type StaffKind,
  staffAmong,
  staffByAddress,
} from './queries/group-members.ts'
import { changeGroup, findGroup, type GroupRow, lockGroups } from './queries/groups.ts'

type Kind = EventData<'group.members-changed'>['kind']

export const groupMembers = [
  implement(addIndividualsToGroup, async ({ id, body }, context) => {
    const { db, now, audit } = context
    const { group, source } = await groupsToFill(context, id, body.removeFromGroup)
    if (group.type === 'provider_only') throw new Problem('ProviderOnlyGroup')
    const patients = await namedPatients(context, group, body.individualIds, '/individual-ids')
    refuseFaults(patients)
    await lockIndividuals(db, patients.ids)
    if (source)
      await tellOfChange(context, source, 'individuals', {
        removed: await removeIndividuals(db, source.id, patients.ids),
      })
    const added = await addIndividuals(db, group.id, patients.ids, now)
    audit.touched(patients.individualIds, [group.organizationId])
    return groupAnswer(context, await tellOfChange(context, group, 'individuals', { added }), body)
  }),

  implement(removeIndividualsFromGroup, async ({ id, body }, context) => {
    const { db, audit } = context
    const { group } = await groupsToFill(context, id)
    const patients = await namedPatients(context, group, body.individualIds, '/individual-ids', { orInGroup: true })
    refuseFaults(patients)
    await lockIndividuals(db, patients.ids)
    const removed = await removeIndividuals(db, group.id, patients.ids)
    audit.touched(patients.individualIds, [group.organizationId])
    return groupAnswer(context, await tellOfChange(context, group, 'individuals', { removed }), body)
  }),

  implement(addLeadersToGroup, ({ id, body }, context) => addToStaff(context, id, 'leader', body)),
  implement(addMembersToGroup, ({ id, body }, context) => addToStaff(context, id, 'member', body)),
  implement(removeLeadersFromGroup, ({ id, body }, context) => takeFromStaff(context, id, 'leader', body)),
  implement(removeMembersFromGroup, ({ id, body }, context) => takeFromStaff(context, id, 'member', body)),
]

interface NewStaff extends Shown {
  userIds?: string[]
  userEmails?: string[]
  removeFromGroup?: string
}

async function addToStaff(context: Context, id: string, kind: StaffKind, body: NewStaff) {
  const { db, now, audit } = context
  const { group, source } = await groupsToFill(context, id, body.removeFromGroup)
  if (!body.userIds && !body.userEmails) throw new Problem('MissingValue', { pointer: '/user-ids' })
  const named = await namedStaff(context, group, body.userIds ?? [], '/user-ids')
  const addressed = await addressedStaff(context, group, body.userEmails ?? [])
  refuseFaults(named, addressed)
  const ids = [...new Set([...named.ids, ...addressed.ids])]
  if (source) await tellOfChange(context, source, KINDS[kind], { removed: await removeStaff(db, source.id, kind, ids) })
  const added = await addStaff(db, group.id, kind, ids, now)
  audit.touched([...named.individualIds, ...addressed.individualIds], [group.organizationId])
  return groupAnswer(context, await tellOfChange(context, group, KINDS[kind], { added }), body)
}

async function takeFromStaff(context: Context, id: string, kind: StaffKind, body: Shown & { userIds: string[] }) {
  const { group } = await groupsToFill(context, id)
  const named = await namedStaff(context, group, body.userIds, '/user-ids', { orInGroup: true })
  refuseFaults(named)
  const removed = await removeStaff(context.db, group.id, kind, named.ids)
  context.audit.touched(named.individualIds, [group.organizationId])
  return groupAnswer(context, await tellOfChange(context, group, KINDS[kind], { removed }), body)
}

const KINDS = { leader: 'leaders', member: 'members' } as const

/** The set of leaders becomes exactly these. */
export async function replaceLeaders(context: Context, group: GroupRow, userIds: string[]): Promise<void> {
  const { db, now, audit } = context
  const leaders = await namedStaff(context, group, userIds, '/data/attributes/leader-ids')
  refuseFaults(leaders)
  const removed = await removeOtherLeaders(db, group.id, leaders.ids)
  const added = await addStaff(db, group.id, 'leader', leaders.ids, now)
  audit.touched(leaders.individualIds, [group.organizationId])
  await tellOfChange(context, group, 'leaders', { added, removed })
}

/** The group to change and the one to take people out of, both locked. */
async function groupsToFill(
  context: Context,
  id: string,
  sourceId?: string,
): Promise<{ group: GroupRow; source: GroupRow | undefined }> {
  const group = await groupToChange(context, id)
  if (isAutomatic(group)) throw new Problem('AutomaticGroup')
  const source = sourceId === undefined ? undefined : await groupToEmpty(context, group, sourceId)
  await lockGroups(context.db, source ? [id, source.id] : [id])
  return { group, source }
}

async function groupToEmpty(context: Context, group: GroupRow, id: string): Promise<GroupRow> {
  const { db, actor } = context
  const source = await findGroup(db, await sightOf(db, actor, [group.organizationId]), id)
  const isAnother = source !== undefined && source.id !== group.id
  const isWritable = isAnother && (await writing(context, [source]))(source)
  if (!isWritable) {
    const fault = 'must be the id of another group of the same organization that you may write to'
    throw new Problem('InvalidValue', { pointer: '/remove-from-group', fault })
  }
  if (isAutomatic(source)) throw new Problem('AutomaticGroup')
  return source
}

/** Who a list of ids names, each once, and which of its items name nobody who could be meant. */
interface Named {
  ids: string[]
  individualIds: string[]
  faults: ErrorEntry[]
}

const PATIENT = 'must be the id of an individual who is a patient of the organization and not archived'
const STAFF = 'must be the id of a user who is a provider or administrator of the organization and not archived'
const ADDRESS = 'must be the email or username of one provider or administrator of the organization who is not archived'

export async function namedPatients(
  { db, actor }: Context,
  group: GroupRow,
  ids: string[],
  pointer: string,
  { orInGroup = false } = {},
): Promise<Named> {
  const sight = await sightOf(db, actor, [group.organizationId])
  const known = ids.length > 0 ? await patientsAmong(db, sight, group, ids, { orInGroup }) : []
  return named(new Map(known.map((one) => [one.id, one])), ids, pointer, PATIENT)
}

export async function namedStaff(
  { db }: Context,
  group: GroupRow,
  ids: string[],
  pointer: string,
  { orInGroup = false } = {},
): Promise<Named> {
  const known = ids.length > 0 ? await staffAmong(db, group, ids, { orInGroup }) : []
  return named(new Map(known.map((one) => [one.id, one])), ids, pointer, STAFF)
}

async function addressedStaff({ db }: Context, group: GroupRow, addresses: string[]): Promise<Named> {
  const known = addresses.length > 0 ? await staffByAddress(db, group.organizationId, addresses) : []
  const meant = Map.groupBy(known, ({ address }) => address)
    .entries()
    .flatMap(([address, people]) => {
      // A username is one person's; an email may be shared, and then it does not say who is meant.
      const [first] = people
      const isOne = first?.isUsername || new Set(people.map(({ id }) => id)).size === 1
      return first && isOne ? [[address, first] as const] : []
    })
  return named(new Map(meant), addresses, '/user-emails', ADDRESS)
}

function named(known: Map<string, Person>, given: string[], pointer: string, fault: string): Named {
  const people = [...new Set(given)].flatMap((one) => known.get(one) ?? [])
  return {
    ids: [...new Set(people.map(({ id }) => id))],
    individualIds: people.map(({ individualId }) => individualId),
    faults: given.flatMap((one, index) =>
      known.has(one) ? [] : [errorEntry('InvalidValue', { pointer: `${pointer}/${index}`, fault })],
    ),
  }
}

export function refuseFaults(...all: Named[]): void {
  const faults = all.flatMap((one) => one.faults)
  if (faults.length > 0) throw Problem.of(faults)
}

/** Notes the time and publishes the event, when there was a change. */
export async function tellOfChange(
  { db, events, now }: Context,
  group: GroupRow,
  kind: Kind,
  { added = 0, removed = 0 }: { added?: number; removed?: number },
): Promise<GroupRow> {
  if (added === 0 && removed === 0) return group
  const { organizationId, id: groupId } = group
  await events.publish('group.members-changed', { organizationId, data: { groupId, kind, added, removed } })
  return changeGroup(db, group, { lastModifiedTime: now })
}
