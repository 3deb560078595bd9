import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { makePatients } from '../../server/test/support/patients.ts'
import {
  makeOrganization,
  makePerson,
  PASSWORD,
  type Person,
  startTestService,
  type TestService,
} from '../../server/test/support/service.ts'
import {
  expectAccessible,
  expectNoFaults,
  heading,
  inBrowser,
  openAs,
  SIZES,
  signIn,
  watch,
} from './support/browser.ts'

const FIRST_LOAD = 250 * 1024

let service: TestService
let organizationId: string
let admin: Person

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
})

inBrowser('the frame', () => {
  describe.each(Object.keys(SIZES) as (keyof typeof SIZES)[])('on a %s', (size) => {
    test('leads to a screen, and puts the focus on its heading', async () => {
      const page = await openAs(service, admin, { size })
      await heading(page, 'Hello Ada')
      await page.waitForFunction(() => document.activeElement?.textContent === 'Hello Ada')
      await expectAccessible(page)
      if (size === 'phone') await page.getByRole('button', { name: 'Menu' }).click()
      if (size === 'phone') await expectAccessible(page)
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My account' }).click()
      await heading(page, 'My account')
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
      expect(await page.title()).toBe('My account – Almoner')
      expectNoFaults(page)
    })
  })

  test('can be skipped by the keyboard', async () => {
    const page = await openAs(service, admin)
    await heading(page, 'Hello Ada')
    await page.reload()
    await heading(page, 'Hello Ada')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
  })

  test('says kindly that there is nothing at an address', async () => {
    const page = await openAs(service, admin, { path: '/no/such/page' })
    await heading(page, 'This page does not exist')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Go to the home screen' }).click()
    await heading(page, 'Hello Ada')
    expectNoFaults(page)
  })

  test('speaks the language of the person, and changes it', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    const page = await openAs(service, person, { path: '/account', locale: 'es-MX' })
    // The browser's until someone has signed in, and then the person's.
    await heading(page, 'My account')
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Español' }).click()
    await heading(page, 'Mi cuenta')
    await page.getByRole('alert').getByText('Su idioma está guardado.').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
    expect((await person.almoner.getProfile()).locale).toBe('es_US')
    await expectAccessible(page)
    expectNoFaults(page)
  })

  test('lets people of several organizations change between them', async () => {
    const other = await makeOrganization(service, 'Hillside Clinic')
    const person = await makePerson(service, [
      { organizationId, role: 'provider' },
      { organizationId: other, role: 'org-admin' },
    ])
    const page = await openAs(service, person)
    await page.getByRole('button', { name: /^Organization: / }).click()
    await page.getByRole('menuitem', { name: 'Hillside Clinic' }).click()
    await page.getByText('You are working in Hillside Clinic.').waitFor()
    await page.reload()
    await page.getByText('You are working in Hillside Clinic.').waitFor()
    await expectAccessible(page)
    expectNoFaults(page)
  })

  test('finds patients and screens from the keyboard', async () => {
    await makePatients(service, organizationId, [
      ['Maximilian', 'Oak'],
      ['Nora', 'Quist'],
    ])
    const page = await openAs(service, admin)
    await heading(page, 'Hello Ada')
    await page.keyboard.press('Control+k')
    const search = page.getByPlaceholder('Find a patient or a screen')
    await search.fill('quist nor')
    await page.getByText('Quist, Nora').waitFor()
    await expectAccessible(page)
    expect(await page.getByText('Oak, Maximilian').count()).toBe(0)
    await search.fill('account')
    await page.getByRole('button', { name: 'My account' }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'My account')
    expectNoFaults(page)
  })

  test('loads little script at first', async () => {
    const page = await openAs(service, admin)
    await heading(page, 'Hello Ada')
    // Nothing came for half a second. The stream of events is never done, so the network is never idle.
    await page.waitForFunction(() => {
      const ends = performance.getEntriesByType('resource').map((one) => (one as PerformanceResourceTiming).responseEnd)
      return performance.now() - Math.max(...ends) > 500
    })
    const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    const scripts = [...new Set(names.filter((name) => name.endsWith('.js')).map((name) => basename(name)))]
    const compressed = (name: string) => stat(join(inject('consoleFolder'), 'assets', `${name}.gz`))
    const sizes = await Promise.all(scripts.map(async (name) => (await compressed(name)).size))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    console.log(`The first load has ${Math.round(total / 1024)} KB of script, compressed.`)
    expect(sizes.length).toBeGreaterThan(3)
    expect(total).toBeLessThan(FIRST_LOAD)
  })
})

inBrowser('a sign-in', () => {
  const ended = /status of 403/
  const endAll = async (person: Person) =>
    service.db.updateTable('sessions').set({ endedAt: new Date() }).where('userId', '=', person.userId).execute()
  const anotherTab = async (page: Page) => {
    const tab = await page.context().newPage()
    watch(tab, ended)
    await tab.goto(new URL('/account', service.url).href)
    return tab
  }

  test('that ended is renewed over the page, and nothing typed is lost', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    const page = await openAs(service, person, { path: '/account', expected: ended })
    await heading(page, 'My account')
    await endAll(person)
    // The service believes a token it has checked for a second.
    await page.waitForTimeout(1100)
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Español' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await expectAccessible(page)
    await dialog.locator('input[name=password]').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    // What was asked for is done after all.
    await heading(page, 'Mi cuenta')
    expect(await dialog.count()).toBe(0)
    expectNoFaults(page)
  })

  test('is shared by the tabs of a browser, and so is its end', async () => {
    const page = await openAs(service, admin)
    const tab = await anotherTab(page)
    await heading(tab, 'My account')
    await tab.getByRole('button', { name: 'You: Ada Person' }).click()
    await tab.getByRole('menuitem', { name: 'Sign out' }).click()
    await heading(tab, 'Sign in')
    await heading(page, 'Sign in')
    await signIn(page, admin.username)
    await heading(tab, 'Hello Ada')
    expectNoFaults(page)
    expectNoFaults(tab)
  })

  test('is gone when the browser is closed, and keeps no access token in storage', async () => {
    const page = await openAs(service, admin)
    await heading(page, 'Hello Ada')
    const { local, session } = await page.evaluate(() => ({
      local: { ...localStorage },
      session: { ...sessionStorage },
    }))
    expect(JSON.stringify(local)).not.toMatch(/token/i)
    expect(JSON.parse(session['almoner-sign-in'] ?? '{}').tokens).toMatchObject({ accessToken: '' })
  })
})
