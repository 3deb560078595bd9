import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '@almoner/client'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import {
  call,
  LOGIN,
  makeOrganization,
  makePerson,
  ORGANIZATIONS,
  PASSWORD,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../support/service.ts'

const STRENGTH = '/identity/v1/check-password-strength/'
const LEAKED = 'a leaked but long pass phrase'

let service: TestService
let organizationId: string
let admin: Person

beforeAll(async () => {
  const digest = hash('sha1', LEAKED).toUpperCase()
  const range = createServer((request, response) => {
    response.end(request.url === `/range/${digest.slice(0, 5)}` ? `${digest.slice(5)}:42\r\n` : '')
  })
  await new Promise<void>((resolve) => range.listen(0, '127.0.0.1', resolve))
  cleanUp(async () => range.close())
  const { port } = range.address() as AddressInfo
  service = await startTestService({ environment: { PWNED_PASSWORDS_URL: `http://127.0.0.1:${port}` } })
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
})

const beliefToPass = () => new Promise((resolve) => setTimeout(resolve, 1100))

describe('the strength of a password', () => {
  test('has a value, a label and advice', async () => {
    const weak = await admin.almoner.checkPasswordStrength({ body: { password: 'password' } })
    expect(weak).toMatchObject({ strength: { label: 'very-weak', value: 0 }, pwned: { times: null } })
    expect(weak.suggestions.length).toBeGreaterThan(0)
    const strong = await admin.almoner.checkPasswordStrength({ body: { password: LEAKED, checkPwned: true } })
    expect(strong).toMatchObject({ strength: { label: 'strong', value: 4 }, pwned: { times: 42 } })
  })

  test.each([
    ['', 400],
    ['x', 201],
    ['é'.repeat(255), 201],
    ['x'.repeat(256), 400],
  ])('is told for 1 to 255 characters', async (password, status) => {
    expect((await call(service, STRENGTH, { token: admin.token, body: { password } })).status).toBe(status)
  })
})

test('one caller has one check at a time, and others do not wait for it', async () => {
  const password = 'p@55w0rd'.repeat(8)
  const person = await makePerson(service, [])
  const statuses = (
    await Promise.all(
      Array.from({ length: 6 }, () => call(service, STRENGTH, { token: person.token, body: { password } })),
    )
  ).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([201, 429, 429, 429, 429, 429])
})

describe('changing your password', () => {
  test('needs the current one, and ends your other sign-ins', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    const other = connect({ baseUrl: service.url })
    await other.login({ body: { username: person.username, password: PASSWORD } })
    const change = (currentPassword: string, password: string) =>
      person.almoner.changePassword({ body: { currentPassword, password } })
    await expect(change('wrong', 'nine green kettles whistle')).rejects.toMatchObject({ code: 'PasswordWrong' })
    await expect(change(PASSWORD, 'x7#kQ9!mZ2p')).rejects.toMatchObject({ code: 'PasswordTooShort' })
    await expect(change(PASSWORD, 'aaaaaaaaaaaa')).rejects.toMatchObject({ code: 'PasswordTooWeak' })
    await expect(change(PASSWORD, LEAKED)).rejects.toMatchObject({ code: 'PasswordLeaked' })
    await change(PASSWORD, 'nine green kettles whistle')
    await beliefToPass()
    await expect(other.listOrganizations()).rejects.toMatchObject({ status: 403 })
    expect((await person.almoner.listOrganizations()).total).toBe(1)
    expect((await call(service, LOGIN, { body: { username: person.username, password: PASSWORD } })).status).toBe(403)
  })
})

describe('your sign-ins', () => {
  test('are listed and can be ended one by one', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    const phone = connect({ baseUrl: service.url })
    await phone.login({ body: { username: person.username, password: PASSWORD } })
    const { items } = await person.almoner.listSessions()
    expect(items.map(({ isCurrent }) => isCurrent)).toEqual([false, true])
    expect(items[0]).toMatchObject({ userId: person.userId, ip: '127.0.0.1', userAgent: expect.any(String) })
    await person.almoner.endSession({ id: items[0]?.id ?? '' })
    await beliefToPass()
    await expect(phone.listOrganizations()).rejects.toMatchObject({ status: 403 })
    expect((await person.almoner.listSessions()).total).toBe(1)
  })

  test("are yours and your administrators' to see and to end", async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    const colleague = await makePerson(service, [{ organizationId, role: 'provider' }])
    const [session] = (await admin.almoner.listSessions({ filter: { userId: person.userId } })).items
    const id = session?.id ?? ''
    await expect(colleague.almoner.listSessions({ filter: { userId: person.userId } })).rejects.toMatchObject({
      code: 'PermissionDenied',
    })
    await expect(colleague.almoner.endSession({ id })).rejects.toMatchObject({ status: 404 })
    await admin.almoner.endSession({ id })
    await beliefToPass()
    await expect(person.almoner.listSessions()).rejects.toMatchObject({ status: 403 })
  })
})

describe('what a sign-in may carry', () => {
  const signIn = (person: Person, more: object) =>
    call(service, LOGIN, { body: { username: person.username, password: PASSWORD, ...more } })

  test('a locale we speak is kept, another is ignored', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'patient' }])
    const locale = async () => (await admin.almoner.getUser({ id: person.userId })).locale
    await signIn(person, { locale: 'es_US' })
    expect(await locale()).toBe('es_US')
    expect((await signIn(person, { locale: 'fr_FR' })).status).toBe(201)
    expect(await locale()).toBe('es_US')
    expect((await signIn(person, { locale: 'x'.repeat(36) })).status).toBe(400)
  })

  test('agreements to the documents in force', async () => {
    const clinic = await makeOrganization(service, 'With terms')
    const chief = await makePerson(service, [{ organizationId: clinic, role: 'org-admin' }])
    const person = await makePerson(service, [])
    await service.db
      .insertInto('memberships')
      .values({ userId: person.userId, organizationId: clinic, role: 'patient' })
      .execute()
    const make = (title: string) =>
      chief.almoner.createServiceDocument({ body: { organizationId: clinic, title, body: '# Terms' } })
    const [terms, privacy] = [await make('Terms'), await make('Privacy')]
    const refused = await signIn(person, { 'service-document-agreements': [terms.id] })
    expect([refused.status, refused.body.errors[0].code]).toEqual([403, 'ServiceDocumentsRequired'])
    expect(refused.body.errors[0].meta.documents).toEqual([{ id: privacy.id, title: 'Privacy' }])
    expect(await connect({ baseUrl: service.url }).getServiceDocument({ id: privacy.id })).toMatchObject({
      title: 'Privacy',
      body: '# Terms',
    })
    expect((await signIn(person, { 'service-document-agreements': [terms.id, privacy.id.toUpperCase()] })).status).toBe(
      201,
    )
    expect((await signIn(person, {})).status).toBe(201)
    await make('Newer terms')
    expect((await signIn(person, {})).status).toBe(403)
    const [newest] = (await chief.almoner.listServiceDocuments({ organizationId: clinic })).items.slice(-1)
    await chief.almoner.modifyServiceDocument({ id: newest?.id ?? '', body: { isActive: false } })
    expect((await signIn(person, {})).status).toBe(201)
  })

  test.each([
    [0, 400],
    [1, 201],
    [3_600_001, 400],
  ])('a simulated queue delay of %s is answered %s', async (delay, status) => {
    expect((await signIn(await makePerson(service, []), { 'simulated-queue-delay': delay })).status).toBe(status)
  })

  test('a simulated queue delay puts off the background work of its calls', async () => {
    const { body } = await signIn(admin, { 'simulated-queue-delay': 60_000 })
    const slow = connect({ baseUrl: service.url, token: body['access-token'] })
    await slow.createUser({
      body: {
        organizationId,
        firstName: 'A',
        lastName: 'B',
        email: 'slow@example.org',
        role: 'patient',
        notifications: ['email'],
      },
    })
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from run_at - now())::int as seconds from graphile_worker.jobs where task_identifier = 'deliver-message' order by run_at desc limit 1`.execute(
      service.db,
    )
    expect(rows[0]?.seconds).toBeGreaterThan(50)
  })
})

describe('service accounts', () => {
  const made = () =>
    admin.almoner.createServiceAccount({
      body: { organizationId, name: 'Scale in room 3', kind: 'device', scopes: ['list-groups'] },
    })

  test('have named tokens that are shown once and can be revoked', async () => {
    const { id } = await made()
    const { token, id: tokenId } = await admin.almoner.createServiceAccountToken({ id, body: { name: 'first' } })
    expect(token).toMatch(/^sa_[\w-]{43}$/)
    const { items } = await admin.almoner.listServiceAccountTokens({ serviceAccountId: id })
    expect(items).toMatchObject([{ id: tokenId, name: 'first', expiresAt: null }])
    expect(JSON.stringify(items)).not.toContain(token)
    const attempt = async () => (await call(service, ORGANIZATIONS, { token })).body.errors[0].code
    expect(await attempt()).toBe('PermissionDenied')
    await admin.almoner.revokeServiceAccountToken({ id: tokenId })
    await beliefToPass()
    expect(await attempt()).toBe('TokenInvalid')
  })

  test('may call only what is open to their kind, whatever their scopes', async () => {
    const { id } = await made()
    const { token } = await admin.almoner.createServiceAccountToken({ id, body: { name: 'x' } })
    const device = connect({ baseUrl: service.url, token })
    await expect(device.listGroups()).rejects.toMatchObject({ code: 'PermissionDenied' })
    await expect(device.logout()).rejects.toMatchObject({ code: 'PermissionDenied' })
  })

  test('stop at once when they are put out of use, and their tokens when they expire', async () => {
    const { id } = await made()
    const { token } = await admin.almoner.createServiceAccountToken({ id, body: { name: 'x', expiresInDays: 1 } })
    const code = async () => (await call(service, ORGANIZATIONS, { token })).body.errors[0].code
    await service.db
      .updateTable('serviceAccountTokens')
      .set({ expiresAt: new Date() })
      .where('serviceAccountId', '=', id)
      .execute()
    expect(await code()).toBe('TokenExpired')
    await admin.almoner.modifyServiceAccount({ id, body: { isActive: false } })
    await beliefToPass()
    expect(await code()).toBe('TokenInvalid')
  })

  test('belong to their organization, and have scopes that exist', async () => {
    const { id } = await made()
    const outsider = await makePerson(service, [{ organizationId: await makeOrganization(service), role: 'org-admin' }])
    for (const attempt of [
      () => outsider.almoner.modifyServiceAccount({ id, body: { name: 'Mine' } }),
      () => outsider.almoner.createServiceAccountToken({ id, body: { name: 'Mine' } }),
      () => outsider.almoner.listServiceAccountTokens({ serviceAccountId: id }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
    const wrong = admin.almoner.createServiceAccount({
      body: { organizationId, name: 'X', kind: 'job', scopes: ['read-minds'] },
    })
    await expect(wrong).rejects.toMatchObject({ code: 'UnknownScope' })
  })
})

describe('the outbox', () => {
  test('keeps messages readable for administrators while no gateway is configured', async () => {
    const email = 'waiting@example.org'
    await admin.almoner.createUser({
      body: { organizationId, firstName: 'Wai', lastName: 'Ting', email, role: 'patient', notifications: ['email'] },
    })
    const { items } = await admin.almoner.listOutboundMessages({
      organizationId,
      filter: { channel: 'email', status: 'created' },
    })
    const message = items.find(({ recipient }) => recipient === email)
    expect(message).toMatchObject({
      purpose: 'invitation',
      status: 'created',
      attempts: 0,
      text: expect.stringMatching(/\/register\?token=/),
    })
    const provider = await makePerson(service, [{ organizationId, role: 'provider' }])
    await expect(provider.almoner.listOutboundMessages({ organizationId })).rejects.toMatchObject({ status: 403 })
  })
})

describe('the audit trail', () => {
  const events = (query: object = {}) =>
    admin.almoner.listAuditEvents({ organizationId, page: { limit: 1000 }, ...query })
  const happened = async (query: object) => {
    await until(async () => (await events(query)).total > 0)
    return (await events(query)).items
  }

  test('has sign-ins and refused ones, with who and from where', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    const [signIn] = await happened({ filter: { userId: person.userId, operation: 'login' } })
    expect(signIn).toMatchObject({ outcome: 'success', code: null, ip: '127.0.0.1', requestId: expect.any(String) })
    await expect(person.almoner.listUsers({ organizationId })).rejects.toThrow()
    const [refusal] = await happened({ filter: { userId: person.userId, outcome: 'refused' } })
    expect(refusal).toMatchObject({ operation: 'list-users', code: 'PermissionDenied' })
  })

  test('has every read and write of a record, with whose it was', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'patient' }])
    await admin.almoner.getUser({ id: person.userId })
    await admin.almoner.modifyUser({ id: person.userId, body: { firstName: 'Read' } })
    await until(async () => (await events({ filter: { individualId: person.individualId } })).total >= 2)
    const seen = await happened({ filter: { individualId: person.individualId } })
    expect(seen.map(({ operation }) => operation)).toEqual(expect.arrayContaining(['get-user', 'modify-user']))
    expect(seen.every(({ userId }) => userId === admin.userId)).toBe(true)
  })

  test('has what changes who may do what', async () => {
    const { id } = await admin.almoner.createServiceAccount({
      body: { organizationId, name: 'Audited', kind: 'job', scopes: ['list-groups'] },
    })
    await admin.almoner.createServiceAccountToken({ id, body: { name: 'audited' } })
    await admin.almoner.modifyOrganization({ id: organizationId, body: { name: 'Renamed' } })
    for (const operation of ['create-service-account', 'create-service-account-token', 'modify-organization']) {
      expect((await happened({ filter: { operation } }))[0]).toMatchObject({ userId: admin.userId, outcome: 'success' })
    }
  })

  test('names who signed in, not whose token came along, and who was guessed at', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    const before = (await events({ filter: { userId: admin.userId, operation: 'login' } })).total
    await call(service, LOGIN, { token: admin.token, body: { username: person.username, password: PASSWORD } })
    await call(service, LOGIN, { body: { username: person.username, password: 'guess' } })
    const [failed] = await happened({ filter: { userId: person.userId, operation: 'login', outcome: 'refused' } })
    expect(failed).toMatchObject({ code: 'LoginFailed' })
    expect((await events({ filter: { userId: admin.userId, operation: 'login' } })).total).toBe(before)
  })

  test('a write that is undone leaves no event of success', async () => {
    const { id, individualId } = await admin.almoner.createUser({
      body: { organizationId, firstName: 'U', lastName: 'Ndone', email: 'undone@example.org', role: 'patient' },
    })
    await expect(
      admin.almoner.modifyUser({ id, body: { firstName: 'X', state: 'force_reset_password' } }),
    ).rejects.toThrow()
    const all = await happened({ filter: { individualId } })
    expect(all.filter(({ operation }) => operation === 'modify-user')).toEqual([])
  })

  test('a read is in the log at once', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'patient' }])
    await admin.almoner.getUser({ id: person.userId })
    expect(
      service.logged.some(({ audit }) =>
        (audit as { individualIds?: string[] })?.individualIds?.includes(person.individualId),
      ),
    ).toBe(true)
  })

  test('cannot be changed, emptied or shortened by the service itself', async () => {
    await happened({})
    await expect(service.db.updateTable('auditEvents').set({ ip: 'x' }).execute()).rejects.toThrow(
      'never changed or removed',
    )
    await expect(service.db.deleteFrom('auditEvents').execute()).rejects.toThrow('never changed or removed')
    await expect(sql`truncate audit_events`.execute(service.db)).rejects.toThrow('never changed or removed')
  })

  test("is an administrator's to read, of that organization alone", async () => {
    const outsider = await makePerson(service, [{ organizationId: await makeOrganization(service), role: 'org-admin' }])
    await expect(outsider.almoner.listAuditEvents({ organizationId })).rejects.toMatchObject({ status: 404 })
  })
})

describe('the profile', () => {
  test('is of whoever asks, whatever their role', async () => {
    for (const role of ['org-admin', 'provider', 'patient'] as const) {
      const person = await makePerson(service, [{ organizationId, role }])
      const { userId: id, individualId, username } = person
      expect(await person.almoner.getProfile()).toMatchObject({ id, individualId, username, firstName: 'Ada' })
    }
  })

  test('is changed in language and in how one is called, and in nothing else', async () => {
    const { almoner, token } = await makePerson(service, [{ organizationId, role: 'patient' }])
    expect(await almoner.modifyProfile({ body: { locale: 'es_US', preferredName: 'Addie' } })).toMatchObject({
      locale: 'es_US',
      preferredName: 'Addie',
    })
    expect(await almoner.modifyProfile({ body: { preferredName: null } })).toMatchObject({
      locale: 'es_US',
      preferredName: null,
    })
    for (const attributes of [{ 'first-name': 'Eve' }, { locale: 'de_DE' }, { 'preferred-name': '' }]) {
      const answer = await call(service, '/identity/v1/profile/', {
        method: 'PATCH',
        token,
        body: { data: { attributes } },
      })
      expect([attributes, answer.status]).toEqual([attributes, 400])
    }
  })
})
