import { beforeAll, describe, expect, test } from 'vitest'
import {
  call,
  LOGIN,
  makeOrganization,
  makePerson,
  PASSWORD,
  type Person,
  startTestService,
  type TestService,
} from '../support/service.ts'

const USERS = '/identity/v1/users/'

let service: TestService
let organizationId: string
let otherId: string
let admin: Person
let outsider: Person

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  otherId = await makeOrganization(service, 'Hilltop Practice')
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  outsider = await makePerson(service, [{ organizationId: otherId, role: 'org-admin' }])
})

const userBody = (attributes: object) => ({
  data: {
    type: 'users',
    attributes: {
      'organization-id': organizationId,
      'first-name': 'Ana',
      'last-name': 'Ruiz',
      role: 'provider',
      ...attributes,
    },
  },
})
const create = (attributes: object) => call(service, USERS, { token: admin.token, body: userBody(attributes) })
const codeOf = ({
  status,
  body,
}: {
  status: number
  body: { errors?: { code: string; meta?: { pointer?: string } }[] }
}) => [status, body.errors?.[0]?.code]

describe('creating a user', () => {
  test('takes the email, or else the phone, as username', async () => {
    expect(
      (await create({ email: 'one@example.org', 'mobile-phone': '+12025550199' })).body.data.attributes.username,
    ).toBe('one@example.org')
    expect((await create({ 'mobile-phone': '+12025550198' })).body.data.attributes.username).toBe('+12025550198')
    expect(
      (await create({ email: 'two@example.org', 'mobile-phone': '+12025550197', username: '+12025550197' })).body.data
        .attributes.username,
    ).toBe('+12025550197')
  })

  test.each([
    [{}, [400, 'MissingValue']],
    [{ email: 'no-address' }, [400, 'InvalidValue']],
    [{ 'mobile-phone': '+999999999' }, [400, 'InvalidValue']],
    [{ 'mobile-phone': '2025550123' }, [400, 'InvalidValue']],
    [{ email: 'three@example.org', username: 'four@example.org' }, [400, 'UsernameMismatch']],
    [{ email: 'five@example.org', role: 'device' }, [400, 'InvalidValue']],
    [{ email: 'six@example.org', notifications: ['pigeon'] }, [400, 'InvalidValue']],
    [{ email: 'seven@example.org', notifications: ['sms'] }, [400, 'NoContact']],
  ])('%j is answered %j', async (attributes, expected) => expect(codeOf(await create(attributes))).toEqual(expected))

  test('refuses a username that is taken, in any case, and stores nothing', async () => {
    await create({ email: 'taken@example.org' })
    const count = async () => (await service.db.selectFrom('individuals').select('id').execute()).length
    const before = await count()
    expect(codeOf(await create({ email: 'TAKEN@example.org' }))).toEqual([400, 'UsernameTaken'])
    expect(await count()).toBe(before)
    const answers = await Promise.all([1, 2, 3].map(() => create({ email: 'raced@example.org' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
  })
})

describe('the users of an organization', () => {
  test('are listed with filters, to its administrators alone', async () => {
    const clinic = await makeOrganization(service, 'Listed')
    const chief = await makePerson(service, [{ organizationId: clinic, role: 'org-admin' }])
    await chief.almoner.createUser({
      body: {
        organizationId: clinic,
        firstName: 'Berta',
        lastName: 'zorn',
        email: 'berta@example.org',
        role: 'provider',
      },
    })
    await chief.almoner.createUser({
      body: {
        organizationId: clinic,
        firstName: 'Carl',
        lastName: 'Adler',
        email: 'carl@example.org',
        role: 'patient',
      },
    })
    type Query = Parameters<typeof chief.almoner.listUsers>[0]
    const names = async (query: Omit<Query, 'organizationId'>) =>
      (await chief.almoner.listUsers({ organizationId: clinic, ...query })).items.map(({ lastName }) => lastName)
    expect(await names({})).toEqual(['Adler', 'Person', 'zorn'])
    expect(await names({ filter: { role: ['provider', 'patient'] } })).toEqual(['Adler', 'zorn'])
    expect(await names({ filter: { state: 'init' } })).toEqual(['Adler', 'zorn'])
    expect(await names({ filter: { text: 'BERTA Z' } })).toEqual(['zorn'])
    expect(await names({ filter: { text: 'carl@' } })).toEqual(['Adler'])
    expect(await names({ filter: { registrationInvite: 'accepted' } })).toEqual([])
    expect((await chief.almoner.listUsers({ organizationId: clinic, page: { limit: 1, offset: 9 } })).total).toBe(3)
    await expect(outsider.almoner.listUsers({ organizationId: clinic })).rejects.toMatchObject({ status: 404 })
    const provider = await makePerson(service, [{ organizationId: clinic, role: 'provider' }])
    await expect(provider.almoner.listUsers({ organizationId: clinic })).rejects.toMatchObject({
      code: 'PermissionDenied',
    })
  })

  test("another organization's are not found", async () => {
    const user = await makePerson(service, [{ organizationId, role: 'provider' }])
    await expect(outsider.almoner.getUser({ id: user.userId })).rejects.toMatchObject({ status: 404 })
    await expect(outsider.almoner.modifyUser({ id: user.userId, body: { firstName: 'X' } })).rejects.toMatchObject({
      status: 404,
    })
  })
})

describe('changing a user', () => {
  const modify = (person: Person, body: Parameters<Person['almoner']['modifyUser']>[0]['body']) =>
    admin.almoner.modifyUser({ id: person.userId, body })

  test('disabling ends every sign-in at once, and can be taken back', async () => {
    const user = await makePerson(service, [{ organizationId, role: 'provider' }])
    expect((await modify(user, { state: 'disabled' })).state).toBe('registered_disabled')
    const signIn = () => call(service, LOGIN, { body: { username: user.username, password: PASSWORD } })
    expect(codeOf(await signIn())).toEqual([403, 'LoginFailed'])
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await expect(user.almoner.listOrganizations()).rejects.toMatchObject({ status: 403 })
    expect((await modify(user, { state: 'active' })).state).toBe('registered')
    expect((await signIn()).status).toBe(201)
  })

  test('someone who never registered is disabled and made active again', async () => {
    const { id } = (await create({ email: 'waiting@example.org' })).body.data
    expect((await admin.almoner.modifyUser({ id, body: { state: 'disabled' } })).state).toBe('disabled')
    expect((await admin.almoner.modifyUser({ id, body: { state: 'active' } })).state).toBe('init')
  })

  test('a move that cannot be is refused, and nothing else is changed', async () => {
    const { id } = (await create({ email: 'still@example.org' })).body.data
    await expect(
      admin.almoner.modifyUser({ id, body: { firstName: 'Changed', state: 'force_reset_password' } }),
    ).rejects.toMatchObject({ code: 'StateNotAllowed' })
    expect((await admin.almoner.getUser({ id })).firstName).toBe('Ana')
    expect((await admin.almoner.modifyUser({ id, body: { state: 'archived' } })).state).toBe('archived')
    await expect(admin.almoner.modifyUser({ id, body: { state: 'active' } })).rejects.toMatchObject({
      code: 'StateNotAllowed',
    })
  })

  test('roles are replaced where the caller administers, and nowhere else', async () => {
    const user = await makePerson(service, [
      { organizationId, role: 'provider' },
      { organizationId: otherId, role: 'patient' },
    ])
    expect((await modify(user, { roles: ['patient', 'provider'] })).roles).toEqual(['patient', 'provider'])
    expect((await outsider.almoner.getUser({ id: user.userId })).roles).toEqual(['patient'])
    await expect(modify(user, { state: 'disabled' })).rejects.toMatchObject({ code: 'PermissionDenied' })
  })

  test('two administrators who demote each other at the same moment leave one', async () => {
    for (let round = 0; round < 5; round++) {
      const clinic = await makeOrganization(service, 'Two heads')
      const [one, two] = [
        await makePerson(service, [{ organizationId: clinic, role: 'org-admin' }]),
        await makePerson(service, [{ organizationId: clinic, role: 'org-admin' }]),
      ]
      const demote = (by: Person, whom: Person) =>
        by.almoner.modifyUser({ id: whom.userId, body: { roles: ['provider'] } })
      const outcomes = await Promise.allSettled([demote(one, two), demote(two, one)])
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    }
  })

  test('an organization keeps an administrator', async () => {
    await expect(admin.almoner.modifyUser({ id: admin.userId, body: { roles: ['provider'] } })).rejects.toMatchObject({
      code: 'LastAdministrator',
    })
    await expect(admin.almoner.modifyUser({ id: admin.userId, body: { state: 'disabled' } })).rejects.toMatchObject({
      code: 'LastAdministrator',
    })
    expect((await admin.almoner.getUser({ id: admin.userId })).roles).toEqual(['org-admin'])
  })
})
