import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  call,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
} from '../support/service.ts'

const PATIENTS = '/showboat/v1/patients/'

let service: TestService
let organizationId: string
let admin: Person
let provider: Person
let outsider: Person

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  const elsewhere = await makeOrganization(service, 'Elsewhere')
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  provider = await makePerson(service, [{ organizationId, role: 'provider' }])
  outsider = await makePerson(service, [{ organizationId: elsewhere, role: 'org-admin' }])
})

let number = 0
const given = () => ({
  firstName: 'Maria',
  lastName: `Gonzalez${++number}`,
  birthDate: '1958-02-28',
  gender: 'female' as const,
  email: `maria${number}@example.org`,
  organizationId,
})

const post = (attributes: object, who = admin): Promise<Answer> =>
  call(service, PATIENTS, { token: who.token, body: { data: { type: 'ui-patients', attributes } } })

const wire = (changes: object = {}) => {
  const { firstName, lastName, birthDate, gender, email } = given()
  return {
    'first-name': firstName,
    'last-name': lastName,
    'birth-date': birthDate,
    gender,
    email,
    'organization-id': organizationId,
    ...changes,
  }
}

const faults = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((error: { code: string; meta?: { pointer?: string } }) => [
    error.code,
    error.meta?.pointer,
  ]),
]

const inOrder = async (table: 'individuals' | 'users') =>
  Number(
    (
      await service.db
        .selectFrom(table)
        .select((from) => from.fn.countAll().as('count'))
        .executeTakeFirst()
    )?.count,
  )

describe('creating a patient', () => {
  test('makes the individual and the user, and shares the record with the organization', async () => {
    const body = given()
    const patient = await admin.almoner.createPatient({ body })
    expect(patient).toMatchObject({ ...body, locale: 'en_US', username: body.email, individualGroupIds: [] })
    expect(patient.meta.warnings).toEqual([])
    expect(await admin.almoner.getIndividual({ id: patient.id })).toMatchObject({
      firstName: 'Maria',
      birthDate: '1958-02-28',
      state: 'init',
      registered: false,
      registrationInvite: 'none',
    })
    const { items } = await admin.almoner.listUsers({ organizationId, filter: { text: body.email } })
    expect(items).toMatchObject([{ individualId: patient.id, roles: ['patient'], state: 'init' }])
    await expect(outsider.almoner.getIndividual({ id: patient.id })).rejects.toMatchObject({ status: 404 })
  })

  test('is open to providers, and its answer names the new individual', async () => {
    const { status, body } = await post(wire(), provider)
    expect(status).toBe(201)
    expect(body).toMatchObject({ data: { type: 'ui-patients', id: expect.any(String) }, meta: { warnings: [] } })
  })

  test('takes a phone instead of an email, written in any way, and keeps it in E.164', async () => {
    const { email: _, ...rest } = wire({ 'mobile-phone': '(202) 555-0123' })
    const { status, body } = await post(rest)
    expect(status).toBe(201)
    expect(body.data.attributes).toMatchObject({
      'mobile-phone': '+12025550123',
      username: '+12025550123',
      email: null,
    })
  })

  test('takes either address as the username', async () => {
    const attributes = wire({ 'mobile-phone': '+12025550124', username: '+1 202-555-0124' })
    expect((await post(attributes)).body.data.attributes.username).toBe('+12025550124')
    const upper = wire()
    const named = await post({ ...upper, username: upper.email.toUpperCase() })
    expect(named.body.data.attributes.username).toBe(upper.email)
  })

  test.each([
    ['first-name', '', 400],
    ['first-name', 'x', 201],
    ['first-name', 'x'.repeat(255), 201],
    ['first-name', 'x'.repeat(256), 400],
    ['last-name', '', 400],
    ['last-name', '   ', 400],
    ['preferred-name', ' ', 400],
    ['birth-date', '2023-02-29', 400],
    ['birth-date', '2024-02-29', 201],
    ['birth-date', '1958-2-28', 400],
    ['birth-date', '2999-01-01', 400],
    ['birth-date', '1869-12-31', 400],
    ['birth-date', '1870-01-01', 201],
    ['gender', 'male', 201],
    ['gender', 'pnta', 201],
    ['gender', 'other', 201],
    ['gender', 'unknown', 201],
    ['gender', 'm', 400],
    ['email', 'not an address', 400],
    ['email', null, 400],
    ['mobile-phone', '+1202555', 400],
    ['mobile-phone', '+4915123456789', 201],
    ['mobile-phone', 'call me', 400],
    ['locale', 'es_US', 201],
    ['locale', 'fr_FR', 400],
    ['tz', 'America/New_York', 201],
    ['tz', 'Mars/Olympus', 400],
    ['tz', '+02:00', 400],
    ['username', 'someone@else.example', 400],
    ['individual-group-ids', [v7()], 400],
    ['surname', 'Gonzalez', 400],
  ])('%s %j is answered %s', async (name, value, status) => {
    const answer = await post(wire({ [name]: value }))
    expect([answer.status, JSON.stringify(answer.body.errors ?? '')]).toEqual([
      status,
      status === 201 ? '""' : expect.stringContaining(name),
    ])
  })

  test('needs an email or a phone, and everything else that is required', async () => {
    const { email: _, ...rest } = wire()
    expect(faults(await post(rest))).toEqual([400, ['MissingValue', '/data/attributes/email']])
    expect(faults(await post({ 'organization-id': organizationId }))).toEqual([
      400,
      ['MissingValue', '/data/attributes/first-name'],
      ['MissingValue', '/data/attributes/last-name'],
      ['MissingValue', '/data/attributes/birth-date'],
      ['MissingValue', '/data/attributes/gender'],
    ])
  })

  test('names every fault at once, and stores nothing', async () => {
    const before = await inOrder('individuals')
    const answer = await post(
      wire({ 'birth-date': '2999-01-01', 'mobile-phone': '123', tz: 'Nowhere', 'individual-group-ids': [v7(), v7()] }),
    )
    expect(faults(answer)).toEqual([
      400,
      ['InvalidValue', '/data/attributes/mobile-phone'],
      ['InvalidValue', '/data/attributes/birth-date'],
      ['InvalidValue', '/data/attributes/tz'],
      ['InvalidValue', '/data/attributes/individual-group-ids/0'],
      ['InvalidValue', '/data/attributes/individual-group-ids/1'],
    ])
    expect(await inOrder('individuals')).toBe(before)
  })

  test('refuses a username that is taken, in any case, and stores nothing', async () => {
    const attributes = wire()
    expect((await post(attributes)).status).toBe(201)
    const before = [await inOrder('individuals'), await inOrder('users')]
    expect(faults(await post({ ...attributes, email: attributes.email.toUpperCase() }))[1]?.[0]).toBe('UsernameTaken')
    expect([await inOrder('individuals'), await inOrder('users')]).toEqual(before)
  })

  test('the same request at the same moment makes one patient', async () => {
    const attributes = wire()
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(attributes)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400, 400, 400])
  })

  test('warns of someone with the same name and birth date, whatever case and accents', async () => {
    const first = await admin.almoner.createPatient({ body: { ...given(), firstName: 'José', lastName: 'Núñez' } })
    const second = await admin.almoner.createPatient({ body: { ...given(), firstName: 'JOSE', lastName: 'nunez' } })
    expect(second.meta.warnings).toMatchObject([{ code: 'PossibleDuplicate', individualIds: [first.id] }])
    const other = await admin.almoner.createPatient({
      body: { ...given(), firstName: 'José', lastName: 'Núñez', birthDate: '1958-03-01' },
    })
    expect(other.meta.warnings).toEqual([])
  })

  test('puts the patient into groups, and sends the invitation when asked', async () => {
    const group = await admin.almoner.createGroup({ body: { name: 'Diabetes', organizationId } })
    const patient = await admin.almoner.createPatient({
      body: { ...given(), individualGroupIds: [group.id, group.id], notifications: ['email'] },
    })
    expect(patient.individualGroupIds).toEqual([group.id])
    const { items } = await admin.almoner.listIndividuals({
      organizationId,
      filter: { individualGroupId: group.id, registrationInvite: 'sent' },
    })
    expect(items.map(({ id }) => id)).toEqual([patient.id])
    const messages = await service.db
      .selectFrom('outboundMessages')
      .select(['recipient', 'purpose'])
      .where('individualId', '=', patient.id)
      .execute()
    expect(messages).toEqual([{ recipient: patient.email, purpose: 'invitation' }])
  })

  test('takes no group of care teams, of another organization, or that keeps itself', async () => {
    const team = await admin.almoner.createGroup({ body: { name: 'Team', organizationId, type: 'provider_only' } })
    const [everyone] = (await admin.almoner.listGroups({ organizationId, type: ['all_participants'] })).items
    const foreign = await service.db
      .selectFrom('individualGroups')
      .select('id')
      .where('organizationId', '<>', organizationId)
      .executeTakeFirst()
    for (const id of [team.id, everyone?.id, foreign?.id])
      expect(faults(await post(wire({ 'individual-group-ids': [id] })))).toEqual([
        400,
        ['InvalidValue', '/data/attributes/individual-group-ids/0'],
      ])
  })

  test('an event and an audit entry tell of it', async () => {
    const { id } = await admin.almoner.createPatient({ body: given() })
    const events = await service.db.selectFrom('events').select('kind').where('individualId', '=', id).execute()
    expect(events).toEqual([{ kind: 'individual.created' }])
    const { items } = await admin.almoner.listAuditEvents({ organizationId, filter: { individualId: id } })
    expect(items).toMatchObject([{ operation: 'create-patient', userId: admin.userId }])
  })
})

describe('changing a patient', () => {
  test('changes what is given, and nothing else', async () => {
    const patient = await admin.almoner.createPatient({ body: { ...given(), preferredName: 'Mia' } })
    const body = { preferredName: null, birthDate: '1958-03-01', communicationPreferences: { sms: { enabled: false } } }
    const changed = await provider.almoner.modifyPatient({ id: patient.id, body })
    const { meta: _, ...before } = patient
    expect(changed).toEqual({ ...before, ...body })
    const listed = await admin.almoner.getIndividual({ id: patient.id })
    expect(listed).toMatchObject(body)
  })

  test('a new address is not verified, and the username follows', async () => {
    const patient = await admin.almoner.createPatient({ body: given() })
    await service.db.updateTable('users').set({ emailVerified: true }).where('individualId', '=', patient.id).execute()
    const email = `new-${patient.email}`
    expect(await admin.almoner.modifyPatient({ id: patient.id, body: { email } })).toMatchObject({
      email,
      username: email,
    })
    expect((await admin.almoner.getIndividual({ id: patient.id })).emailVerified).toBe(false)
    const moved = await admin.almoner.modifyPatient({
      id: patient.id,
      body: { email: null, mobilePhone: '202 555 0177' },
    })
    expect(moved).toMatchObject({ email: null, mobilePhone: '+12025550177', username: '+12025550177' })
    await expect(admin.almoner.modifyPatient({ id: patient.id, body: { mobilePhone: null } })).rejects.toMatchObject({
      status: 400,
      code: 'MissingValue',
    })
  })

  test('what was sent to the old address stops working', async () => {
    const patient = await admin.almoner.createPatient({ body: { ...given(), notifications: ['email'] } })
    const links = () =>
      service.db
        .selectFrom('oneTimeLinks')
        .innerJoin('users', 'users.id', 'oneTimeLinks.userId')
        .select('usedAt')
        .where('individualId', '=', patient.id)
        .execute()
    expect(await links()).toEqual([{ usedAt: null }])
    await admin.almoner.modifyPatient({ id: patient.id, body: { firstName: 'Other' } })
    expect(await links()).toEqual([{ usedAt: null }])
    await admin.almoner.modifyPatient({ id: patient.id, body: { email: `other-${patient.email}` } })
    expect(await links()).toEqual([{ usedAt: expect.any(Date) }])
  })

  test('a username that is taken stays with whoever has it', async () => {
    const [one, other] = [
      await admin.almoner.createPatient({ body: given() }),
      await admin.almoner.createPatient({ body: given() }),
    ]
    const attempt = admin.almoner.modifyPatient({ id: one.id, body: { email: other.email } })
    await expect(attempt).rejects.toMatchObject({ code: 'UsernameTaken' })
  })

  test('is not the way to change staff, nor what belongs to others', async () => {
    const attempt = (id: string, who: Person) => who.almoner.modifyPatient({ id, body: { firstName: 'X' } })
    await expect(attempt(admin.individualId, provider)).rejects.toMatchObject({ status: 404 })
    const both = await makePerson(service, [
      { organizationId, role: 'patient' },
      { organizationId, role: 'org-admin' },
    ])
    await expect(attempt(both.individualId, provider)).rejects.toMatchObject({ status: 403 })
    const patient = await admin.almoner.createPatient({ body: given() })
    await expect(attempt(patient.id, outsider)).rejects.toMatchObject({ status: 404 })
  })
})

describe('a provider restricted to groups', () => {
  test('creates patients in groups of their own, and sees them', async () => {
    const restricted = await makeOrganization(service, 'Restricted')
    await service.db
      .updateTable('organizations')
      .set({ restrictProvidersToGroups: true })
      .where('id', '=', restricted)
      .execute()
    const chief = await makePerson(service, [{ organizationId: restricted, role: 'org-admin' }])
    const nurse = await makePerson(service, [{ organizationId: restricted, role: 'provider' }])
    const [own, other] = [
      await chief.almoner.createGroup({ body: { name: 'Own', organizationId: restricted } }),
      await chief.almoner.createGroup({ body: { name: 'Other', organizationId: restricted } }),
    ]
    await service.db
      .insertInto('groupStaff')
      .values({ groupId: own.id, kind: 'member', userId: nurse.userId, addedAt: new Date() })
      .execute()
    const body = (individualGroupIds: string[]) => ({ ...given(), organizationId: restricted, individualGroupIds })
    await expect(nurse.almoner.createPatient({ body: body([]) })).rejects.toMatchObject({ code: 'MissingValue' })
    await expect(nurse.almoner.createPatient({ body: body([other.id]) })).rejects.toMatchObject({
      code: 'InvalidValue',
    })
    const patient = await nurse.almoner.createPatient({ body: body([own.id]) })
    expect((await nurse.almoner.getIndividual({ id: patient.id })).lastName).toBe(patient.lastName)
    await service.db
      .insertInto('groupIndividuals')
      .values({ groupId: other.id, individualId: patient.id, addedAt: new Date() })
      .execute()
    expect((await nurse.almoner.getPatient({ id: patient.id })).individualGroupIds).toEqual([own.id])
    const hidden = await chief.almoner.createPatient({
      body: { ...body([other.id]), firstName: patient.firstName, lastName: patient.lastName },
    })
    expect(hidden.meta.warnings[0]?.individualIds).toEqual([patient.id])
    await expect(nurse.almoner.modifyPatient({ id: hidden.id, body: {} })).rejects.toMatchObject({ status: 404 })
    const invite = (username: string) =>
      nurse.almoner.resendInvitation({ body: { username, notifications: ['email'] } })
    await expect(invite(hidden.username)).rejects.toMatchObject({ status: 404 })
    expect(await invite(patient.username)).toMatchObject({ registrationInvite: 'sent' })
    const third = await nurse.almoner.createPatient({ body: { ...body([own.id]), lastName: patient.lastName } })
    // The one out of sight looks the same too, and is not told of.
    expect(third.meta.warnings[0]?.individualIds).toEqual([patient.id])
  })
})
