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
      await page.getByRole('dialog').getByRole('button', { name: /gar/i }).first().waitFor()
    },
  },
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
]
