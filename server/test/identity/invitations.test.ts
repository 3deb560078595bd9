import { connect } from '@almoner/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { nextState } from '../../src/features/identity/user-states.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
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
import { type SmsGateway, startSmsGateway } from '../support/sms-gateway.ts'

const GOOD_PASSWORD = 'seven quiet herons by the lake'

let service: TestService
let mail: MailServer
let sms: SmsGateway
let organizationId: string
let admin: Person
let count = 0

beforeAll(async () => {
  mail = await startMailServer()
  sms = await startSmsGateway()
  const { smsGatewayUrl, smsAccount, smsToken, smsFrom } = sms.settings
  const gateways = {
    SMTP_URL: mail.url,
    SMS_GATEWAY_URL: smsGatewayUrl,
    SMS_ACCOUNT: smsAccount,
    SMS_TOKEN: smsToken,
    SMS_FROM: smsFrom,
  }
  service = await startTestService({ role: 'all', environment: { ...gateways, PUBLIC_URL: 'https://care.example' } })
  organizationId = await makeOrganization(service, 'Riverside Clinic')
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
})

const anyone = () => connect({ baseUrl: service.url })
const newEmail = () => `invited-${++count}@example.org`
const invite = (email: string, more: object = {}) =>
  admin.almoner.createUser({
    body: {
      organizationId,
      firstName: 'Rosa',
      lastName: 'Díaz',
      email,
      role: 'patient',
      notifications: ['email'],
      ...more,
    },
  })
const stateOf = async (id: string) => {
  const { state, registrationInvite, emailVerified, phoneVerified } = await admin.almoner.getUser({ id })
  return { state, registrationInvite, emailVerified, phoneVerified }
}

/** The token of the newest link that was mailed to someone. */
async function mailedToken(email: string, already = 0): Promise<string> {
  const received = () => mail.mails.filter(({ to }) => JSON.stringify(to).includes(email))
  await until(() => received().length > already)
  const [, token = ''] = /https:\/\/care\.example\/[a-z-]+\?token=([\w-]+)/.exec(received().at(-1)?.text ?? '') ?? []
  return token
}

describe('an invitation', () => {
  test('goes from none to accepted, and its user from init to registered', async () => {
    const email = newEmail()
    const { id } = await invite(email, { notifications: [] })
    expect(await stateOf(id)).toEqual({
      state: 'init',
      registrationInvite: 'none',
      emailVerified: false,
      phoneVerified: false,
    })
    await admin.almoner.resendInvitation({ body: { username: email, notifications: ['email'] } })
    expect(await stateOf(id)).toMatchObject({ state: 'init', registrationInvite: 'sent' })
    const token = await mailedToken(email)
    expect(await anyone().confirmInvitation({ body: { token } })).toEqual({
      username: email,
      firstName: 'Rosa',
      locale: 'en_US',
    })
    expect(await stateOf(id)).toMatchObject({ state: 'confirmed', emailVerified: true })
    await anyone().register({ body: { token, password: GOOD_PASSWORD } })
    expect(await stateOf(id)).toMatchObject({ state: 'registered', registrationInvite: 'accepted' })
    expect((await call(service, LOGIN, { body: { username: email, password: GOOD_PASSWORD } })).status).toBe(201)
  })

  test('comes in both languages, and names the organization', async () => {
    const [english, spanish] = [newEmail(), newEmail()]
    await invite(english)
    await invite(spanish, { locale: 'es_US' })
    await mailedToken(english)
    await mailedToken(spanish)
    const subjectOf = (email: string) => mail.mails.find(({ to }) => JSON.stringify(to).includes(email))?.subject ?? ''
    expect(subjectOf(english)).toContain('Riverside Clinic')
    expect(subjectOf(spanish)).toContain('Riverside Clinic')
    expect(subjectOf(spanish)).not.toBe(subjectOf(english))
  })

  test('may go by text message, which verifies the phone', async () => {
    const mobilePhone = '+12025550143'
    const { id, username } = await admin.almoner.createUser({
      body: {
        organizationId,
        firstName: 'Sam',
        lastName: 'Okafor',
        mobilePhone,
        role: 'patient',
        notifications: ['sms'],
      },
    })
    expect(username).toBe(mobilePhone)
    await until(() => sms.requests.some(({ form }) => form.To === mobilePhone))
    const [, token = ''] =
      /token=([\w-]+)/.exec(sms.requests.find(({ form }) => form.To === mobilePhone)?.form.Body ?? '') ?? []
    await anyone().register({ body: { token, password: GOOD_PASSWORD } })
    expect(await stateOf(id)).toMatchObject({ state: 'registered', phoneVerified: true, emailVerified: false })
  })

  test('that cannot be delivered is shown as failed', async () => {
    mail.behaviour = 550
    const { id } = await invite(newEmail())
    await until(async () => (await stateOf(id)).registrationInvite === 'failed')
    mail.behaviour = 'take'
    const [message] = (await admin.almoner.listOutboundMessages({ organizationId, filter: { status: 'failed' } })).items
    expect(message).toMatchObject({ purpose: 'invitation', status: 'failed', text: null })
  })

  test('sent again makes the earlier link useless', async () => {
    const email = newEmail()
    await invite(email)
    const old = await mailedToken(email)
    await admin.almoner.resendInvitation({ body: { username: email, notifications: ['email'] } })
    const fresh = await mailedToken(email, 1)
    await expect(anyone().register({ body: { token: old, password: GOOD_PASSWORD } })).rejects.toMatchObject({
      code: 'LinkUsed',
    })
    await anyone().register({ body: { token: fresh, password: GOOD_PASSWORD } })
    await expect(anyone().register({ body: { token: fresh, password: GOOD_PASSWORD } })).rejects.toMatchObject({
      code: 'LinkUsed',
    })
    await expect(
      admin.almoner.resendInvitation({ body: { username: email, notifications: ['email'] } }),
    ).rejects.toMatchObject({ code: 'AlreadyRegistered' })
  })

  test('expired or altered says what to do', async () => {
    const email = newEmail()
    const { id } = await invite(email)
    const token = await mailedToken(email)
    await expect(anyone().confirmInvitation({ body: { token: `${token}x` } })).rejects.toMatchObject({
      code: 'LinkInvalid',
    })
    await service.db.updateTable('oneTimeLinks').set({ expiresAt: new Date() }).where('userId', '=', id).execute()
    await expect(anyone().register({ body: { token, password: GOOD_PASSWORD } })).rejects.toMatchObject({
      code: 'LinkExpired',
      message: expect.stringContaining('Ask for a new one'),
    })
  })

  test('followed twice at the same moment registers once', async () => {
    const email = newEmail()
    await invite(email)
    const token = await mailedToken(email)
    const attempts = await Promise.allSettled(
      [1, 2].map((n) => anyone().register({ body: { token, password: `${GOOD_PASSWORD} ${n}` } })),
    )
    expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('wants a password that is not easily guessed', async () => {
    const email = newEmail()
    await invite(email)
    const token = await mailedToken(email)
    for (const password of ['passwordpassword', email, 'rosarosarosa']) {
      await expect(anyone().register({ body: { token, password } })).rejects.toMatchObject({ code: 'PasswordTooWeak' })
    }
    await anyone().register({ body: { token, password: GOOD_PASSWORD } })
  })

  test('is for those within reach, by a way they have', async () => {
    const email = newEmail()
    await invite(email, { notifications: [] })
    const outsider = await makePerson(service, [{ organizationId: await makeOrganization(service), role: 'org-admin' }])
    await expect(
      outsider.almoner.resendInvitation({ body: { username: email, notifications: ['email'] } }),
    ).rejects.toMatchObject({ status: 404 })
    await expect(
      admin.almoner.resendInvitation({ body: { username: email, notifications: ['sms'] } }),
    ).rejects.toMatchObject({ code: 'NoContact' })
  })
})

describe('a forgotten password', () => {
  test('is reset by a mailed link, which ends every sign-in', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    await anyone().requestPasswordReset({ body: { username: person.username.toUpperCase() } })
    const token = await mailedToken(person.username)
    await expect(anyone().resetPassword({ body: { token, password: 'short' } })).rejects.toMatchObject({
      code: 'PasswordTooShort',
    })
    expect(await anyone().resetPassword({ body: { token, password: GOOD_PASSWORD } })).toEqual({
      username: person.username,
    })
    await expect(anyone().resetPassword({ body: { token, password: GOOD_PASSWORD } })).rejects.toMatchObject({
      code: 'LinkUsed',
    })
    expect((await call(service, LOGIN, { body: { username: person.username, password: GOOD_PASSWORD } })).status).toBe(
      201,
    )
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await expect(person.almoner.listOrganizations()).rejects.toMatchObject({ status: 403 })
  })

  test('is answered alike for nobody, and nothing is sent', async () => {
    const before = mail.mails.length
    expect(await anyone().requestPasswordReset({ body: { username: 'nobody@example.org' } })).toEqual({})
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(mail.mails.length).toBe(before)
  })

  test('ends a sign-in that was under way with the old one', async () => {
    for (let round = 0; round < 3; round++) {
      const person = await makePerson(service, [{ organizationId, role: 'provider' }])
      await anyone().requestPasswordReset({ body: { username: person.username } })
      const token = await mailedToken(person.username)
      const signInLater = async () => {
        await new Promise((resolve) => setTimeout(resolve, round * 15))
        return call(service, LOGIN, { body: { username: person.username, password: PASSWORD } })
      }
      const [late] = await Promise.all([
        signInLater(),
        anyone().resetPassword({ body: { token, password: GOOD_PASSWORD } }),
      ])
      await new Promise((resolve) => setTimeout(resolve, 1100))
      const isIn =
        late.status === 201 && (await call(service, ORGANIZATIONS, { token: late.body['access-token'] })).status === 200
      expect(isIn).toBe(false)
    }
  })

  test('and one that is changed at the same moment: one of the two holds, and the other is refused', async () => {
    for (let round = 0; round < 3; round++) {
      const person = await makePerson(service, [{ organizationId, role: 'provider' }])
      await anyone().requestPasswordReset({ body: { username: person.username } })
      const token = await mailedToken(person.username)
      const chosen = 'another phrase of many words'
      const [reset, change] = await Promise.allSettled([
        anyone().resetPassword({ body: { token, password: GOOD_PASSWORD } }),
        person.almoner.changePassword({ body: { currentPassword: PASSWORD, password: chosen } }),
      ])
      expect([reset.status, change.status].toSorted()).toEqual(['fulfilled', 'rejected'])
      const password = reset.status === 'fulfilled' ? GOOD_PASSWORD : chosen
      expect((await call(service, LOGIN, { body: { username: person.username, password } })).status).toBe(201)
    }
  })

  test('is reset only by an address that was verified', async () => {
    const email = newEmail()
    const mobilePhone = '+12025550177'
    await invite(email, { mobilePhone, notifications: ['sms'] })
    const smsTo = () => sms.requests.filter(({ form }) => form.To === mobilePhone)
    await until(() => smsTo().length === 1)
    const [, token = ''] = /token=([\w-]+)/.exec(smsTo()[0]?.form.Body ?? '') ?? []
    await anyone().register({ body: { token, password: GOOD_PASSWORD } })
    await anyone().requestPasswordReset({ body: { username: email } })
    await until(() => smsTo().length === 2)
    expect(mail.mails.some(({ envelope }) => envelope.to.includes(email))).toBe(false)
  })

  test('that an administrator demands must be set before signing in', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    await admin.almoner.modifyUser({ id: person.userId, body: { state: 'force_reset_password' } })
    const refused = await call(service, LOGIN, {
      body: { username: person.username, password: 'correct horse battery' },
    })
    expect(refused.body.errors[0].code).toBe('PasswordResetRequired')
    await anyone().requestPasswordReset({ body: { username: person.username } })
    await anyone().resetPassword({ body: { token: await mailedToken(person.username), password: GOOD_PASSWORD } })
    expect(await stateOf(person.userId)).toMatchObject({ state: 'registered' })
  })
})

test.each([
  ['init', 'confirm', 'confirmed'],
  ['init', 'register', 'registered'],
  ['confirmed', 'register', 'registered'],
  ['registered', 'register', null],
  ['registered', 'disable', 'registered_disabled'],
  ['registered_disabled', 'activate', 'registered'],
  ['confirmed', 'disable', 'disabled'],
  ['disabled', 'activate', 'confirmed'],
  ['disabled', 'register', null],
  ['registered', 'forceReset', 'force_reset_password'],
  ['force_reset_password', 'resetPassword', 'registered'],
  ['init', 'forceReset', null],
  ['registered', 'archive', 'archived'],
  ['archived', 'activate', null],
  ['archived', 'disable', null],
] as const)('%s by %s becomes %s', (from, move, to) => expect(nextState(from, move, { isVerified: true })).toBe(to))
