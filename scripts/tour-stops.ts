// What the tour shows: one entry for each picture.

import type { Page } from 'playwright-core'
import type { TOUR_PEOPLE } from './tour-people.ts'

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

/** A page of someone who measures several things, with all the readings of the last 90 days. */
const openPatient = (name: string, span: string) => async (page: Page) => {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find a patient or a screen').fill(name)
  await page.getByRole('dialog').getByText('Patients').waitFor()
  await page.keyboard.press('Enter')
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
  { name: 'patient', path: '/', sizes: BOTH, before: openPatient('Charles Boudreaux', '30 d') },
  { name: 'patient-dark', path: '/', colorScheme: 'dark', before: openPatient('Charles Boudreaux', '30 d') },
  {
    name: 'patient-chart',
    path: '/',
    before: async (page) => {
      await openPatient('Charles Boudreaux', '7 d')(page)
      await page.getByRole('button', { name: /^Medication/ }).click()
      await page.getByRole('button', { name: /^Sleep/ }).click()
      await page.getByRole('heading', { level: 2, name: 'Readings' }).evaluate((one) => one.scrollIntoView())
      await page.waitForTimeout(1500)
    },
  },
  {
    name: 'patient-table',
    path: '/',
    who: 'administrator',
    before: async (page) => {
      await openPatient('Charles Boudreaux', '7 d')(page)
      await page.getByText('Table', { exact: true }).click()
      await page.getByRole('table').waitFor()
    },
  },
]
