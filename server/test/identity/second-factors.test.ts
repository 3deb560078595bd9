import { randomInt } from 'node:crypto'
import { connect } from '@almoner/client'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeFor } from '../support/authenticator.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import {
  call,
  LOGIN,
  makeOrganization,
  makePerson,
  PASSWORD,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../support/service.ts'

const TOTP = '/identity/v1/mfa-totp/'
const CHALLENGES = '/identity/v1/mfa-email-challenges/'

let service: TestService
let mail: MailServer
let organizationId: string

beforeAll(async () => {
  mail = await startMailServer()
  service = await startTestService({ role: 'all', environment: { SMTP_URL: mail.url, TRUST_PROXY: 'true' } })
  organizationId = await makeOrganization(service)
})

/** Each from an address of its own: ten failures from one would close it. */
const elsewhere = () => ({ 'x-forwarded-for': `10.${[1, 2, 3].map(() => randomInt(256)).join('.')}` })
const signIn = (person: Person, more: object = {}) =>
  call(service, LOGIN, { body: { username: person.username, password: PASSWORD, ...more }, headers: elsewhere() })
const outcome = ({ status, body }: { status: number; body: { errors?: { code: string }[] } }) => [
  status,
  body.errors?.[0]?.code,
]

/** Someone who has set up TOTP; the codes used for that are those of the last two half-minutes. */
async function withTotp(): Promise<{ person: Person; id: string; secret: string }> {
  const person = await makePerson(service, [{ organizationId, role: 'provider' }])
  const { id, secret } = await person.almoner.initiateTotp()
  const key = secret?.sharedSecretKey ?? ''
  await person.almoner.enableTotp({ id, body: { codes: [codeFor(key, -2), codeFor(key, -1)], password: PASSWORD } })
  return { person, id, secret: key }
}

describe('setting up TOTP', () => {
  test('answers the secret, its address and a picture of it, once', async () => {
    const person = await makePerson(service, [])
    const { secret, enabled, id } = await person.almoner.initiateTotp()
    expect(enabled).toBe(false)
    expect(secret?.provisioningUri).toContain(`otpauth://totp/`)
    expect(secret?.provisioningUri).toContain(`secret=${secret?.sharedSecretKey}`)
    const { contentsBase64, width, height, mimetype } = secret?.provisioningQrcode ?? { contentsBase64: '' }
    const picture = Buffer.from(contentsBase64, 'base64')
    expect([mimetype, picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual(['image/png', width, height])
    const [listed] = (await person.almoner.listTotp()).items
    expect(listed).toMatchObject({ id, enabled: false, enabledAt: null })
    expect(listed?.secret).toBeUndefined()
    const row = await service.db
      .selectFrom('totpConfigurations')
      .select('secret')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.secret.toString('latin1')).not.toContain(secret?.sharedSecretKey)
  })

  test.each([
    ['the right codes and a wrong password', [-1, 0], 'wrong', [400, 'PasswordWrong']],
    ['codes in the wrong order', [0, -1], PASSWORD, [400, 'TotpCodesWrong']],
    ['the same code twice', [0, 0], PASSWORD, [400, 'TotpCodesWrong']],
    ['codes that do not follow each other', [-2, 0], PASSWORD, [400, 'TotpCodesWrong']],
    ['old codes', [-20, -19], PASSWORD, [400, 'TotpCodesWrong']],
    ['one code', [0], PASSWORD, [400, 'InvalidValue']],
    ['three codes', [-1, 0, 1], PASSWORD, [400, 'InvalidValue']],
    ['two codes that follow each other', [-1, 0], PASSWORD, [201, undefined]],
  ])('%s', async (_, steps, password, expected) => {
    const person = await makePerson(service, [])
    const { id, secret } = await person.almoner.initiateTotp()
    const codes = steps.map((step) => codeFor(secret?.sharedSecretKey ?? '', step))
    expect(
      outcome(
        await call(service, `${TOTP}${id}/enable/`, {
          token: person.token,
          body: { codes, password },
          headers: elsewhere(),
        }),
      ),
    ).toEqual(expected)
  })

  test('codes and password have at most 255 characters', async () => {
    const person = await makePerson(service, [])
    const { id } = await person.almoner.initiateTotp()
    const attempt = (code: string, password: string) =>
      call(service, `${TOTP}${id}/enable/`, { token: person.token, body: { codes: [code, '1'], password } })
    expect(outcome(await attempt('1'.repeat(256), 'x'))).toEqual([400, 'InvalidValue'])
    expect(outcome(await attempt('1', 'x'.repeat(256)))).toEqual([400, 'InvalidValue'])
    expect(outcome(await attempt('1'.repeat(255), 'x'.repeat(255)))).toEqual([400, 'PasswordWrong'])
  })

  test("another's configurations are an administrator's to see, and nobody's to enable", async () => {
    const { person, id } = await withTotp()
    const admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
    const colleague = await makePerson(service, [{ organizationId, role: 'provider' }])
    const outsider = await makePerson(service, [{ organizationId: await makeOrganization(service), role: 'org-admin' }])
    expect((await admin.almoner.listTotp({ filter: { userId: person.userId } })).items).toHaveLength(1)
    for (const other of [colleague, outsider]) {
      await expect(other.almoner.listTotp({ filter: { userId: person.userId } })).rejects.toMatchObject({
        code: 'PermissionDenied',
      })
      await expect(other.almoner.disableTotp({ id, body: { password: PASSWORD } })).rejects.toMatchObject({
        code: 'NotFound',
      })
    }
    await expect(
      admin.almoner.enableTotp({ id, body: { codes: ['1', '2'], password: PASSWORD } }),
    ).rejects.toMatchObject({ code: 'NotFound' })
    expect((await admin.almoner.disableTotp({ id, body: { password: PASSWORD } })).enabled).toBe(false)
    expect((await signIn(person)).status).toBe(201)
  })
})

test("an administrator of one of someone's organizations does not reach the others'", async () => {
  const { person, id } = await withTotp()
  const elsewhereId = await makeOrganization(service, 'Another employer')
  await service.db
    .insertInto('memberships')
    .values({ userId: person.userId, organizationId: elsewhereId, role: 'org-admin' })
    .execute()
  const admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  await expect(admin.almoner.disableTotp({ id, body: { password: PASSWORD } })).rejects.toMatchObject({
    code: 'NotFound',
  })
  await expect(admin.almoner.listTotp({ filter: { userId: person.userId } })).rejects.toMatchObject({
    code: 'PermissionDenied',
  })
})

test('whoever has a second factor put in or out of use is told by mail', async () => {
  const { person, id } = await withTotp()
  await person.almoner.disableTotp({ id, body: { password: PASSWORD } })
  const subjects = () =>
    mail.mails.filter(({ envelope }) => envelope.to.includes(person.username)).map(({ subject }) => subject)
  await until(() => subjects().length === 2)
  expect(subjects().toSorted()).toEqual(['Your account no longer asks for a code', 'Your account now asks for a code'])
})

test('a set-up begun anew while another is being enabled is not found, and nothing breaks', async () => {
  const person = await makePerson(service, [])
  const { id, secret } = await person.almoner.initiateTotp()
  const key = secret?.sharedSecretKey ?? ''
  const body = { codes: [codeFor(key, -1), codeFor(key, 0)], password: PASSWORD }
  const [enabled] = await Promise.all([
    call(service, `${TOTP}${id}/enable/`, { token: person.token, body }),
    person.almoner.initiateTotp(),
  ])
  expect([201, 404]).toContain(enabled.status)
})

describe('signing in with TOTP', () => {
  test('needs a code, and takes one step of a wrong clock', async () => {
    const { person, secret } = await withTotp()
    expect(outcome(await signIn(person))).toEqual([403, 'TotpRequired'])
    expect(outcome(await signIn(person, { 'totp-code': '000000' }))).toEqual([403, 'TotpInvalid'])
    expect(outcome(await signIn(person, { 'totp-code': codeFor(secret, -2) }))).toEqual([403, 'TotpInvalid'])
    expect(outcome(await signIn(person, { 'totp-code': codeFor(secret, 2) }))).toEqual([403, 'TotpInvalid'])
    expect((await signIn(person, { 'totp-code': codeFor(secret, 1) })).status).toBe(201)
  })

  test('a code works once, and so does every earlier one', async () => {
    const { person, secret } = await withTotp()
    expect((await signIn(person, { 'totp-code': codeFor(secret, 0) })).status).toBe(201)
    expect(outcome(await signIn(person, { 'totp-code': codeFor(secret, 0) }))).toEqual([403, 'TotpInvalid'])
    expect(outcome(await signIn(person, { 'totp-code': codeFor(secret, -1) }))).toEqual([403, 'TotpInvalid'])
  })

  test('a code used at the same moment twice signs in once', async () => {
    const { person, secret } = await withTotp()
    const code = codeFor(secret, 0)
    const answers = await Promise.all([1, 2, 3].map(() => signIn(person, { 'totp-code': code })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  test('a wrong password is refused before the code is looked at', async () => {
    const { person, secret } = await withTotp()
    expect(
      outcome(
        await call(service, LOGIN, {
          body: { username: person.username, password: 'x', 'totp-code': codeFor(secret) },
        }),
      ),
    ).toEqual([403, 'LoginFailed'])
    expect((await signIn(person, { 'totp-code': codeFor(secret) })).status).toBe(201)
  })

  test('only one configuration is in use, and without it no code is needed', async () => {
    const { person, id } = await withTotp()
    const second = await person.almoner.initiateTotp()
    const key = second.secret?.sharedSecretKey ?? ''
    const codes = [codeFor(key, -1), codeFor(key, 0)]
    await expect(
      person.almoner.enableTotp({ id: second.id, body: { codes, password: PASSWORD } }),
    ).rejects.toMatchObject({ code: 'TotpAlreadyEnabled' })
    await person.almoner.disableTotp({ id, body: { password: PASSWORD } })
    expect((await signIn(person)).status).toBe(201)
  })
})

describe('an organization that requires a second factor', () => {
  let person: Person
  let strictId: string

  beforeAll(async () => {
    strictId = await makeOrganization(service, 'Strict Clinic')
    const admin = await makePerson(service, [{ organizationId: strictId, role: 'org-admin' }])
    await admin.almoner.modifyOrganization({ id: strictId, body: { requireSecondFactor: true } })
  })

  // Someone new each time: ten failures would close the username.
  beforeEach(async () => {
    person = await connectPerson()
  })

  /** Made before the requirement applied to them. */
  async function connectPerson(): Promise<Person> {
    const made = await makePerson(service, [])
    await service.db
      .insertInto('memberships')
      .values({ userId: made.userId, organizationId: strictId, role: 'provider' })
      .execute()
    return made
  }

  async function challenge(who: Person): Promise<{ id: string; code: string }> {
    const before = mail.mails.length
    const { id } = await connect({ baseUrl: service.url }).createMfaEmailChallenge({
      body: { username: who.username, password: PASSWORD },
    })
    // Notices of earlier tests may arrive in between: it is the one with a code.
    const codes = () => mail.mails.slice(before).flatMap(({ text }) => /\b\d{6}\b/.exec(text ?? '') ?? [])
    await until(() => codes().length > 0)
    return { id, code: codes().at(-1) ?? '' }
  }
  const respond = (id: string, code: string) =>
    call(service, `${CHALLENGES}${id}/respond/`, { body: { code }, headers: elsewhere() })

  test('names the methods there are', async () => {
    const answer = await signIn(person)
    expect(outcome(answer)).toEqual([403, 'MfaRequired'])
    expect(answer.body.errors[0].meta.methods).toEqual(['email'])
  })

  test('takes the ticket of an email challenge, once', async () => {
    const { id, code } = await challenge(person)
    const { body } = await respond(id, code)
    const ticket = body['mfa-ticket']
    expect(ticket.length).toBeLessThanOrEqual(512)
    expect((await signIn(person, { 'mfa-ticket': ticket })).status).toBe(201)
    expect(outcome(await signIn(person, { 'mfa-ticket': ticket }))).toEqual([403, 'MfaTicketInvalid'])
  })

  test('refuses a ticket that is altered, old or of someone else', async () => {
    const other = await connectPerson()
    const { id, code } = await challenge(person)
    const ticket: string = (await respond(id, code)).body['mfa-ticket']
    const altered = (ticket.startsWith('A') ? 'B' : 'A') + ticket.slice(1)
    expect(outcome(await signIn(person, { 'mfa-ticket': altered }))).toEqual([403, 'MfaTicketInvalid'])
    expect(outcome(await signIn(person, { 'mfa-ticket': 'x'.repeat(512) }))).toEqual([403, 'MfaTicketInvalid'])
    expect(outcome(await signIn(person, { 'mfa-ticket': 'x'.repeat(513) }))).toEqual([400, 'InvalidValue'])
    expect(outcome(await signIn(other, { 'mfa-ticket': ticket }))).toEqual([403, 'MfaTicketInvalid'])
    await service.db
      .updateTable('mfaEmailChallenges')
      .set({ answeredAt: new Date(Date.now() - 601_000) })
      .where('id', '=', id)
      .execute()
    expect(outcome(await signIn(person, { 'mfa-ticket': ticket }))).toEqual([403, 'MfaTicketInvalid'])
  })

  test('five wrong codes use up a challenge', async () => {
    const { id, code } = await challenge(person)
    const wrong = code === '000000' ? '111111' : '000000'
    for (let tries = 0; tries < 5; tries++) expect(outcome(await respond(id, wrong))).toEqual([403, 'MfaCodeWrong'])
    expect(outcome(await respond(id, code))).toEqual([403, 'MfaCodeWrong'])
  })

  test('a code works once and not after ten minutes', async () => {
    const { id, code } = await challenge(person)
    expect((await respond(id, code)).status).toBe(201)
    expect(outcome(await respond(id, code))).toEqual([403, 'MfaCodeWrong'])
    const late = await challenge(person)
    await service.db
      .updateTable('mfaEmailChallenges')
      .set({ expiresAt: new Date() })
      .where('id', '=', late.id)
      .execute()
    expect(outcome(await respond(late.id, late.code))).toEqual([403, 'MfaCodeWrong'])
  })

  test('codes guessed over many challenges are guessed ten times at most', async () => {
    const victim = await connectPerson()
    const statuses: number[] = []
    for (let round = 0; round < 3; round++) {
      const { id, code } = await challenge(victim)
      const wrong = code === '000000' ? '111111' : '000000'
      for (let tries = 0; tries < 4; tries++) statuses.push((await respond(id, wrong)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(403), 429, 429])
  })

  test('sends no code for a wrong password', async () => {
    const attempt = connect({ baseUrl: service.url }).createMfaEmailChallenge({
      body: { username: person.username, password: 'wrong' },
    })
    await expect(attempt).rejects.toMatchObject({ code: 'LoginFailed' })
  })

  test('is content with TOTP', async () => {
    const { person: careful, secret } = await withTotp()
    await service.db
      .insertInto('memberships')
      .values({ userId: careful.userId, organizationId: strictId, role: 'provider' })
      .execute()
    expect((await signIn(careful, { 'totp-code': codeFor(secret) })).status).toBe(201)
  })
})
