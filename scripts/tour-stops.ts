// What the tour shows: one entry for each picture.

import type { Page } from 'playwright-core'
import { TOUR_PEOPLE } from './tour-people.ts'

export interface Stop {
  /** The name of the picture; those of a phone end in -phone. */
  name: string
  path: string
  /** Who is signed in; a provider when left out. */
  who?: keyof typeof TOUR_PEOPLE | 'nobody'
  /** On a desktop when left out. */
  sizes?: readonly ('phone' | 'desktop')[]
  colorScheme?: 'light' | 'dark'
  locale?: string
  /** What is done on the page before the picture is taken. */
  before?: (page: Page) => Promise<unknown>
}

interface Listed {
  id: string
  attributes: Record<string, unknown>
}

/** The page of someone who measures several things at home. */
const openPatient = (span: string) => async (page: Page) => {
  const ask = async (path: string, init: RequestInit = {}) => (await fetch(new URL(path, page.url()), init)).json()
  const login = await ask('/identity/v1/login/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(TOUR_PEOPLE.provider),
  })
  const headers = { Authorization: `Bearer ${login['access-token']}` }
  const organizations = await ask('/identity/v1/organizations/', { headers })
  const list = `/caredb/v1/aggregation-individuals/?organization-id=${organizations.data[0].id}&sort=-last-bp-time&page[limit]=100`
  const individuals: Listed[] = (await ask(list, { headers })).data
  const hasAll = ({ attributes }: Listed) =>
    ['last-bp-time', 'last-heart-rate-time', 'last-body-mass-time'].every((name) => attributes[name])
  const found = individuals.find(hasAll) ?? individuals[0]
  await page.goto(new URL(`/patients/${found?.id}`, page.url()).href)
  await page.getByRole('button', { name: span, exact: true }).click()
  await page.locator('section[data-resolution]').last().waitFor()
  await page.waitForTimeout(1500)
}

const BOTH = ['desktop', 'phone'] as const

const openFirst = (page: Page) => page.getByRole('list', { name: 'Alerts' }).getByRole('link').first().click()

export const stops: Stop[] = [
  { name: 'sign-in', path: '/sign-in', who: 'nobody', sizes: BOTH },
  { name: 'home', path: '/', sizes: BOTH },
  {
    name: 'search',
    path: '/',
    before: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Find a patient or a screen').fill('gar')
      await page.locator('[data-action]').nth(3).waitFor()
    },
  },
  { name: 'patients', path: '/patients', sizes: BOTH },
  {
    name: 'patients-dark',
    path: '/patients?sort=-lastBpSystolic&columns=name,birthDate,bloodPressure,lastHeartRate,lastBodyMass,lastActivityTime',
    colorScheme: 'dark',
  },
  {
    name: 'patients-filters',
    path: '/patients?state=registered',
    before: (page) => page.getByRole('button', { name: 'Filters (1)' }).click(),
  },
  {
    name: 'new-patient',
    path: '/patients/new',
    sizes: BOTH,
    before: async (page) => {
      await page.getByLabel('First name').fill('Rosa')
      await page.getByRole('button', { name: 'Create patient' }).click()
      await page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'import-patients',
    path: '/patients/import',
    who: 'administrator',
    before: async (page) => {
      const csv = [
        'first-name,last-name,birth-date,gender,email',
        'Rosa,Diaz,1958-02-28,female,rosa@new.example',
        'Ben,Okafor,1971-13-05,male,ben@new.example',
        'Mia,Lund,1990-06-01,x,mia@new.example',
      ]
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'patients.csv', mimeType: 'text/csv', buffer: Buffer.from(csv.join('\n')) })
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('button', { name: /^Import 1/ }).waitFor()
    },
  },
  { name: 'account', path: '/account', sizes: BOTH },
  {
    name: 'second-step',
    path: '/account',
    before: async (page) => {
      await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
      await page.getByLabel('Next code').scrollIntoViewIfNeeded()
    },
  },
  { name: 'groups', path: '/groups', who: 'administrator', sizes: BOTH },
  {
    name: 'group',
    path: '/groups',
    who: 'administrator',
    sizes: BOTH,
    before: async (page) => {
      await page.getByRole('treeitem').last().click()
      await page.getByRole('heading', { name: /^Leaders/ }).waitFor()
    },
  },
  {
    name: 'group-move',
    path: '/groups',
    who: 'administrator',
    colorScheme: 'dark',
    before: async (page) => {
      await page.getByRole('treeitem').last().click()
      await page.getByRole('button', { name: 'Move to…' }).click()
      await page.getByRole('dialog').getByRole('treeitem').nth(2).click()
    },
  },
  { name: 'administration-users', path: '/administration/users', who: 'administrator', sizes: BOTH },
  {
    name: 'administration-new-user',
    path: '/administration/users',
    who: 'administrator',
    before: (page) => page.getByRole('button', { name: 'New user' }).click(),
  },
  { name: 'administration-organization', path: '/administration/organization', who: 'administrator' },
  { name: 'administration-security', path: '/administration/security', who: 'administrator', colorScheme: 'dark' },
  {
    name: 'administration-device',
    path: '/administration/service-accounts',
    who: 'administrator',
    before: async (page) => {
      await page.getByRole('button', { name: 'New device or job' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Scale in the hall')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('button', { name: 'New token' }).click()
      await page.getByRole('textbox', { name: 'Name of the token' }).fill('Gateway')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('button', { name: 'I have copied it' }).click()
    },
  },
  {
    name: 'administration-webhook',
    path: '/administration/webhooks',
    who: 'administrator',
    sizes: BOTH,
    before: async (page) => {
      await page.getByRole('button', { name: 'New webhook' }).click()
      await page.getByRole('textbox', { name: 'Address' }).fill('https://receiver.example.org/hooks')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('button', { name: 'I have copied it' }).click()
      await page.getByRole('button', { name: 'Test now' }).click()
      await page.getByRole('row').nth(1).waitFor()
    },
  },
  { name: 'administration-classifications', path: '/administration/classifications', who: 'administrator' },
  {
    name: 'administration-classification',
    path: '/administration/classifications/new?copy=0197a000-0000-7000-8000-000000000001',
    who: 'administrator',
    sizes: BOTH,
  },
  { name: 'administration-outbox', path: '/administration/outbox', who: 'administrator' },
  { name: 'administration-audit', path: '/administration/audit', who: 'administrator', sizes: BOTH },
  { name: 'home-dark', path: '/', colorScheme: 'dark' },
  { name: 'home-patient', path: '/', who: 'patient', sizes: BOTH },
  { name: 'alerts', path: '/alerts', sizes: BOTH },
  { name: 'alerts-dark', path: '/alerts', colorScheme: 'dark' },
  { name: 'alert', path: '/alerts', sizes: BOTH, before: openFirst },
  { name: 'alert-rules', path: '/alert-rules', who: 'administrator', sizes: BOTH },
  {
    name: 'alert-rule',
    path: '/alert-rules',
    who: 'administrator',
    sizes: BOTH,
    before: async (page) => {
      await page.getByRole('link', { name: 'High systolic pressure' }).click()
      await page.getByText(/for \d+ of \d+ patients/).waitFor()
    },
  },
  {
    name: 'notifications',
    path: '/',
    sizes: BOTH,
    before: (page) => page.getByRole('button', { name: /^Notifications/ }).click(),
  },
  { name: 'notification-preferences', path: '/account/notifications', sizes: BOTH },
  { name: 'patient', path: '/', sizes: BOTH, before: openPatient('30 d') },
  { name: 'patient-dark', path: '/', colorScheme: 'dark', before: openPatient('30 d') },
  {
    name: 'patient-chart',
    path: '/',
    before: async (page) => {
      await openPatient('7 d')(page)
      const latest = page.getByRole('list', { name: 'Latest readings' })
      for (const name of [/^Medication/, /^Sleep/])
        if (await latest.getByText(name).count()) await latest.getByText(name).click()
      await page.getByRole('heading', { level: 2, name: 'Readings' }).evaluate((one) => one.scrollIntoView())
      await page.waitForTimeout(1500)
    },
  },
  {
    name: 'patient-table',
    path: '/',
    who: 'administrator',
    before: async (page) => {
      await openPatient('7 d')(page)
      await page.getByText('Table', { exact: true }).click()
      await page.getByRole('table').waitFor()
    },
  },
]
