// What the tour shows: one entry for each picture.

import { connect } from '@almoner/client'
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

/** The page of someone who measures several things at home. */
const openPatient = (span: string) => async (page: Page) => {
  const almoner = connect({ baseUrl: new URL(page.url()).origin })
  await almoner.login({ body: TOUR_PEOPLE.provider })
  const [organization] = (await almoner.listOrganizations()).items
  const { items } = await almoner.listIndividuals({
    organizationId: organization?.id ?? '',
    sort: [{ field: 'lastBpTime', descending: true }],
    fields: ['lastBpTime', 'lastHeartRateTime', 'lastBodyMassTime'],
    page: { limit: 100 },
  })
  const found = items.find((one) => one.lastBpTime && one.lastHeartRateTime && one.lastBodyMassTime) ?? items[0]
  await page.goto(new URL(`/patients/${found?.id}`, page.url()).href)
  await page.getByRole('button', { name: span, exact: true }).click()
  await page.locator('section[data-resolution]').last().waitFor()
  await page.waitForTimeout(1500)
}

const BOTH = ['desktop', 'phone'] as const

export const stops: Stop[] = [
  { name: 'sign-in', path: '/sign-in', who: 'nobody', sizes: BOTH },
  { name: 'home', path: '/', sizes: BOTH },
  {
    name: 'search',
    path: '/',
    before: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Find a patient or a screen').fill('gar')
      await page.getByRole('dialog').getByText('Patients').waitFor()
    },
  },
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
