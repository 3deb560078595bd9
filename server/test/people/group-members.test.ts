import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePatients, manyNames, type TestPatient } from '../support/patients.ts'
import {
  call,
  GROUPS,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
} from '../support/service.ts'

let service: TestService
let organizationId: string
let admin: Person
let leader: Person
let nurse: Person
let outsider: Person
let patients: TestPatient[]
let patientIds: string[]
let foreign: TestPatient

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  const elsewhere = await makeOrganization(service, 'Hilltop Practice')
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  leader = await makePerson(service, [{ organizationId, role: 'provider' }])
  nurse = await makePerson(service, [{ organizationId, role: 'provider' }])
  outsider = await makePerson(service, [{ organizationId: elsewhere, role: 'org-admin' }])
  patients = await makePatients(service, organizationId, manyNames(1001))
  patientIds = patients.map(({ individualId }) => individualId)
  foreign = (await makePatients(service, elsewhere, [['Fay', 'Reign']]))[0] as TestPatient
})

type NewGroup = Partial<Parameters<Person['almoner']['createGroup']>[0]['body']>

const makeGroup = async (more: NewGroup = {}) =>
  (await admin.almoner.createGroup({ body: { name: 'Group', organizationId, ...more } })).id

const act = (id: string, action: string, body: object, who = admin) =>
  call(service, `${GROUPS}${id}/${action}/`, { token: who.token, body })

const faults = ({ status, body }: Awaited<ReturnType<typeof act>>) => [
  status,
  ...(body.errors ?? []).map(({ code, meta }: { code: string; meta?: { pointer?: string } }) =>
    meta?.pointer ? `${code} ${meta.pointer}` : code,
  ),
]

const rowsOf = async (groupId: string) =>
  (await service.db.selectFrom('groupIndividuals').select('individualId').where('groupId', '=', groupId).execute())
    .length

const changesOf = async (groupId: string) => {
  const events = await service.db
    .selectFrom('events')
    .select('data')
    .where('kind', '=', 'group.members-changed')
    .orderBy('id')
    .execute()
  return events.flatMap(({ data }) => {
    const { groupId: of, ...change } = data as { groupId: string }
    return of === groupId ? [change] : []
  })
}

describe('individuals', () => {
  test('are added, each once, and taken out again', async () => {
    const id = await makeGroup()
    const [first, second, third] = patientIds as [string, string, string]
    const added = await admin.almoner.addIndividualsToGroup({ id, body: { individualIds: [first, second, first] } })
    expect(added).toMatchObject({ individualsCount: 2, individualIds: [first, second].toSorted() })
    expect(added).not.toHaveProperty('individuals')
    const again = await admin.almoner.addIndividualsToGroup({
      id,
      body: { individualIds: [second, third], withIndividuals: true, withMembers: true },
    })
    expect(again).toMatchObject({ individualsCount: 3, leaders: [], members: [] })
    expect(again.individuals).toHaveLength(3)
    const removed = await admin.almoner.removeIndividualsFromGroup({
      id,
      body: { individualIds: [first, patientIds[7] as string] },
    })
    expect(removed).toMatchObject({ individualsCount: 2, individualIds: [second, third].toSorted() })
    expect(await changesOf(id)).toEqual([
      { kind: 'individuals', added: 2, removed: 0 },
      { kind: 'individuals', added: 1, removed: 0 },
      { kind: 'individuals', added: 0, removed: 1 },
    ])
  })

  test('a call that changes nothing leaves the time and tells of nothing', async () => {
    const id = await makeGroup({ individualIds: patientIds.slice(0, 2) })
    const before = new Date('2024-05-01T12:00:00Z')
    await service.db.updateTable('individualGroups').set({ lastModifiedTime: before }).where('id', '=', id).execute()
    const same = await admin.almoner.addIndividualsToGroup({ id, body: { individualIds: patientIds.slice(0, 2) } })
    expect(same.lastModifiedTime).toEqual(before)
    expect(await changesOf(id)).toHaveLength(1)
    const changed = await admin.almoner.removeIndividualsFromGroup({
      id,
      body: { individualIds: patientIds.slice(0, 2) },
    })
    expect(changed.lastModifiedTime > before).toBe(true)
  })

  test.each(['add-individuals', 'remove-individuals'])('%s takes 1 to 1000', async (action) => {
    const id = await makeGroup()
    const send = async (count: number) => {
      const answer = await act(id, action, { 'individual-ids': patientIds.slice(0, count) })
      return [...faults(answer), answer.body.data?.attributes['individuals-count']]
    }
    expect(await send(0)).toEqual([400, 'InvalidValue /individual-ids', undefined])
    expect(await send(1)).toEqual([201, action === 'add-individuals' ? 1 : 0])
    expect(await send(1000)).toEqual([201, action === 'add-individuals' ? 1000 : 0])
    expect(await send(1001)).toEqual([400, 'InvalidValue /individual-ids', undefined])
    expect(await rowsOf(id)).toBe(action === 'add-individuals' ? 1000 : 0)
  })

  test('who may not be in the group is named, everyone at once, and nothing is stored', async () => {
    const id = await makeGroup()
    const archived = patients[500] as TestPatient
    await service.db.updateTable('users').set({ state: 'archived' }).where('id', '=', archived.userId).execute()
    const ids = [patientIds[0], foreign.individualId, nurse.individualId, archived.individualId, v7(), patientIds[1]]
    const pointers = [1, 2, 3, 4].map((index) => `InvalidValue /individual-ids/${index}`)
    expect(faults(await act(id, 'add-individuals', { 'individual-ids': ids }))).toEqual([400, ...pointers])
    expect(faults(await act(id, 'remove-individuals', { 'individual-ids': ids }))).toEqual([400, ...pointers])
    expect(await rowsOf(id)).toBe(0)
    await service.db.updateTable('users').set({ state: 'init' }).where('id', '=', archived.userId).execute()
  })

  test('who was archived while in the group can be taken out of it', async () => {
    const one = patients[501] as TestPatient
    const id = await makeGroup({ individualIds: [one.individualId] })
    await service.db.updateTable('users').set({ state: 'archived' }).where('id', '=', one.userId).execute()
    expect(faults(await act(id, 'remove-individuals', { 'individual-ids': [one.individualId] }))).toEqual([201])
    await service.db.updateTable('users').set({ state: 'init' }).where('id', '=', one.userId).execute()
    expect((await admin.almoner.getGroup({ id })).individualsCount).toBe(0)
  })

  test('are moved from one group to another in one call', async () => {
    const from = await makeGroup({ individualIds: patientIds.slice(0, 5) })
    const to = await makeGroup({ individualIds: patientIds.slice(0, 1) })
    const moved = await admin.almoner.addIndividualsToGroup({
      id: to,
      body: { individualIds: patientIds.slice(0, 3), removeFromGroup: from },
    })
    expect(moved.individualsCount).toBe(3)
    expect((await admin.almoner.getGroup({ id: from })).individualIds).toEqual(patientIds.slice(3, 5).toSorted())
    expect((await changesOf(from)).at(-1)).toEqual({ kind: 'individuals', added: 0, removed: 3 })
    expect((await changesOf(to)).at(-1)).toEqual({ kind: 'individuals', added: 2, removed: 0 })
  })

  test('are in the audit trail, with the organization', async () => {
    const id = await makeGroup()
    const someone = await makePerson(service, [{ organizationId, role: 'org-admin' }])
    await someone.almoner.addIndividualsToGroup({ id, body: { individualIds: patientIds.slice(0, 2) } })
    await someone.almoner.addLeadersToGroup({ id, body: { userIds: [nurse.userId] } })
    const { items } = await admin.almoner.listAuditEvents({ organizationId, filter: { userId: someone.userId } })
    const written = items.filter(({ operation }) => operation.startsWith('add-'))
    expect(written.map((one) => [one.operation, one.individualIds.toSorted()]).toSorted()).toEqual([
      ['add-individuals-to-group', patientIds.slice(0, 2).toSorted()],
      ['add-leaders-to-group', [nurse.individualId]],
    ])
  })
})

describe('calls at the same moment', () => {
  test('leave the counts exact', async () => {
    const [one, two] = [await makeGroup(), await makeGroup()]
    const some = (start: number) => patientIds.slice(start, start + 40)
    const calls = Array.from({ length: 24 }, (_, index) => {
      const [id, other] = index % 2 ? [one, two] : [two, one]
      const ids = index % 5 ? some((index * 7) % 60) : some((index * 7) % 60).toReversed()
      const body = { 'individual-ids': ids }
      if (index % 3 === 0) return act(id, 'remove-individuals', body)
      if (index % 3 === 1) return act(id, 'add-individuals', body)
      return act(id, 'add-individuals', { ...body, 'remove-from-group': other })
    })
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    for (const id of [one, two]) {
      const group = await admin.almoner.getGroup({ id })
      expect(group.individualsCount).toBe(await rowsOf(id))
      expect(group.individualIds).toHaveLength(group.individualsCount)
    }
  })

  test('also when the same people are added to many groups and archived meanwhile', async () => {
    const groups = await Promise.all(Array.from({ length: 6 }, () => makeGroup()))
    const people = patients.slice(600, 630)
    const ids = people.map(({ individualId }) => individualId)
    const setState = (state: 'archived' | 'init') =>
      service.db
        .updateTable('users')
        .set({ state })
        .where(
          'id',
          'in',
          people.slice(0, 10).map(({ userId }) => userId),
        )
        .execute()
    const adding = groups.map((id) => act(id, 'add-individuals', { 'individual-ids': ids.slice(10) }))
    const answers = await Promise.all([...adding, setState('archived'), setState('init')])
    expect(answers.slice(0, 6).map((answer) => (answer as { status: number }).status)).toEqual(Array(6).fill(201))
    const removing = groups.slice(0, 3).map((id) => act(id, 'remove-individuals', { 'individual-ids': ids.slice(15) }))
    await Promise.all([...removing, ...groups.map((id) => act(id, 'add-individuals', { 'individual-ids': ids }))])
    for (const id of groups) expect((await admin.almoner.getGroup({ id })).individualsCount).toBe(await rowsOf(id))
  })
})

describe('staff', () => {
  test.each([
    ['leaders', 'leader'],
    ['members', 'member'],
  ] as const)('%s are added, each once, and taken out again', async (kind, name) => {
    const id = await makeGroup()
    const body = { 'user-ids': [nurse.userId, admin.userId, nurse.userId], 'with-members': true }
    const added = await act(id, `add-${kind}`, body)
    expect(added.status).toBe(201)
    const ids = (answer: typeof added, of: string) =>
      answer.body.data.attributes[of].map((one: { id: string }) => one.id).toSorted()
    expect(ids(added, kind)).toEqual([nurse.userId, admin.userId].toSorted())
    expect(ids(added, kind === 'leaders' ? 'members' : 'leaders')).toEqual([])
    expect(added.body.data.attributes['leader-ids']).toHaveLength(kind === 'leaders' ? 2 : 0)
    expect(faults(await act(id, `add-${kind}`, { 'user-ids': [nurse.userId] }))).toEqual([201])
    const removed = await act(id, `remove-${kind}`, {
      'user-ids': [nurse.userId, leader.userId],
      'with-members': true,
      'with-individuals': true,
    })
    expect(ids(removed, kind)).toEqual([admin.userId])
    expect(removed.body.data.attributes.individuals).toEqual([])
    const rows = await service.db.selectFrom('groupStaff').select('kind').where('groupId', '=', id).execute()
    expect(rows).toEqual([{ kind: name }])
    expect(await changesOf(id)).toEqual([
      { kind, added: 2, removed: 0 },
      { kind, added: 0, removed: 1 },
    ])
  })

  test.each(['add-leaders', 'add-members', 'remove-leaders', 'remove-members'])(
    '%s takes 1 to 1000',
    async (action) => {
      const id = await makeGroup()
      const send = async (count: number) =>
        (await act(id, action, { 'user-ids': Array(count).fill(nurse.userId) })).status
      expect([await send(0), await send(1), await send(1000), await send(1001)]).toEqual([400, 201, 201, 400])
      expect(faults(await act(id, action, {}))).toEqual([400, 'MissingValue /user-ids'])
    },
  )

  test('may be named by email or username, in any case', async () => {
    const id = await makeGroup()
    await service.db
      .updateTable('individuals')
      .set({ email: 'Nina.Nurse@Example.org' })
      .where('id', '=', nurse.individualId)
      .execute()
    const added = await admin.almoner.addLeadersToGroup({
      id,
      body: { userEmails: ['nina.nurse@example.ORG', leader.username.toUpperCase(), nurse.username] },
    })
    expect(added.leaderIds).toEqual([nurse.userId, leader.userId].toSorted())
    const both = await admin.almoner.addMembersToGroup({
      id,
      body: { userIds: [nurse.userId], userEmails: [nurse.username], withMembers: true },
    })
    expect(both.members?.map((one) => one.id)).toEqual([nurse.userId])
  })

  test('an email that two share does not say who is meant', async () => {
    const id = await makeGroup()
    const twins = [
      await makePerson(service, [{ organizationId, role: 'provider' }]),
      await makePerson(service, [{ organizationId, role: 'provider' }]),
    ]
    const ids = twins.map(({ individualId }) => individualId)
    await service.db.updateTable('individuals').set({ email: 'desk@example.org' }).where('id', 'in', ids).execute()
    expect(faults(await act(id, 'add-members', { 'user-emails': ['desk@example.org'] }))).toEqual([
      400,
      'InvalidValue /user-emails/0',
    ])
  })

  test('who is no staff of the organization is named, everyone at once, and nothing is stored', async () => {
    const id = await makeGroup()
    const archived = await makePerson(service, [{ organizationId, role: 'provider' }])
    await service.db.updateTable('users').set({ state: 'archived' }).where('id', '=', archived.userId).execute()
    const body = {
      'user-ids': [nurse.userId, outsider.userId, patients[0]?.userId, archived.userId, nurse.individualId],
      'user-emails': [outsider.username, leader.username, archived.username],
    }
    const pointers = ['user-ids/1', 'user-ids/2', 'user-ids/3', 'user-ids/4', 'user-emails/0', 'user-emails/2']
    expect(faults(await act(id, 'add-leaders', body))).toEqual([400, ...pointers.map((at) => `InvalidValue /${at}`)])
    expect((await admin.almoner.getGroup({ id })).leaderIds).toEqual([])
  })

  test('who is staff no longer can still be taken out', async () => {
    const former = await makePerson(service, [{ organizationId, role: 'provider' }])
    const id = await makeGroup({ leaderIds: [former.userId] })
    await service.db.deleteFrom('memberships').where('userId', '=', former.userId).execute()
    expect(faults(await act(id, 'remove-leaders', { 'user-ids': [former.userId] }))).toEqual([201])
    const rows = await service.db.selectFrom('groupStaff').select('userId').where('groupId', '=', id).execute()
    expect(rows).toEqual([])
  })

  test('are taken out of another group in the same role, and in no other', async () => {
    const from = await makeGroup({ leaderIds: [nurse.userId, leader.userId] })
    await admin.almoner.addMembersToGroup({ id: from, body: { userIds: [nurse.userId] } })
    const to = await makeGroup()
    await admin.almoner.addLeadersToGroup({ id: to, body: { userIds: [nurse.userId], removeFromGroup: from } })
    const left = await admin.almoner.getGroup({ id: from, withMembers: true })
    expect(left.leaderIds).toEqual([leader.userId])
    expect(left.members?.map((one) => one.id)).toEqual([nurse.userId])
  })
})

describe('which groups', () => {
  const ACTIONS: [action: string, body: () => object][] = [
    ['add-individuals', () => ({ 'individual-ids': [patientIds[0]] })],
    ['add-leaders', () => ({ 'user-ids': [nurse.userId] })],
    ['add-members', () => ({ 'user-ids': [nurse.userId] })],
    ['remove-individuals', () => ({ 'individual-ids': [patientIds[0]] })],
    ['remove-leaders', () => ({ 'user-ids': [nurse.userId] })],
    ['remove-members', () => ({ 'user-ids': [nurse.userId] })],
  ]

  test.each(ACTIONS)(
    '%s is for administrators and for those who lead the group or one above it',
    async (action, body) => {
      const [top, below] = [await makeGroup({ leaderIds: [leader.userId] }), await makeGroup()]
      await admin.almoner.moveGroup({ id: below, body: { toParentGroupId: top } })
      const outcome = async (id: string, who: Person) => faults(await act(id, action, body(), who))
      expect(await outcome(top, admin)).toEqual([201])
      expect(await outcome(below, leader)).toEqual([201])
      expect(await outcome(top, leader)).toEqual([201])
      const unled = await makeGroup()
      await admin.almoner.addMembersToGroup({ id: unled, body: { userIds: [leader.userId] } })
      expect(await outcome(unled, leader)).toEqual([403, 'PermissionDenied'])
      expect(await outcome(unled, outsider)).toEqual([404, 'NotFound'])
      expect(await rowsOf(unled)).toBe(0)
    },
  )

  test.each(ACTIONS)('%s is not for groups that keep themselves', async (action, body) => {
    const { items } = await admin.almoner.listGroups({ organizationId, type: ['all_participants', 'unassigned'] })
    expect(items).toHaveLength(2)
    for (const { id } of items) expect(faults(await act(id, action, body()))).toEqual([400, 'AutomaticGroup'])
  })

  test('a care team takes no individuals', async () => {
    const id = await makeGroup({ type: 'provider_only' })
    expect(faults(await act(id, 'add-individuals', { 'individual-ids': [patientIds[0]] }))).toEqual([
      400,
      'ProviderOnlyGroup',
    ])
    expect(faults(await act(id, 'add-leaders', { 'user-ids': [nurse.userId] }))).toEqual([201])
  })

  test('people are taken out of another group of the organization that the caller may write to', async () => {
    const id = await makeGroup({ leaderIds: [leader.userId] })
    const unled = await makeGroup({ individualIds: patientIds.slice(0, 1) })
    const theirs = await outsider.almoner.createGroup({
      body: { name: 'Theirs', organizationId: (await outsider.almoner.listOrganizations()).items[0]?.id as string },
    })
    const [automatic] = (await admin.almoner.listGroups({ organizationId, type: ['unassigned'] })).items
    const outcome = async (from: string, who = admin) =>
      faults(await act(id, 'add-individuals', { 'individual-ids': [patientIds[0]], 'remove-from-group': from }, who))
    for (const wrong of [id, v7(), theirs.id])
      expect(await outcome(wrong)).toEqual([400, 'InvalidValue /remove-from-group'])
    expect(await outcome(unled, leader)).toEqual([400, 'InvalidValue /remove-from-group'])
    expect(await outcome(automatic?.id as string)).toEqual([400, 'AutomaticGroup'])
    expect([await rowsOf(id), await rowsOf(unled)]).toEqual([0, 1])
    expect(await outcome(unled)).toEqual([201])
    expect([await rowsOf(id), await rowsOf(unled)]).toEqual([1, 0])
  })
})

describe('who could be added', () => {
  let clinic: string
  let chief: Person
  let helper: Person
  let people: TestPatient[]
  let top: string
  let below: string

  beforeAll(async () => {
    clinic = await makeOrganization(service, 'Eligible')
    chief = await makePerson(service, [{ organizationId: clinic, role: 'org-admin' }])
    helper = await makePerson(service, [{ organizationId: clinic, role: 'provider' }])
    people = await makePatients(service, clinic, [
      ['Zoë', 'Álvarez'],
      ['Ana María', 'ruiz'],
      ['Bo', 'Lind'],
      ['Per', '100%'],
      ['Old', 'Gone'],
    ])
    const [zoe, ana, , , old] = people as [TestPatient, TestPatient, TestPatient, TestPatient, TestPatient]
    await service.db.updateTable('users').set({ state: 'archived' }).where('id', '=', old.userId).execute()
    await service.db
      .updateTable('users')
      .set({ phoneVerified: true, registrationInvite: 'sent' })
      .where('id', '=', ana.userId)
      .execute()
    const make = async (body: NewGroup) =>
      (await chief.almoner.createGroup({ body: { name: 'G', organizationId: clinic, ...body } })).id
    top = await make({ individualIds: [zoe.individualId], leaderIds: [helper.userId] })
    below = await make({ individualIds: [ana.individualId] })
    await chief.almoner.moveGroup({ id: below, body: { toParentGroupId: top } })
  })

  type Query = Omit<Parameters<Person['almoner']['getEligibleMembers']>[0], 'id'>
  const eligible = async (query: Query, id = top, who = chief) => {
    const { items, total } = await who.almoner.getEligibleMembers({ id, ...query })
    return [total, ...items.map(({ lastName }) => lastName)]
  }
  const patient = (query: Query = {}) => eligible({ memberType: 'individual', ...query })

  test('as an individual: patients who are neither archived nor in it, by last name', async () => {
    expect(await patient()).toEqual([3, '100%', 'Lind', 'ruiz'])
    expect(await patient({ page: { limit: 1, offset: 1 } })).toEqual([3, 'Lind'])
    expect(await patient({ page: { limit: 1, offset: 9 } })).toEqual([3])
    const [first] = (await chief.almoner.getEligibleMembers({ id: top, memberType: 'individual' })).items
    expect(first).toEqual({
      id: people[3]?.userId,
      individualId: people[3]?.individualId,
      firstName: 'Per',
      lastName: '100%',
      email: `${people[3]?.individualId}@example.org`,
      emailVerified: false,
      phoneVerified: false,
      verified: false,
      communicationPreferences: {},
      memberType: 'individual',
    })
  })

  test('for the groups below: those who are in none of them', async () => {
    expect(await patient({ forChildren: true })).toEqual([3, '100%', 'Álvarez', 'Lind'])
    expect(await eligible({ memberType: 'individual', forChildren: true }, below)).toEqual([
      4,
      '100%',
      'Álvarez',
      'Lind',
      'ruiz',
    ])
  })

  test.each([
    ['RUIZ', ['ruiz']],
    ['maria', ['ruiz']],
    ['ana ru', ['ruiz']],
    ['lind@', []],
    ['example.org', ['100%', 'Lind', 'ruiz']],
    ['%', ['100%']],
    ['％', ['100%']],
    ['_', []],
    ['\\', []],
    ['＼', []],
    ['gone', []],
    ['alvarez', []],
    [' ', ['100%', 'Lind', 'ruiz']],
  ])('with the text %s: %j', async (text, expected) => {
    expect(await patient({ filter: { text } })).toEqual([expected.length, ...expected])
  })

  test('by what is verified and how far the invitation is', async () => {
    expect(await patient({ filter: { verified: true } })).toEqual([1, 'ruiz'])
    expect(await patient({ filter: { verified: false } })).toEqual([2, '100%', 'Lind'])
    expect(await patient({ filter: { verified: [true, false] } })).toEqual([3, '100%', 'Lind', 'ruiz'])
    expect(await patient({ filter: { registrationInvite: 'sent' } })).toEqual([1, 'ruiz'])
    expect(await patient({ filter: { registrationInvite: ['none', 'failed'] } })).toEqual([2, '100%', 'Lind'])
    expect(await patient({ forChildren: true, filter: { verified: true } })).toEqual([0])
  })

  test('as a leader or member: staff who are not yet, each role by itself', async () => {
    const ids = async (query: Query, id = top) =>
      (await chief.almoner.getEligibleMembers({ id, ...query })).items.map((one) => one.id)
    expect(await ids({})).toEqual([chief.userId])
    expect(await ids({ memberType: 'member' })).toEqual([chief.userId, helper.userId].toSorted())
    expect(await ids({ forChildren: true })).toEqual([chief.userId, helper.userId].toSorted())
    await chief.almoner.addMembersToGroup({ id: below, body: { userIds: [chief.userId] } })
    expect(await ids({ memberType: 'member', forChildren: true })).toEqual([helper.userId])
    const archived = await makePerson(service, [{ organizationId: clinic, role: 'provider' }])
    await service.db.updateTable('users').set({ state: 'archived' }).where('id', '=', archived.userId).execute()
    expect(await ids({})).toEqual([chief.userId])
    expect((await chief.almoner.getEligibleMembers({ id: top })).items[0]).toMatchObject({ memberType: 'leader' })
  })

  test('is told to whoever may write to the group', async () => {
    expect(await eligible({ memberType: 'individual' }, below, helper)).toHaveLength(4)
    const unled = await chief.almoner.createGroup({ body: { name: 'U', organizationId: clinic } })
    await expect(helper.almoner.getEligibleMembers({ id: unled.id })).rejects.toMatchObject({
      code: 'PermissionDenied',
    })
    await expect(outsider.almoner.getEligibleMembers({ id: top })).rejects.toMatchObject({ status: 404 })
  })

  test('is nobody for a group that keeps itself, and no individual for a care team', async () => {
    const [automatic] = (await chief.almoner.listGroups({ organizationId: clinic, type: ['all_participants'] })).items
    await expect(chief.almoner.getEligibleMembers({ id: automatic?.id as string })).rejects.toMatchObject({
      code: 'AutomaticGroup',
    })
    const team = await chief.almoner.createGroup({
      body: { name: 'T', organizationId: clinic, type: 'provider_only' },
    })
    await expect(chief.almoner.getEligibleMembers({ id: team.id, memberType: 'individual' })).rejects.toMatchObject({
      code: 'ProviderOnlyGroup',
    })
  })
})

test('a restricted provider adds, and is offered, only patients of the groups in sight', async () => {
  const clinic = await makeOrganization(service, 'Restricted')
  await service.db
    .updateTable('organizations')
    .set({ restrictProvidersToGroups: true })
    .where('id', '=', clinic)
    .execute()
  const chief = await makePerson(service, [{ organizationId: clinic, role: 'org-admin' }])
  const helper = await makePerson(service, [{ organizationId: clinic, role: 'provider' }])
  const [seen, unseen] = (await makePatients(service, clinic, [
    ['Ana', 'Seen'],
    ['Bo', 'Unseen'],
  ])) as [TestPatient, TestPatient]
  const make = async (individualIds: string[], leaderIds: string[]) =>
    (await chief.almoner.createGroup({ body: { name: 'G', organizationId: clinic, individualIds, leaderIds } })).id
  await make([seen.individualId], [helper.userId])
  await make([unseen.individualId], [])
  const id = await make([], [helper.userId])
  const { items, total } = await helper.almoner.getEligibleMembers({ id, memberType: 'individual' })
  expect([total, ...items.map(({ lastName }) => lastName)]).toEqual([1, 'Seen'])
  const add = async (individualId: string) =>
    faults(await act(id, 'add-individuals', { 'individual-ids': [individualId] }, helper))
  expect(await add(unseen.individualId)).toEqual([400, 'InvalidValue /individual-ids/0'])
  expect(await add(seen.individualId)).toEqual([201])
})
