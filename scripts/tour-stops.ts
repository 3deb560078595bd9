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
