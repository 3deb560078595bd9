import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePatients, type TestPatient } from '../support/patients.ts'
import {
  call,
  GROUPS,
  groupBody,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../support/service.ts'

let service: TestService
let organizationId: string
let otherOrganizationId: string
let admin: Person
let provider: Person
let patient: Person
let outsider: Person

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  otherOrganizationId = await makeOrganization(service, 'Hilltop Practice')
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  provider = await makePerson(service, [{ organizationId, role: 'provider' }])
  patient = await makePerson(service, [{ organizationId, role: 'patient' }])
  outsider = await makePerson(service, [{ organizationId: otherOrganizationId, role: 'org-admin' }])
})

const names = async (query: Parameters<Person['almoner']['listGroups']>[0], who = admin) =>
  (await who.almoner.listGroups(query)).items.map(({ name }) => name)

describe('creating a group', () => {
  test('answers it as it was stored, with what was left out filled in', async () => {
    const group = await admin.almoner.createGroup({ body: { name: 'Cardiology', organizationId } })
    expect(group).toMatchObject({
      name: 'Cardiology',
      organizationId,
      nodeType: 'group',
      type: 'regular',
      tags: [],
      isActive: true,
      selfCanWrite: true,
      parentGroup: null,
      childCount: 0,
      individualsCount: 0,
      individualIds: [],
      leaderIds: [],
    })
    expect(group.lastModifiedTime).toBeInstanceOf(Date)
    expect(await admin.almoner.getGroup({ id: group.id })).toEqual(group)
  })

  test('writes its event in the same transaction', async () => {
    const group = await admin.almoner.createGroup({ body: { name: 'Evented', organizationId } })
    const events = await service.db.selectFrom('events').selectAll().where('kind', '=', 'group.created').execute()
    expect(events.filter(({ data }) => (data as { groupId: string }).groupId === group.id)).toHaveLength(1)
  })

  test('is for administrators of that organization', async () => {
    const attempt = (who: Person, organization: string) =>
      call(service, GROUPS, { token: who.token, body: groupBody({ name: 'X', 'organization-id': organization }) })
    const outcome = async (who: Person, organization: string) => {
      const { status, body } = await attempt(who, organization)
      return [status, body.errors?.[0].code]
    }
    expect(await outcome(provider, organizationId)).toEqual([403, 'PermissionDenied'])
    expect(await outcome(patient, organizationId)).toEqual([403, 'PermissionDenied'])
    expect(await outcome(outsider, organizationId)).toEqual([404, 'NotFound'])
    expect(await outcome(admin, v7())).toEqual([404, 'NotFound'])
  })

  test.each([
    ['name', 'x'.repeat(255), 201],
    ['name', 'x'.repeat(256), 400],
    ['name', '', 400],
    ['tags', ['x'.repeat(127)], 201],
    ['tags', ['x'.repeat(128)], 400],
    ['type', 'all_participants', 400],
    ['node-type', 'division', 201],
  ])('a %s like %s is answered %s', async (attribute, value, status) => {
    const body = groupBody({ name: 'Limits', 'organization-id': organizationId, [attribute]: value })
    expect((await call(service, GROUPS, { token: admin.token, body })).status).toBe(status)
  })
})

describe('creating a group with people in it', () => {
  let patients: TestPatient[]
  let foreign: TestPatient[]

  beforeAll(async () => {
    patients = await makePatients(service, organizationId, [
      ['Ana', 'Ruiz'],
      ['Bo', 'Lind'],
    ])
    foreign = await makePatients(service, otherOrganizationId, [['Cy', 'Young']])
  })

  test('stores them with it, each once', async () => {
    const individualIds = patients.map(({ individualId }) => individualId)
    const group = await admin.almoner.createGroup({
      body: {
        name: 'Full',
        organizationId,
        individualIds: [...individualIds, ...individualIds],
        leaderIds: [provider.userId, admin.userId, provider.userId],
      },
    })
    expect(group.individualIds).toEqual(individualIds.toSorted())
    expect(group.individualsCount).toBe(2)
    expect(group.leaderIds).toEqual([provider.userId, admin.userId].toSorted())
    const events = await service.db
      .selectFrom('events')
      .select('data')
      .where('kind', '=', 'group.members-changed')
      .execute()
    expect(events.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { groupId: group.id, kind: 'individuals', added: 2, removed: 0 },
        { groupId: group.id, kind: 'leaders', added: 2, removed: 0 },
      ]),
    )
  })

  test('names every one who may not be in it, and stores nothing', async () => {
    const body = groupBody({
      name: 'Never stored',
      'organization-id': organizationId,
      'individual-ids': [patients[0]?.individualId, foreign[0]?.individualId, provider.individualId, v7()],
      'leader-ids': [patients[0]?.userId, provider.userId, outsider.userId],
    })
    const answer = await call(service, GROUPS, { token: admin.token, body })
    expect(answer.status).toBe(400)
    expect(
      answer.body.errors.map(({ code, meta }: { code: string; meta: { pointer: string } }) => [code, meta.pointer]),
    ).toEqual([
      ['InvalidValue', '/data/attributes/individual-ids/1'],
      ['InvalidValue', '/data/attributes/individual-ids/2'],
      ['InvalidValue', '/data/attributes/individual-ids/3'],
      ['InvalidValue', '/data/attributes/leader-ids/0'],
      ['InvalidValue', '/data/attributes/leader-ids/2'],
    ])
    expect(await names({ organizationId, name: 'Never stored' })).toEqual([])
  })

  test('a care team takes leaders and no individuals', async () => {
    const individualIds = patients.map(({ individualId }) => individualId)
    const careTeam = { name: 'Care team', organizationId, type: 'provider_only' as const, leaderIds: [provider.userId] }
    await expect(admin.almoner.createGroup({ body: { ...careTeam, individualIds } })).rejects.toMatchObject({
      status: 400,
      code: 'ProviderOnlyGroup',
    })
    expect((await admin.almoner.createGroup({ body: careTeam })).leaderIds).toEqual([provider.userId])
  })
})

describe('what a group answers', () => {
  let id: string
  let patients: TestPatient[]

  beforeAll(async () => {
    patients = await makePatients(service, organizationId, [
      ['Ana', 'Ruiz'],
      ['Bo', 'Lind'],
    ])
    await service.db
      .updateTable('individuals')
      .set({ birthDate: '1950-02-03', tz: 'America/New_York', communicationPreferences: { sms: { mode: 'off' } } })
      .where('id', '=', patients[0]?.individualId as string)
      .execute()
    const group = await admin.almoner.createGroup({
      body: {
        name: 'Answering',
        organizationId,
        individualIds: patients.map(({ individualId }) => individualId),
        leaderIds: [provider.userId],
      },
    })
    id = group.id
    await admin.almoner.addMembersToGroup({ id, body: { userIds: [admin.userId] } })
  })

  const attributes = async (path: string) => (await call(service, path, { token: admin.token })).body.data.attributes

  test('has ids of individuals and leaders, and nothing more unless asked', async () => {
    const group = await admin.almoner.getGroup({ id })
    expect(group.individualIds).toHaveLength(2)
    expect(group.leaderIds).toEqual([provider.userId])
    for (const name of ['individuals', 'leaders', 'members']) expect(group).not.toHaveProperty(name)
  })

  test('has the individuals when asked', async () => {
    const { individuals, 'individual-ids': ids } = await attributes(`${GROUPS}${id}/?with-individuals=true`)
    expect(ids).toEqual(patients.map(({ individualId }) => individualId).toSorted())
    expect(individuals.map((one: { id: string }) => one.id)).toEqual(ids)
    expect(individuals.find((one: { id: string }) => one.id === patients[0]?.individualId)).toEqual({
      'birth-date': '1950-02-03',
      'communication-preferences': { sms: { mode: 'off' } },
      'email-verified': false,
      'first-name': 'Ana',
      id: patients[0]?.individualId,
      'last-name': 'Ruiz',
      name: 'Ana Ruiz',
      owner: { id: organizationId, type: 'organizations' },
      'phone-verified': false,
      'preferred-name': null,
      registered: false,
      'registration-invite': 'none',
      tz: 'America/New_York',
      verified: false,
    })
  })

  test('has the staff when asked', async () => {
    const { leaders, members } = await attributes(`${GROUPS}${id}/?with-members=true`)
    const staff = (person: Person) => ({
      'communication-preferences': {},
      'created-by-id': null,
      email: person.username,
      'email-verified': true,
      'first-name': 'Ada',
      id: person.userId,
      'individual-id': person.individualId,
      'last-name': 'Person',
      'phone-verified': false,
      'registration-invite': 'none',
      verified: true,
    })
    expect(leaders).toEqual([{ ...staff(provider), enabled: true }])
    expect(members).toEqual([staff(admin)])
  })

  test('tells the audit trail whose records were shown', async () => {
    const reader = await makePerson(service, [{ organizationId, role: 'provider' }])
    await reader.almoner.getGroup({ id })
    await reader.almoner.getGroup({ id, withIndividuals: true, withMembers: true })
    const touched = async () =>
      (await admin.almoner.listAuditEvents({ organizationId, filter: { userId: reader.userId } })).items.filter(
        ({ operation }) => operation === 'get-group',
      )
    await until(async () => (await touched()).length > 0)
    const people = [...patients, provider, admin].map(({ individualId }) => individualId)
    expect((await touched()).map(({ individualIds }) => individualIds.toSorted())).toEqual([people.toSorted()])
  })

  test('archived individuals leave the group and come back', async () => {
    const [first, second] = patients as [TestPatient, TestPatient]
    const setState = (state: 'archived' | 'init') =>
      service.db.updateTable('users').set({ state }).where('id', '=', first.userId).execute()
    await setState('archived')
    expect(await admin.almoner.getGroup({ id })).toMatchObject({
      individualsCount: 1,
      individualIds: [second.individualId],
    })
    await setState('init')
    expect((await admin.almoner.getGroup({ id })).individualsCount).toBe(2)
  })

  test('archived staff, and those who are staff no longer, are left out', async () => {
    const [archived, former] = [
      await makePerson(service, [{ organizationId, role: 'provider' }]),
      await makePerson(service, [{ organizationId, role: 'provider' }]),
    ]
    await admin.almoner.addLeadersToGroup({ id, body: { userIds: [archived.userId, former.userId] } })
    expect((await admin.almoner.getGroup({ id })).leaderIds).toHaveLength(3)
    await service.db.updateTable('users').set({ state: 'archived' }).where('id', '=', archived.userId).execute()
    await service.db.deleteFrom('memberships').where('userId', '=', former.userId).execute()
    const group = await admin.almoner.getGroup({ id, withMembers: true })
    expect(group.leaderIds).toEqual([provider.userId])
    expect(group.leaders?.map((one) => one.id)).toEqual([provider.userId])
    expect(await names({ organizationId, filter: { leaderId: archived.userId } })).toEqual([])
  })
})

describe('the groups that keep themselves', () => {
  test('hold every patient, and every patient in no group', async () => {
    const clinic = await makeOrganization(service, 'Automatic')
    const chief = await makePerson(service, [{ organizationId: clinic, role: 'org-admin' }])
    const people = await makePatients(service, clinic, [
      ['Ana', 'Ruiz'],
      ['Bo', 'Lind'],
      ['Cy', 'Young'],
    ])
    const [first, second, third] = people.map(({ individualId }) => individualId) as [string, string, string]
    await chief.almoner.createGroup({ body: { name: 'Some', organizationId: clinic, individualIds: [first] } })
    await service.db
      .updateTable('users')
      .set({ state: 'archived' })
      .where('id', '=', people[2]?.userId as string)
      .execute()
    const automatic = async (query: Parameters<typeof chief.almoner.listGroups>[0] = {}) =>
      (await chief.almoner.listGroups({ organizationId: clinic, type: ['all_participants', 'unassigned'], ...query }))
        .items
    const counts = (await automatic()).map(({ name, individualsCount }) => [name, individualsCount])
    expect(counts).toEqual([
      ['All participants', 2],
      ['Unassigned', 1],
    ])
    const [everyone, unassigned] = (await automatic({ withIndividuals: true })).map((group) => group.individualIds)
    expect(everyone).toEqual([first, second].toSorted())
    expect(unassigned).toEqual([second])
    const of = async (individualId: string) => (await automatic({ filter: { individualId } })).map(({ name }) => name)
    expect(await of(first)).toEqual(['All participants'])
    expect(await of(second)).toEqual(['All participants', 'Unassigned'])
    expect(await of(third)).toEqual([])
  })

  test('can be renamed and tagged by administrators, and nothing else', async () => {
    const clinic = await makeOrganization(service, 'Fixed')
    const chief = await makePerson(service, [{ organizationId: clinic, role: 'org-admin' }])
    const nurse = await makePerson(service, [{ organizationId: clinic, role: 'provider' }])
    const [group] = (await chief.almoner.listGroups({ organizationId: clinic, type: ['unassigned'] })).items
    const id = group?.id as string
    const update = (body: Parameters<typeof chief.almoner.updateGroup>[0]['body'], who = chief) =>
      who.almoner.updateGroup({ id, body })
    expect(await update({ name: 'New here', tags: ['triage'], isActive: true })).toMatchObject({ name: 'New here' })
    await expect(update({ isActive: false })).rejects.toMatchObject({ status: 400, code: 'AutomaticGroup' })
    await expect(update({ leaderIds: [nurse.userId] })).rejects.toMatchObject({ code: 'AutomaticGroup' })
    await expect(update({ name: 'Mine' }, nurse)).rejects.toMatchObject({ code: 'PermissionDenied' })
  })
})

describe('changing a group', () => {
  test('replaces the leaders as a whole', async () => {
    const [one, two] = [
      await makePerson(service, [{ organizationId, role: 'provider' }]),
      await makePerson(service, [{ organizationId, role: 'provider' }]),
    ]
    const { id } = await admin.almoner.createGroup({
      body: { name: 'Led', organizationId, leaderIds: [one.userId, provider.userId] },
    })
    const lead = (leaderIds: string[]) => admin.almoner.updateGroup({ id, body: { leaderIds } })
    expect((await lead([two.userId, two.userId, provider.userId])).leaderIds).toEqual(
      [two.userId, provider.userId].toSorted(),
    )
    await expect(lead([two.userId, patient.userId])).rejects.toMatchObject({
      code: 'InvalidValue',
      errors: [{ meta: { pointer: '/data/attributes/leader-ids/1' } }],
    })
    expect((await admin.almoner.getGroup({ id })).leaderIds).toHaveLength(2)
    expect((await lead([])).leaderIds).toEqual([])
  })

  test('takes it out of lists and puts it back', async () => {
    const { id } = await admin.almoner.createGroup({ body: { name: 'Closing', organizationId } })
    expect((await admin.almoner.updateGroup({ id, body: { isActive: false } })).isActive).toBe(false)
    expect(await names({ organizationId, name: 'closing' })).toEqual([])
    await admin.almoner.updateGroup({ id, body: { isActive: true } })
    expect(await names({ organizationId, name: 'closing' })).toEqual(['Closing'])
  })

  test('changes what is given and leaves the rest', async () => {
    const group = await admin.almoner.createGroup({ body: { name: 'Before', organizationId, tags: ['kept'] } })
    const changed = await admin.almoner.updateGroup({ id: group.id, body: { name: 'After' } })
    expect(changed).toMatchObject({ name: 'After', tags: ['kept'] })
    expect(changed.lastModifiedTime >= group.lastModifiedTime).toBe(true)
  })

  test('takes an id in the body only when it is the one in the path', async () => {
    const { id } = await admin.almoner.createGroup({ body: { name: 'Same', organizationId } })
    const patch = (bodyId: string) =>
      call(service, `${GROUPS}${id}/`, {
        method: 'PATCH',
        token: admin.token,
        body: { data: { type: 'individual-groups', id: bodyId, attributes: { name: 'New' } } },
      })
    expect((await patch(id)).status).toBe(200)
    expect((await patch(id.toUpperCase())).status).toBe(200)
    const other = await patch(v7())
    expect([other.status, other.body.errors[0].meta.pointer]).toEqual([400, '/data/id'])
  })

  test('a uuid is the same in capitals', async () => {
    const { id } = await admin.almoner.createGroup({
      body: { name: 'Capital', organizationId: organizationId.toUpperCase() },
    })
    const listed = await call(service, `${GROUPS}${id.toUpperCase()}/?`, { token: admin.token })
    expect(listed.body.data.id).toBe(id)
  })

  test("another organization's group is not found", async () => {
    const { id } = await admin.almoner.createGroup({ body: { name: 'Ours', organizationId } })
    await expect(outsider.almoner.getGroup({ id })).rejects.toMatchObject({ status: 404 })
    await expect(outsider.almoner.updateGroup({ id, body: { name: 'Theirs' } })).rejects.toMatchObject({ status: 404 })
    expect((await admin.almoner.getGroup({ id })).name).toBe('Ours')
  })
})

describe('listing groups', () => {
  let listed: string

  beforeAll(async () => {
    listed = await makeOrganization(service, 'Listed')
    admin = await makePerson(service, [
      { organizationId: listed, role: 'org-admin' },
      { organizationId, role: 'org-admin' },
    ])
    await admin.almoner.createGroup({ body: { name: 'alpha', organizationId: listed, tags: ['red', 'blue'] } })
    await admin.almoner.createGroup({
      body: { name: 'Beta 100%', organizationId: listed, nodeType: 'division', tags: ['red'] },
    })
    await admin.almoner.createGroup({ body: { name: 'gamma_ray', organizationId: listed, type: 'provider_only' } })
    await service.db
      .updateTable('individualGroups')
      .set({ lastModifiedTime: new Date('2024-05-01T12:00:00Z') })
      .where('name', '=', 'alpha')
      .execute()
    await service.db.updateTable('individualGroups').set({ isActive: false }).where('name', '=', 'gamma_ray').execute()
  })

  test('is in the order of names, whatever their case, without inactive ones', async () => {
    expect(await names({ organizationId: listed })).toEqual(['alpha', 'Beta 100%'])
    expect(await names({ organizationId: listed, filter: { includeInactive: true } })).toEqual([
      'alpha',
      'Beta 100%',
      'gamma_ray',
    ])
  })

  test.each([
    [{ filter: { nodeType: 'division' } }, ['Beta 100%']],
    [{ filter: { nodeType: ['division', 'group'] } }, ['alpha', 'Beta 100%']],
    [{ filter: { text: 'ETA' } }, ['Beta 100%']],
    [{ filter: { text: '%' } }, ['Beta 100%']],
    [{ filter: { text: '_' } }, []],
    [{ filter: { tags: ['blue'] } }, ['alpha']],
    [{ filter: { tags: ['blue', 'red'] } }, ['alpha', 'Beta 100%']],
    [{ name: 'ALPHA' }, ['alpha']],
    [{ type: ['provider_only'], filter: { includeInactive: true } }, ['gamma_ray']],
    [{ filter: { cmpLastModifiedTime: { lt: new Date('2024-05-01T12:00:01Z') } } }, ['alpha']],
    [{ filter: { cmpLastModifiedTime: { lt: new Date('2024-05-01T12:00:00Z') } } }, []],
    [
      {
        filter: {
          cmpLastModifiedTime: { gte: new Date('2024-05-01T12:00:00Z'), lte: new Date('2024-05-01T12:00:00Z') },
        },
      },
      ['alpha'],
    ],
    [{ filter: { cmpLastModifiedTime: { gt: new Date('2024-05-01T12:00:00Z'), orAbsent: true } } }, ['Beta 100%']],
  ] as const)('with %j it is %j', async (query, expected) => {
    expect(await names({ organizationId: listed, ...(query as object) })).toEqual(expected)
  })

  test('a repeated filter means and, and its value may be in any case', async () => {
    const both = await call(
      service,
      `${GROUPS}?organization-id=${listed}&filter[node-type]=division,group&filter[node-type]=GROUP`,
      { token: admin.token },
    )
    expect(both.body.data.map((group: { attributes: { name: string } }) => group.attributes.name)).toEqual(['alpha'])
  })

  test('walks all pages, each group once', async () => {
    const walked: string[] = []
    for await (const { name } of admin.almoner.listGroups.each({
      organizationId: listed,
      page: { limit: 1 },
      filter: { includeInactive: true },
    }))
      walked.push(name)
    expect(walked).toEqual(['alpha', 'Beta 100%', 'gamma_ray'])
  })

  test('reaches every organization of the caller, and no other', async () => {
    const organizations = new Set(
      (await admin.almoner.listGroups({ page: { limit: 1000 } })).items.map((group) => group.organizationId),
    )
    expect(organizations).toEqual(new Set([listed, organizationId]))
    expect(await names({}, outsider)).toEqual([])
    await expect(outsider.almoner.listGroups({ organizationId: listed })).rejects.toMatchObject({ status: 404 })
    await expect(patient.almoner.listGroups()).rejects.toMatchObject({ status: 403, code: 'PermissionDenied' })
  })
})

describe('finding groups by what they hold and where they stand', () => {
  let clinic: string
  let chief: Person
  let nurse: Person
  let inEast: string
  let nowhere: string
  let closed: string
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    clinic = await makeOrganization(service, 'Tree')
    chief = await makePerson(service, [{ organizationId: clinic, role: 'org-admin' }])
    nurse = await makePerson(service, [{ organizationId: clinic, role: 'provider' }])
    const people = await makePatients(service, clinic, [
      ['Ana', 'Ruiz'],
      ['Bo', 'Lind'],
      ['Cy', 'Young'],
    ])
    ;[inEast, nowhere, closed] = people.map(({ individualId }) => individualId) as [string, string, string]
    await service.db.updateTable('users').set({ state: 'archived' }).where('individualId', '=', closed).execute()
    const make = async (name: string, more: object = {}) => {
      ids[name] = (await chief.almoner.createGroup({ body: { name, organizationId: clinic, ...more } })).id
    }
    await make('Region', { nodeType: 'division' })
    await make('East', { individualIds: [inEast], leaderIds: [nurse.userId] })
    await make('West')
    await make('Team', { type: 'provider_only', leaderIds: [nurse.userId] })
    await make('Old')
    for (const name of ['East', 'West'])
      await chief.almoner.moveGroup({ id: ids[name] as string, body: { toParentGroupId: ids.Region as string } })
    await chief.almoner.moveGroup({ id: ids.Old as string, body: { toParentGroupId: ids.West as string } })
    await chief.almoner.updateGroup({ id: ids.Old as string, body: { isActive: false } })
  })

  const ways: [what: string, query: () => string, expected: string[]][] = [
    ['filter[individual-id]', () => `filter[individual-id]=${inEast}`, ['East']],
    ['filter[individual-id] of nobody', () => `filter[individual-id]=${nowhere}`, []],
    ['filter[individual-id] of either', () => `filter[individual-id]=${nowhere},${inEast}`, ['East']],
    ['filter[individual-id] of both', () => `filter[individual-id]=${nowhere}&filter[individual-id]=${inEast}`, []],
    ['exclude[individual-id]', () => `exclude[individual-id]=${inEast}`, ['Region', 'Team', 'West']],
    ['exclude[individual-id] of nobody', () => `exclude[individual-id]=${nowhere}`, ['East', 'Region', 'Team', 'West']],
    ['filter[eligible-individual-id]', () => `filter[eligible-individual-id]=${inEast}`, ['Region', 'West']],
    [
      'filter[eligible-individual-id], inactive ones too,',
      () => `filter[eligible-individual-id]=${nowhere}&filter[include-inactive]=true`,
      ['East', 'Region', 'West'],
    ],
    ['filter[eligible-individual-id] of archived', () => `filter[eligible-individual-id]=${closed}`, []],
    ['filter[eligible-individual-id] of others', () => `filter[eligible-individual-id]=${patient.individualId}`, []],
    ['filter[leader-id]', () => `filter[leader-id]=${nurse.userId}`, ['East', 'Team']],
    ['filter[leader-id] of no leader', () => `filter[leader-id]=${chief.userId}`, []],
    ['filter[parent-group-id]', () => `filter[parent-group-id]=${ids.Region}`, ['East', 'West']],
    ['filter[parent-group-id] of a leaf', () => `filter[parent-group-id]=${ids.East}`, []],
    ['filter[tree-node-type]=leaf', () => 'filter[tree-node-type]=leaf', ['East', 'Team', 'West']],
    ['filter[tree-node-type]=non-leaf', () => 'filter[tree-node-type]=non-leaf', ['Region']],
    ['filter[exclude-ids]', () => `filter[exclude-ids]=${ids.East},${ids.Team}`, ['Region', 'West']],
    ['ids', () => `ids=${ids.East},${ids.Team},${v7()}`, ['East', 'Team']],
    ['ids of inactive ones', () => `ids=${ids.Old}`, []],
  ]

  test.each(ways)('by %s', async (_, query, expected) => {
    const { status, body } = await call(service, `${GROUPS}?organization-id=${clinic}&${query()}`, {
      token: chief.token,
    })
    expect([status, body.data.map((group: { attributes: { name: string } }) => group.attributes.name)]).toEqual([
      200,
      expected,
    ])
  })

  test('each says what stands above and below it', async () => {
    const { items } = await chief.almoner.listGroups({ organizationId: clinic })
    expect(items.map(({ name, parentGroup, childCount }) => [name, parentGroup?.name ?? null, childCount])).toEqual([
      ['East', 'Region', 0],
      ['Region', null, 2],
      ['Team', null, 0],
      ['West', 'Region', 0],
    ])
  })

  test('individuals are in the list only when asked for, and staff never', async () => {
    const list = async (withIndividuals: boolean) =>
      (await chief.almoner.listGroups({ organizationId: clinic, withIndividuals })).items
    for (const group of await list(false)) {
      expect(group).not.toHaveProperty('individualIds')
      expect(group).not.toHaveProperty('individuals')
    }
    const [east, region] = await list(true)
    expect(east?.individualIds).toEqual([inEast])
    expect(east?.individuals?.map(({ name }) => name)).toEqual(['Ana Ruiz'])
    expect(region).toMatchObject({ individualIds: [], individuals: [] })
    expect(east).not.toHaveProperty('leaders')
    expect(east).not.toHaveProperty('members')
  })
})

describe('who sees and writes', () => {
  let clinic: string
  let chief: Person
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    clinic = await makeOrganization(service, 'Restricted')
    chief = await makePerson(service, [{ organizationId: clinic, role: 'org-admin' }])
    const [own, other] = (await makePatients(service, clinic, [
      ['Ana', 'Ruiz'],
      ['Bo', 'Lind'],
    ])) as [TestPatient, TestPatient]
    const make = async (name: string, individualIds: string[] = []) => {
      ids[name] = (await chief.almoner.createGroup({ body: { name, organizationId: clinic, individualIds } })).id
    }
    await make('Top')
    await make('Mine', [own.individualId])
    await make('Below')
    await make('Joined')
    await make('Apart', [other.individualId])
    ids.own = own.individualId
    ids.other = other.individualId
    const move = (name: string, to: string) =>
      chief.almoner.moveGroup({ id: ids[name] as string, body: { toParentGroupId: ids[to] as string } })
    await move('Mine', 'Top')
    await move('Below', 'Mine')
  })

  const makeNurse = async () => {
    const nurse = await makePerson(service, [{ organizationId: clinic, role: 'provider' }])
    const body = { userIds: [nurse.userId] }
    await chief.almoner.addLeadersToGroup({ id: ids.Mine as string, body })
    await chief.almoner.addMembersToGroup({ id: ids.Joined as string, body })
    return nurse
  }
  const seenBy = async (who: Person) =>
    (await who.almoner.listGroups({ organizationId: clinic, type: ['regular', 'unassigned'] })).items.map(
      ({ name, selfCanWrite, parentGroup }) => [name, selfCanWrite, parentGroup?.name ?? null],
    )

  test('providers see every group, and write to those they lead and those below', async () => {
    const nurse = await makeNurse()
    expect(await seenBy(nurse)).toEqual([
      ['Apart', false, null],
      ['Below', true, 'Mine'],
      ['Joined', false, null],
      ['Mine', true, 'Top'],
      ['Top', false, null],
      ['Unassigned', false, null],
    ])
    for (const [name, isWritable] of [
      ['Mine', true],
      ['Below', true],
      ['Joined', false],
      ['Top', false],
    ] as const) {
      const id = ids[name] as string
      expect((await nurse.almoner.getGroup({ id })).selfCanWrite).toBe(isWritable)
      const change = nurse.almoner.updateGroup({ id, body: { tags: ['seen'] } })
      if (isWritable) expect(await change).toMatchObject({ tags: ['seen'] })
      else await expect(change).rejects.toMatchObject({ status: 403, code: 'PermissionDenied' })
    }
    expect((await seenBy(chief)).every(([, isWritable]) => isWritable)).toBe(true)
  })

  test('restricted providers see the groups they lead or belong to and those below, and no other', async () => {
    await service.db
      .updateTable('organizations')
      .set({ restrictProvidersToGroups: true })
      .where('id', '=', clinic)
      .execute()
    const nurse = await makeNurse()
    expect(await seenBy(nurse)).toEqual([
      ['Below', true, 'Mine'],
      ['Joined', false, null],
      ['Mine', true, null],
    ])
    for (const name of ['Top', 'Apart']) {
      const id = ids[name] as string
      await expect(nurse.almoner.getGroup({ id })).rejects.toMatchObject({ status: 404 })
      await expect(nurse.almoner.updateGroup({ id, body: { name: 'x' } })).rejects.toMatchObject({ status: 404 })
    }
    const individuals = async (name: string) =>
      (await nurse.almoner.getGroup({ id: ids[name] as string, withIndividuals: true })).individualIds
    expect(await individuals('Mine')).toEqual([ids.own])
    const eligible = (individualId: string) =>
      nurse.almoner.listGroups({ organizationId: clinic, filter: { eligibleIndividualId: individualId } })
    expect((await eligible(ids.own as string)).items.map(({ name }) => name)).toEqual(['Below', 'Joined'])
    expect((await eligible(ids.other as string)).items).toEqual([])
  })
})
