import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { codeFor } from '../../server/test/support/authenticator.ts'
import { type MailServer, startMailServer } from '../../server/test/support/mail-server.ts'
import {
  makeOrganization,
  makePerson,
  PASSWORD,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../../server/test/support/service.ts'
import { expectAccessible, expectNoFaults, heading, inBrowser, openPage, signIn } from './support/browser.ts'

const REFUSED = /status of 40[03]/
const NEW_PASSWORD = 'seven quiet herons by the lake'

let service: TestService
let mail: MailServer
let organizationId: string
let admin: Person

beforeAll(async () => {
  mail = await startMailServer()
  service = await startTestService({ role: 'all', environment: { SMTP_URL: mail.url } })
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
})

const submit = (page: Page) => page.locator('button[type=submit]').click()

async function enter(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(password)
  await submit(page)
}

/** The newest mail to someone. */
async function mailTo(address: string, already = 0): Promise<string> {
  const received = () => mail.mails.filter(({ envelope }) => envelope.to.includes(address))
  await until(() => received().length > already)
  return received().at(-1)?.text ?? ''
}

inBrowser('signing in', () => {
  test('leads to the page that was asked for, and is there again after a reload', async () => {
    const page = await openPage(service, { path: '/account' })
    await heading(page, 'Sign in')
    await expectAccessible(page)
    await signIn(page, admin.username)
    await page.waitForURL('**/account')
    await page.reload()
    await heading(page, 'My account')
    expectNoFaults(page)
  })

  test('says what the service says when the password is wrong, with the id to quote', async () => {
    const page = await openPage(service, { size: 'phone', expected: REFUSED })
    await enter(page, admin.username, 'wrong')
    await page.getByRole('alert').getByText('The username or the password is wrong.').waitFor()
    await page.getByText(/Request id [\w-]{36}/).waitFor()
    await expectAccessible(page)
    expectNoFaults(page)
  })

  test.each(['//elsewhere.example/', 'https://elsewhere.example/', '/\\elsewhere.example/', 'javascript:alert(1)'])(
    'leads nowhere but to the console itself, also when it is told %s',
    async (next) => {
      const page = await openPage(service, { path: `/sign-in?next=${encodeURIComponent(next)}` })
      await signIn(page, admin.username)
      expect(new URL(page.url()).origin).toBe(new URL(service.url).origin)
      expectNoFaults(page)
    },
  )

  test('asks for the code of an authenticator app', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    const { id, secret } = await person.almoner.initiateTotp()
    const key = secret?.sharedSecretKey ?? ''
    await person.almoner.enableTotp({ id, body: { codes: [codeFor(key, -2), codeFor(key, -1)], password: PASSWORD } })
    const page = await openPage(service, { expected: REFUSED })
    await enter(page, person.username)
    await page.getByLabel('Code').fill('000000')
    await submit(page)
    await page.getByRole('alert').getByText('The TOTP code is wrong').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Code').fill(codeFor(key))
    await submit(page)
    await heading(page, 'Hello Ada')
    expectNoFaults(page)
  })

  test('asks for a code that was mailed, and then for agreement to documents', async () => {
    const strict = await makeOrganization(service, 'Strict Clinic')
    const owner = await makePerson(service, [{ organizationId: strict, role: 'org-admin' }])
    const person = await makePerson(service, [{ organizationId: strict, role: 'provider' }])
    await owner.almoner.createServiceDocument({ body: { organizationId: strict, title: 'Terms', body: 'Be kind.' } })
    await owner.almoner.modifyOrganization({ id: strict, body: { requireSecondFactor: true } })
    const page = await openPage(service, { expected: REFUSED })
    await enter(page, person.username)
    await page.getByText('We sent a code to your e-mail address').waitFor()
    const [code = ''] = /\b\d{6}\b/.exec(await mailTo(person.username)) ?? []
    await page.getByLabel('Code').fill(code)
    await submit(page)
    await page.getByRole('region', { name: 'Terms' }).getByText('Be kind.').waitFor()
    await expectAccessible(page)
    await page.getByLabel('I have read “Terms” and agree to it').check()
    await submit(page)
    await heading(page, 'Hello Ada')
    expectNoFaults(page)
  })
})

inBrowser('the links in messages', () => {
  test('an invitation is opened in the language of the invited, and ends with a sign-in', async () => {
    const email = 'rosa@example.org'
    await admin.almoner.createUser({
      body: {
        organizationId,
        firstName: 'Rosa',
        lastName: 'Díaz',
        email,
        role: 'provider',
        locale: 'es_US',
        notifications: ['email'],
      },
    })
    const [link = ''] = /\S+\/register\?token=\S+/.exec(await mailTo(email)) ?? []
    const { pathname, search } = new URL(link)
    const page = await openPage(service, { path: pathname + search, size: 'phone', expected: REFUSED })
    await page.getByText('Hola, Rosa.').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
    // Nobody reads it over a shoulder, and no history keeps it.
    expect(page.url()).not.toContain('token')
    expect(await page.getByLabel('Nombre de usuario').inputValue()).toBe(email)
    await expectAccessible(page)
    await page.getByLabel('Contraseña nueva').fill('short')
    await submit(page)
    await page.getByRole('alert').getByText('Esta contraseña es demasiado corta. Use al menos 12 caracteres.').waitFor()
    await page.getByLabel('Contraseña nueva').fill(NEW_PASSWORD)
    await submit(page)
    await page.getByRole('link', { name: 'Ir al inicio de sesión' }).click()
    await signIn(page, email, NEW_PASSWORD)
    await heading(page, 'Hola, Rosa')
    expectNoFaults(page)
  })

  test('a forgotten password is set anew', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    const page = await openPage(service, { path: '/sign-in' })
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Username').fill(person.username)
    await expectAccessible(page)
    await submit(page)
    await page.getByText('a link is on its way').waitFor()
    const [link = ''] = /\S+\/reset-password\?token=\S+/.exec(await mailTo(person.username)) ?? []
    const { pathname, search } = new URL(link)
    await page.goto(new URL(pathname + search, service.url).href)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await submit(page)
    await page.getByText('Your password is saved.').waitFor()
    await page.getByRole('link', { name: 'Go to sign-in' }).click()
    await signIn(page, person.username, NEW_PASSWORD)
    await heading(page, 'Hello Ada')
    expectNoFaults(page)
  })

  test.each([
    ['/register?token=x', 'This link is not valid.'],
    ['/register', 'This link is not complete.'],
    ['/reset-password', 'This link is not complete.'],
  ])('%s says what is wrong with it', async (path, words) => {
    const page = await openPage(service, { path, expected: REFUSED })
    await heading(page, 'This link does not work')
    await page.getByText(words).waitFor()
    expectNoFaults(page)
  })
})
