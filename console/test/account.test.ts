import { connect } from '@almoner/client'
import { beforeAll, expect, test } from 'vitest'
import { codeFor } from '../../server/test/support/authenticator.ts'
import {
  makeOrganization,
  makePerson,
  PASSWORD,
  type Person,
  startTestService,
  type TestService,
} from '../../server/test/support/service.ts'
import { expectAccessible, expectNoFaults, heading, inBrowser, openAs } from './support/browser.ts'

const NEW_PASSWORD = 'seven quiet herons by the lake'

let service: TestService
let organizationId: string
const newPerson = (): Promise<Person> => makePerson(service, [{ organizationId, role: 'provider' }])

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
})

inBrowser("one's own account", () => {
  test('shows who one is, and keeps how one likes to be called', async () => {
    const person = await newPerson()
    const page = await openAs(service, person, { path: '/account', size: 'phone' })
    await heading(page, 'My account')
    await expectAccessible(page)
    await page.getByRole('region', { name: 'Profile' }).getByText(person.username).first().waitFor()
    await page.getByLabel('Preferred name').fill('Addie')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').getByText('Saved.').waitFor()
    expect((await person.almoner.getProfile()).preferredName).toBe('Addie')
    await page.getByRole('link', { name: 'Almoner' }).click()
    await heading(page, 'Hello Addie')
    expectNoFaults(page)
  })

  test('has its password changed, with its strength shown while it is typed', async () => {
    const person = await newPerson()
    const page = await openAs(service, person, { path: '/account', expected: /status of 400/ })
    const section = page.getByRole('region', { name: 'Password' })
    await section.getByLabel('Current password').fill('wrong')
    await section.getByLabel('New password').fill('password1')
    await section.getByText('Very weak').waitFor()
    await section.getByLabel('New password').fill(NEW_PASSWORD)
    await section.getByText('Strong').waitFor()
    await expectAccessible(page)
    await section.getByRole('button', { name: 'Change password' }).click()
    await section.getByText('The current password is wrong.').waitFor()
    await section.getByLabel('Current password').fill(PASSWORD)
    await section.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('alert').getByText('Your password is changed.').waitFor()
    await connect({ baseUrl: service.url }).login({ body: { username: person.username, password: NEW_PASSWORD } })
    expectNoFaults(page)
  })

  test('gets a second step by an authenticator app, and loses it again', async () => {
    const person = await newPerson()
    const page = await openAs(service, person, { path: '/account' })
    const section = page.getByRole('region', { name: 'Second step of signing in' })
    await section.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const picture = section.getByRole('img', { name: 'QR code' })
    await picture.waitFor()
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
    await expectAccessible(page)
    const key = await section.locator('code').innerText()
    await section.getByLabel('First code').fill(codeFor(key, -1))
    await section.getByLabel('Next code').fill(codeFor(key))
    await section.getByLabel('Current password').fill(PASSWORD)
    await section.getByRole('button', { name: 'Turn on' }).click()
    await section.getByText('On since').waitFor()
    expect((await person.almoner.listTotp()).items.filter(({ enabled }) => enabled)).toHaveLength(1)
    await section.getByRole('button', { name: 'Turn off' }).click()
    await section.getByLabel('Current password').fill(PASSWORD)
    await section.getByRole('button', { name: 'Turn off' }).click()
    await section.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
    expect((await person.almoner.listTotp()).items.filter(({ enabled }) => enabled)).toHaveLength(0)
    expectNoFaults(page)
  })

  test('is signed out everywhere else', async () => {
    const person = await newPerson()
    const page = await openAs(service, person, { path: '/account' })
    const section = page.getByRole('region', { name: 'Where you are signed in' })
    await section.getByText('This browser').waitFor()
    await section.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await section.getByText('You are signed in nowhere else.').waitFor()
    const rows = await service.db.selectFrom('sessions').select('endedAt').where('userId', '=', person.userId).execute()
    expect(rows.filter(({ endedAt }) => endedAt === null)).toHaveLength(1)
    await expectAccessible(page)
    expectNoFaults(page)
  })
})
