import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeGroups } from '../support/people-model.ts'
import {
  type Answer,
  call,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../support/service.ts'

const PATH = '/caredb/v1/aggregation-individuals/'

let service: TestService
let organizationId: string
let otherOrganizationId: string
let admin: Person
let patient: Person
let outsider: Person

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  otherOrganizationId = await makeOrganization(service, 'Hilltop Practice')
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  patient = await makePerson(service, [{ organizationId, role: 'patient' }])
  outsider = await makePerson(service, [{ organizationId: otherOrganizationId, role: 'org-admin' }])
})

type Attributes = Partial<Record<'firstName' | 'lastName' | 'birthDate' | 'email' | 'mobilePhone', string>>

/** Patients with records of their own, written as one. */
async function makePatients(organization: string, all: Attributes[]): Promise<string[]> {
  const createdAt = new Date()
  const named = all.map((attributes) => ({ id: v7(), firstName: 'Eve', lastName: 'Moss', createdAt, ...attributes }))
  const user = { passwordHash: null, createdAt }
  const users = named.map(({ id }) => ({ id: v7(), individualId: id, username: id, ...user }))
  const membership = { organizationId: organization, role: 'patient' as const }
  const memberships = users.map(({ id }) => ({ userId: id, ...membership }))
  await service.db.insertInto('individuals').values(named).execute()
  await service.db.insertInto('users').values(users).execute()
  await service.db.insertInto('memberships').values(memberships).execute()
  return named.map(({ id }) => id)
}

/** An organization with patients and someone who administers it. */
async function makeClinic(all: Attributes[]): Promise<{ clinic: string; chief: Person; ids: string[] }> {
  const clinic = await makeOrganization(service, 'Clinic')
  const chief = await makePerson(service, [{ organizationId: clinic, role: 'org-admin' }])
  return { clinic, chief, ids: await makePatients(clinic, all) }
}

const list = (who: Person, organization: string, query = '', headers: Record<string, string> = {}): Promise<Answer> =>
  call(service, `${PATH}?organization-id=${organization}${query && `&${query}`}`, { token: who.token, headers })
const get = (who: Person, id: string, query = '') => call(service, `${PATH}${id}/${query}`, { token: who.token })
const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)
const totalOf = ({ body }: Answer): number => body.meta['page[total]']
const faultOf = ({ status, body }: Answer) => [status, body.errors?.[0].code, body.errors?.[0].meta?.parameter]
const codeOf = ({ status, body }: Answer) => [status, body.errors?.[0].code]

test('a page holds 1 to 1000, and 100 when nothing is said', async () => {
  const { clinic, chief, ids } = await makeClinic(Array.from({ length: 1002 }, () => ({})))
  const sizeOf = async (query: string) => {
    const answer = await list(chief, clinic, `fields=state&${query}`)
    return [idsOf(answer).length, totalOf(answer)]
  }
  expect(await sizeOf('')).toEqual([100, 1002])
  expect(await sizeOf('page[limit]=1')).toEqual([1, 1002])
  expect(await sizeOf('page[limit]=1000')).toEqual([1000, 1002])
  expect(await sizeOf('page[limit]=1000&page[offset]=1000')).toEqual([2, 1002])
  expect(await sizeOf('page[offset]=1002')).toEqual([0, 1002])
  expect(await sizeOf('page[offset]=9007199254740991&sort=email')).toEqual([0, 1002])
  expect(idsOf(await list(chief, clinic, 'page[limit]=1000'))).toEqual(ids.toSorted().slice(0, 1000))
})

describe('a question that cannot be understood', () => {
  test.each([
    ['page[limit]=0', [400, 'InvalidParameter', 'page[limit]']],
    ['page[limit]=1001', [400, 'InvalidParameter', 'page[limit]']],
    ['page[offset]=-1', [400, 'InvalidParameter', 'page[offset]']],
    ['page[offset]=9007199254740992', [400, 'InvalidParameter', 'page[offset]']],
    ['filter[nickname]=x', [400, 'UnknownParameter', 'filter[nickname]']],
    ['filter[state][gt]=init', [400, 'UnknownParameter', 'filter[state][gt]']],
    ['filter[state]=gone', [400, 'InvalidParameter', 'filter[state]']],
    ['filter[registered]=perhaps', [400, 'InvalidParameter', 'filter[registered]']],
    ['filter[account-type]=device', [400, 'InvalidParameter', 'filter[account-type]']],
    ['filter[individual-ids]=seven', [400, 'InvalidParameter', 'filter[individual-ids]']],
    ['filter[birth-date]=2023-02-29', [400, 'InvalidParameter', 'filter[birth-date]']],
    ['filter[birth-date][lt]=yesterday', [400, 'InvalidParameter', 'filter[birth-date][lt]']],
    ['sort=nickname', [400, 'InvalidParameter', 'sort']],
    ['sort=phone', [400, 'InvalidParameter', 'sort']],
    ['fields=last-name,nickname', [400, 'InvalidParameter', 'fields']],
    ['fields=', [400, 'InvalidParameter', 'fields']],
  ])('%s is answered %j', async (query, expected) => {
    expect(faultOf(await list(admin, organizationId, query))).toEqual(expected)
  })

  test('has every fault named', async () => {
    const { body } = await list(admin, organizationId, 'sort=nickname&filter[state]=gone&page[limit]=0')
    const named = body.errors.map(({ meta }: { meta: { parameter: string } }) => meta.parameter)
    expect(named.toSorted()).toEqual(['filter[state]', 'page[limit]', 'sort'])
  })

  test.each(['first-name', 'last-name', 'email', 'phone', 'last-name][contains', 'email][gte'])(
    'a text of 255 characters is looked for by %s, one of 256 is refused',
    async (name) => {
      for (const character of ['x', '😀']) {
        const ask = (length: number) =>
          list(admin, organizationId, `filter[${name}]=${encodeURIComponent(character.repeat(length))}`)
        expect((await ask(255)).status).toBe(200)
        expect(faultOf(await ask(256))).toEqual([400, 'InvalidParameter', `filter[${name}]`])
      }
    },
  )
})

test('the list is open to the staff of the organization that is named, and to nobody else', async () => {
  const provider = await makePerson(service, [
    { organizationId, role: 'provider' },
    { organizationId: otherOrganizationId, role: 'patient' },
  ])
  expect((await list(provider, organizationId)).status).toBe(200)
  expect(codeOf(await list(provider, otherOrganizationId))).toEqual([403, 'PermissionDenied'])
  expect(codeOf(await list(patient, organizationId))).toEqual([403, 'PermissionDenied'])
  expect(codeOf(await list(admin, otherOrganizationId))).toEqual([404, 'NotFound'])
  expect(codeOf(await list(admin, v7()))).toEqual([404, 'NotFound'])
  expect(codeOf(await call(service, `${PATH}?organization-id=${organizationId}`))).toEqual([403, 'NotAuthenticated'])
  const nowhere = await call(service, PATH, { token: admin.token })
  expect(faultOf(nowhere)).toEqual([400, 'MissingParameter', 'organization-id'])
})

describe('a filter', () => {
  let clinic: string
  let chief: Person
  const names = async (query: string) => {
    const { status, body } = await list(chief, clinic, query)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data.map((one: { attributes: { 'last-name': string } }) => one.attributes['last-name'])
  }

  beforeAll(async () => {
    const all = ['Renée', 'RENEE', 'renee', '50%', '500', 'a_b', 'axb', 'back\\slash', 'slash＼ed', "O'Hara"]
    const made = await makeClinic(all.map((lastName) => ({ lastName })))
    clinic = made.clinic
    chief = made.chief
  })

  test.each([
    ['Renee', ['RENEE', 'renee']],
    ['RENÉE', ['Renée']],
    ['renée,500', ['500', 'Renée']],
    ["o'hara", ["O'Hara"]],
    ['50%', ['50%']],
  ])('is exact but for case: %s finds %j', async (value, expected) => {
    expect(await names(`filter[last-name]=${encodeURIComponent(value)}`)).toEqual(expected)
  })

  test.each([
    ['%', ['50%']],
    ['_', ['a_b']],
    ['\\', ['back\\slash']],
    ['ené', ['Renée']],
    ['SLASH', ['back\\slash', 'slash＼ed']],
    ['＼ed', ['slash＼ed']],
  ])('finds a part letter by letter: %s finds %j', async (value, expected) => {
    expect(await names(`filter[last-name][contains]=${encodeURIComponent(value)}`)).toEqual(expected)
  })

  test('finds a part that ends in a wide backslash', async () => {
    expect(await names(`filter[last-name][contains]=${encodeURIComponent('slash＼')}`)).toEqual(['slash＼ed'])
  })

  test('of words finds each in a name or an address, whatever case and accents', async () => {
    const people = [
      { firstName: 'Rosa', lastName: 'Díaz Álvarez', email: 'first@words.example' },
      { firstName: 'Álvaro', lastName: 'Rosado' },
      { firstName: 'Per', lastName: '100% Words' },
    ]
    const { clinic: wordy, chief: reader } = await makeClinic(people)
    const found = async (words: string) => {
      const answer = await list(reader, wordy, `filter[text]=${encodeURIComponent(words)}`)
      expect(answer.status).toBe(200)
      expect(totalOf(answer)).toBe(answer.body.data.length)
      return answer.body.data.map((one: { attributes: { 'first-name': string } }) => one.attributes['first-name'])
    }
    expect(await found('ROSA')).toEqual(['Rosa', 'Álvaro'])
    expect(await found(' alvar   rosa ')).toEqual(['Rosa', 'Álvaro'])
    expect(await found('díaz rosa')).toEqual(['Rosa'])
    expect(await found('first@ diaz')).toEqual(['Rosa'])
    expect(await found('0% w')).toEqual(['Per'])
    expect(await found('nobody')).toEqual([])
    expect(await found('   ')).toHaveLength(3)
    expect((await list(reader, wordy, `filter[text]=${'x'.repeat(255)}`)).status).toBe(200)
    expect((await list(reader, wordy, `filter[text]=${'x'.repeat(256)}`)).status).toBe(400)
  })

  test('is one of several with a comma, and all of them when repeated', async () => {
    const parts = 'filter[last-name][contains]=e,5&filter[last-name][gte]=r&filter[last-name]=renee,500'
    expect(await names(parts)).toEqual(['RENEE', 'renee'])
  })

  test('of ids is one set, whether it is repeated or written with a comma', async () => {
    const ids = await makePatients(clinic, [{ lastName: 'Tagged once' }, { lastName: 'Tagged both' }])
    const { tagIds } = await makeGroups(service.db, clinic, chief.userId, chief.userId)
    const [red = '', blue = ''] = tagIds
    const tagged = [red, blue].flatMap((tagId, index) =>
      ids.slice(index).map((individualId) => ({ tagId, individualId })),
    )
    await service.db.insertInto('individualTags').values(tagged).execute()
    expect(await names(`filter[tag-ids]=${red}&filter[tag-ids]=${blue}`)).toEqual(['Tagged both', 'Tagged once'])
  })

  test('of states lists the archived when it names them', async () => {
    const [id] = await makePatients(clinic, [{ lastName: 'Gone' }])
    await service.db
      .updateTable('users')
      .set({ state: 'archived' })
      .where('individualId', '=', id ?? '')
      .execute()
    expect(await names('filter[last-name]=gone')).toEqual([])
    expect(await names('filter[last-name]=gone&filter[state]=init')).toEqual([])
    expect(await names('filter[last-name]=gone&filter[state]=init,ARCHIVED')).toEqual(['Gone'])
    expect(await names('filter[last-name]=gone&filter[state]=archived&filter[state]=init')).toEqual([])
    expect((await get(chief, id ?? '')).body.data.attributes.state).toBe('archived')
  })

  test('that leaves out oneself counts one less, where one is listed at all', async () => {
    const totals = async (query: string) => [
      totalOf(await list(chief, clinic, query)),
      totalOf(await list(chief, clinic, `${query}&filter[exclude-self]=true`)),
    ]
    expect(await totals('filter[account-type]=provider')).toEqual([1, 0])
    const [all, others] = await totals('')
    expect(others).toBe(all)
  })
})

test('names of the widest letters are kept, found and sorted', async () => {
  const wide = (first: number) =>
    Array.from({ length: 255 }, (_, index) => String.fromCodePoint(first + ((index * 37) % 84))).join('')
  const { clinic, chief, ids } = await makeClinic([
    { firstName: wide(0x3300), lastName: wide(0x3300) },
    { firstName: wide(0xd55c), lastName: wide(0xd55c) },
  ])
  expect(idsOf(await list(chief, clinic, 'sort=-last-name'))).toEqual(ids)
  const part = encodeURIComponent(wide(0xd55c).slice(100, 120))
  expect(idsOf(await list(chief, clinic, `filter[last-name][contains]=${part}`))).toEqual([ids[1]])
})

describe('one individual', () => {
  test('is answered with the fields that were asked for', async () => {
    const [id = ''] = await makePatients(organizationId, [{ lastName: 'Fielded', birthDate: '1990-02-28' }])
    const { body } = await get(admin, id, '?fields=birth-date,last-feeling,registered')
    expect(body.data).toEqual({
      type: 'aggregation-individuals',
      id,
      attributes: { 'birth-date': '1990-02-28', 'last-feeling': null, registered: false },
    })
    expect(Object.keys((await get(admin, id)).body.data.attributes)).toHaveLength(45)
    expect(faultOf(await get(admin, id, '?fields=nickname'))).toEqual([400, 'InvalidParameter', 'fields'])
  })

  test('of another organization is not found', async () => {
    const [theirs = ''] = await makePatients(otherOrganizationId, [{}])
    expect(codeOf(await get(admin, theirs))).toEqual([404, 'NotFound'])
    expect(codeOf(await get(admin, v7()))).toEqual([404, 'NotFound'])
    expect(faultOf(await get(admin, 'seven'))).toEqual([400, 'InvalidParameter', 'id'])
    expect((await get(outsider, theirs)).status).toBe(200)
    expect(idsOf(await list(admin, organizationId, `filter[individual-ids]=${theirs}`))).toEqual([])
  })

  test('may be oneself to a patient, and nobody else', async () => {
    expect((await get(patient, patient.individualId)).body.data.id).toBe(patient.individualId)
    const [other = ''] = await makePatients(organizationId, [{}])
    for (const id of [other, admin.individualId, outsider.individualId])
      expect(codeOf(await get(patient, id))).toEqual([404, 'NotFound'])
  })

  test('is seen by a provider of one organization who is a patient of another only where a provider', async () => {
    const both = await makePerson(service, [
      { organizationId, role: 'provider' },
      { organizationId: otherOrganizationId, role: 'patient' },
    ])
    const [here = ''] = await makePatients(organizationId, [{}])
    const [there = ''] = await makePatients(otherOrganizationId, [{}])
    expect((await get(both, here)).status).toBe(200)
    expect((await get(both, both.individualId)).status).toBe(200)
    expect(codeOf(await get(both, there))).toEqual([404, 'NotFound'])
  })
})

describe('a provider who sees only their groups', () => {
  let clinic: string
  let chief: Person
  let provider: Person
  let groups: Awaited<ReturnType<typeof makeGroups>>
  let seen: string[]
  let unseen: string[]

  beforeAll(async () => {
    const { db } = service
    const known = { email: 'moss@example.org', mobilePhone: '+12025550123', birthDate: '1990-02-28' }
    const made = await makeClinic(['A', 'B', 'C', 'D', 'E', 'F'].map((firstName) => ({ firstName, ...known })))
    clinic = made.clinic
    chief = made.chief
    await db.updateTable('organizations').set({ restrictProvidersToGroups: true }).where('id', '=', clinic).execute()
    provider = await makePerson(service, [{ organizationId: clinic, role: 'provider' }])
    groups = await makeGroups(db, clinic, provider.userId, chief.userId)
    const addedAt = new Date()
    const post = { groupId: groups.beside, kind: 'member' as const, userId: provider.userId, addedAt }
    await db.insertInto('groupStaff').values(post).execute()
    const places = [groups.division, groups.below, groups.farBelow, groups.beside, groups.inactive]
    const joined = places.map((groupId, index) => ({ groupId, individualId: made.ids[index] ?? '', addedAt }))
    await db.insertInto('groupIndividuals').values(joined).execute()
    const tagged = made.ids.map((individualId) => ({ tagId: groups.tagIds[0] ?? '', individualId }))
    await db.insertInto('individualTags').values(tagged).execute()
    seen = made.ids.slice(0, 4)
    unseen = made.ids.slice(4)
  })

  test.each([
    '',
    'sort=-first-name&page[limit]=2',
    'filter[last-name]=moss',
    'filter[first-name][lte]=z',
    'filter[email]=MOSS@example.org',
    'filter[phone]=%2B12025550123',
    'filter[birth-date][lt]=1990-03-01',
    'filter[state]=init',
    'filter[registered]=false',
    'filter[registration-invite]=none',
    'filter[email-verified]=false',
    'filter[phone-verified]=false',
    'filter[exclude-self]=true',
    'filter[account-type]=regular',
  ])('lists exactly those, with a total of just them: %s', async (query) => {
    const answer = await list(provider, clinic, query)
    expect(totalOf(answer)).toBe(seen.length)
    if (!query.includes('page')) expect(idsOf(answer)).toEqual(seen)
    expect(totalOf(await list(chief, clinic, query))).toBe(seen.length + unseen.length)
  })

  test('gets exactly those, by id and by a list of ids', async () => {
    for (const id of seen) expect((await get(provider, id)).status).toBe(200)
    for (const id of [...unseen, chief.individualId]) expect(codeOf(await get(provider, id))).toEqual([404, 'NotFound'])
    for (const filter of [`individual-ids]=${[...unseen, ...seen].join()}`, `tag-ids]=${groups.tagIds.join()}`]) {
      const asked = await list(provider, clinic, `filter[${filter}`)
      expect([idsOf(asked), totalOf(asked)]).toEqual([seen, seen.length])
    }
  })

  test('finds nobody in a group that is not theirs, and of the staff oneself', async () => {
    const inGroup = async (id: string) => idsOf(await list(provider, clinic, `filter[individual-group-id]=${id}`))
    expect(await inGroup(groups.below)).toEqual([seen[1]])
    expect(await inGroup(`${groups.division},${groups.inactive}`)).toEqual([seen[0]])
    const own = [groups.division, groups.below, groups.farBelow, groups.beside]
    for (const { id } of await service.db.selectFrom('individualGroups').select('id').execute())
      if (!own.includes(id)) expect(await inGroup(id)).toEqual([])
    expect(idsOf(await list(provider, clinic, 'filter[account-type]=provider'))).toEqual([provider.individualId])
  })

  test('sees everyone when an administrator besides, and oneself when a patient besides', async () => {
    const besides = (role: 'org-admin' | 'patient') =>
      makePerson(
        service,
        [role, 'provider' as const].map((one) => ({ organizationId: clinic, role: one })),
      )
    expect(totalOf(await list(await besides('org-admin'), clinic, 'filter[last-name]=moss'))).toBe(6)
    const ill = await besides('patient')
    expect(idsOf(await list(ill, clinic))).toEqual([ill.individualId])
    expect(totalOf(await list(ill, clinic, 'filter[exclude-self]=true'))).toBe(0)
  })

  test('no longer sees who has left', async () => {
    const [leaver = ''] = await makePatients(clinic, [{ lastName: 'Leaver' }])
    const place = { groupId: groups.division, individualId: leaver, addedAt: new Date() }
    await service.db.insertInto('groupIndividuals').values(place).execute()
    expect((await get(provider, leaver)).status).toBe(200)
    await service.db.deleteFrom('groupIndividuals').where('individualId', '=', leaver).execute()
    expect((await get(provider, leaver)).status).toBe(404)
    expect(idsOf(await list(provider, clinic, 'filter[last-name]=leaver'))).toEqual([])
  })
})

describe('the audit trail', () => {
  const eventsOf = async (requestId: string) => {
    const find = () => service.db.selectFrom('auditEvents').selectAll().where('requestId', '=', requestId).execute()
    await until(async () => (await find()).length > 0)
    return find()
  }

  test('says whose records a list showed, and to whom', async () => {
    const { clinic, chief, ids } = await makeClinic([{}, {}, {}])
    const shown = idsOf(await list(chief, clinic, 'page[limit]=2&fields=state', { 'x-request-id': 'read-1' }))
    expect(shown).toEqual(ids.toSorted().slice(0, 2))
    const by = { organizationId: clinic, userId: chief.userId }
    expect(await eventsOf('read-1')).toMatchObject([
      { operation: 'list-individuals', outcome: 'success', individualIds: shown, ...by },
    ])
  })

  test('tells of a list that showed nobody, and of one that was refused', async () => {
    await list(admin, organizationId, `filter[individual-ids]=${v7()}`, { 'x-request-id': 'read-2' })
    expect(await eventsOf('read-2')).toMatchObject([{ outcome: 'success', organizationId, individualIds: [] }])
    await list(patient, organizationId, '', { 'x-request-id': 'read-3' })
    expect(await eventsOf('read-3')).toMatchObject([
      { outcome: 'refused', code: 'PermissionDenied', userId: patient.userId, individualIds: [] },
    ])
  })

  test('says who was looked at alone', async () => {
    const headers = { 'x-request-id': 'read-4' }
    await call(service, `${PATH}${patient.individualId}/?fields=state`, { token: admin.token, headers })
    expect(await eventsOf('read-4')).toMatchObject([
      { operation: 'get-individual', organizationId, individualIds: [patient.individualId] },
    ])
  })
})
