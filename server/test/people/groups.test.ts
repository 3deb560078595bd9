import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  call,
  GROUPS,
  groupBody,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
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

describe('changing a group', () => {
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

  test('tells who may write', async () => {
    const [seen] = (await provider.almoner.listGroups({ organizationId })).items
    expect(seen?.selfCanWrite).toBe(false)
  })
})
