import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePatients, manyNames } from '../../server/test/support/patients.ts'
import {
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../../server/test/support/service.ts'
import { expectAccessible, expectNoFaults, heading, inBrowser, openAs } from './support/browser.ts'

const REFUSED = /status of 400/

let service: TestService
let organizationId: string
let admin: Person

beforeAll(async () => {
  service = await startTestService({ role: 'all' })
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  await makePatients(service, organizationId, [
    ['Rosa', 'Díaz'],
    ['Álvaro', 'Abad'],
    ['Zoe', 'Zimmer'],
    ...manyNames(120),
  ])
})

const firstName = (page: Page) => page.locator('[data-row]').first().innerText()
const status = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true }).waitFor()
const searchOf = (page: Page) => new URL(page.url()).searchParams

inBrowser('the list of patients', () => {
  test('is sorted, paged and searched by the service, and its address holds it all', async () => {
    const page = await openAs(service, admin, { path: '/patients' })
    await heading(page, 'Patients')
    await status(page, '123 patients')
    expect(await firstName(page)).toBe('Abad, Álvaro')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Page 2 of 3').waitFor()
    await page.getByRole('button', { name: 'Name' }).click()
    await page.getByText('Page 1 of 3').waitFor()
    await page.getByText('Zimmer, Zoe').waitFor()
    expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending')
    expect(searchOf(page).get('sort')).toBe('-lastName')
    await page.keyboard.press('Escape')
    await page.locator('body').press('/')
    await page.keyboard.type('diaz ros')
    await status(page, '1 patient')
    expect(searchOf(page).get('text')).toBe('diaz ros')
    await page.reload()
    await status(page, '1 patient')
    expect(await firstName(page)).toBe('Díaz, Rosa')
    await page.getByRole('searchbox', { name: 'Search patients' }).fill('nobody at all')
    await page.getByText('No patient fits').waitFor()
    await expectAccessible(page)
    expectNoFaults(page)
  })

  test('is walked by the arrow keys, and Enter opens a patient', async () => {
    const page = await openAs(service, admin, { path: '/patients?size=25' })
    await page.getByRole('link', { name: 'Abad, Álvaro' }).focus()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Díaz, Rosa')
    await page.keyboard.press('End')
    const last = await focused()
    expect(last).not.toBe('Díaz, Rosa')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe(last)
    await page.keyboard.press('Home')
    expect(await focused()).toBe('Abad, Álvaro')
    await page.keyboard.press('PageDown')
    await page.getByText('Page 2 of 5').waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Number'))
    await page.keyboard.press('PageUp')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Abad, Álvaro')
    await page.getByRole('link', { name: 'Díaz, Rosa' }).press('Enter')
    await page.waitForURL(/\/patients\/[0-9a-f-]{36}$/)
    expectNoFaults(page)
  })

  test('is limited by filters and shows other columns, which a view keeps', async () => {
    const [rosa] = (await admin.almoner.listIndividuals({ organizationId, filter: { text: 'diaz' } })).items
    await admin.almoner.archiveIndividual({ id: rosa?.id ?? '' })
    const page = await openAs(service, admin, { path: '/patients' })
    await status(page, '122 patients')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('checkbox', { name: 'Archived' }).check()
    await status(page, '1 patient')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'E-mail' }).check()
    await page.getByRole('columnheader', { name: 'E-mail' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByLabel('Save this view').fill('Gone')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.goto(new URL('/patients', service.url).href)
    await status(page, '122 patients')
    await page.getByRole('button', { name: 'Views' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Gone', exact: true }).click()
    await status(page, '1 patient')
    await page.getByRole('columnheader', { name: 'E-mail' }).waitFor()
    expectNoFaults(page)
    await admin.almoner.restoreIndividual({ id: rosa?.id ?? '' })
  })

  test('is a list of names on a phone', async () => {
    const page = await openAs(service, admin, { path: '/patients', size: 'phone' })
    await page.getByRole('listitem').getByText('Abad, Álvaro').waitFor()
    await expectAccessible(page)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(390)
    expectNoFaults(page)
  })

  test('is not open to patients', async () => {
    const patient = await makePerson(service, [{ organizationId, role: 'patient' }])
    const page = await openAs(service, patient, { path: '/patients' })
    await heading(page, 'This screen is not open to you')
    expect(await page.getByRole('navigation').getByText('Patients').count()).toBe(0)
    expectNoFaults(page)
  })

  test('is saved as a file', async () => {
    const page = await openAs(service, admin, { path: '/patients' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    const text = await readFile(await download.path(), 'utf8')
    expect(text.split('\n')[0]).toContain('first-name,last-name')
    expect(text).toContain('Zimmer')
    expectNoFaults(page)
  })
})

inBrowser('a new patient', () => {
  test('has every fault told at its field, and then is created', async () => {
    const page = await openAs(service, admin, { path: '/patients/new', expected: REFUSED })
    await heading(page, 'New patient')
    await page.getByLabel('First name').fill('Mia')
    await page.getByRole('textbox', { name: 'E-mail' }).fill('not an address')
    await page.getByRole('button', { name: 'Create patient' }).click()
    await page.getByText('Nothing is stored yet').waitFor()
    expect(await page.locator('[aria-invalid=true]').count()).toBe(4)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('lastName')
    await expectAccessible(page)
    await page.getByLabel('Last name').fill('Lund')
    await page.getByLabel('Birth date').fill('1990-06-01')
    await page.getByRole('textbox', { name: 'E-mail' }).fill('mia.lund@example.org')
    await page.getByRole('combobox', { name: 'Gender' }).click()
    await page.getByRole('option', { name: 'Female' }).click()
    await page.getByRole('button', { name: 'Create patient' }).click()
    await page.waitForURL(/\/patients\/[0-9a-f-]{36}$/)
    await page.getByRole('alert').getByText('Mia Lund is created.').waitFor()
    const [, id = ''] = /patients\/(.+)$/.exec(page.url()) ?? []
    expect(await admin.almoner.getPatient({ id })).toMatchObject({
      lastName: 'Lund',
      gender: 'female',
      locale: 'en_US',
    })
    expectNoFaults(page)
  })

  test('who looks like someone known is told of before', async () => {
    await admin.almoner.createPatient({
      body: {
        organizationId,
        firstName: 'Ola',
        lastName: 'Berg',
        birthDate: '1960-01-02',
        gender: 'male',
        email: 'ola@example.org',
      },
    })
    const page = await openAs(service, admin, { path: '/patients/new', size: 'phone' })
    await page.getByLabel('First name').fill('ola')
    await page.getByLabel('Last name').fill('Berg')
    await page.getByLabel('Birth date').fill('1960-01-02')
    await page.getByText('This may be someone you know already').waitFor()
    await page.getByRole('link', { name: 'Berg, Ola' }).waitFor()
    await page.getByRole('button', { name: 'Create another record all the same' }).waitFor()
    await expectAccessible(page)
    expectNoFaults(page)
  })
})

inBrowser('an import', () => {
  const choose = async (page: Page, content: string | Buffer) => {
    const buffer = typeof content === 'string' ? Buffer.from(content) : content
    await page.locator('input[type=file]').setInputFiles({ name: 'patients.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Preview' }).click()
  }

  test('shows first what would happen, then happens, and says what came of it', async () => {
    const csv = [
      'first-name,last-name,birth-date,gender,email',
      'Ida,Import,1958-02-28,female,ida@import.example',
      'Bad,Import,1958-02-30,female,bad@import.example',
      'Jon,Import,1961-04-03,male,jon@import.example',
    ].join('\n')
    const page = await openAs(service, admin, { path: '/patients/import' })
    await expectAccessible(page)
    await choose(page, csv)
    await page.getByText('Preview: nothing is stored yet').waitFor()
    await page.getByRole('row', { name: /^3 birth-date/ }).waitFor()
    await expectAccessible(page)
    const imported = () => admin.almoner.listIndividuals({ organizationId, filter: { lastName: 'Import' } })
    expect((await imported()).total).toBe(0)
    await page.getByRole('button', { name: 'Import 2 patients' }).click()
    await page.getByRole('heading', { name: 'Imported' }).waitFor()
    expect((await imported()).total).toBe(2)
    await page.reload()
    await page.getByRole('heading', { name: 'Imported' }).waitFor()
    await page.getByRole('link', { name: 'Go to the patients' }).click()
    await heading(page, 'Patients')
    expectNoFaults(page)
  })

  test('of what is no list of patients says why', async () => {
    const page = await openAs(service, admin, { path: '/patients/import', expected: REFUSED })
    await choose(page, Buffer.from([0x6e, 0xe9, 0x0a]))
    await page.getByText('This file is not text in UTF-8').waitFor()
    await choose(page, 'a,b\n1,2\n')
    await page.getByRole('alert').getByText('The first line of the file must name its columns').waitFor()
    await until(async () => (await page.getByText('Request id').count()) === 1)
    expectNoFaults(page)
  })
})
