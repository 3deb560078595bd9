// The console as people meet it: a real service, a real browser, and nothing red in its console.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { cleanUp, cleanUpTest } from '../../../server/test/support/clean-up.ts'
import { PASSWORD, type Person, type TestService } from '../../../server/test/support/service.ts'

export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const

/** In place of `describe`: left out where the machine has no Chromium, which the run says at its beginning. */
export const inBrowser = describe.skipIf(inject('chromium') === '')

export interface OpenOptions {
  path?: string
  size?: keyof typeof SIZES
  locale?: string
  colorScheme?: 'light' | 'dark'
  hasTouch?: boolean
  /** Errors in the browser's console that belong to the test, such as a call that is meant to be refused. */
  expected?: RegExp
}

const faults = new WeakMap<Page, string[]>()
let browser: Promise<Browser> | undefined

function launched(): Promise<Browser> {
  if (browser) return browser
  cleanUp(async () => {
    await (await browser)?.close()
    browser = undefined
  })
  browser = chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  return browser
}

/** A fresh browser profile with one tab. */
export async function openPage({ url }: { url: string }, options: OpenOptions = {}): Promise<Page> {
  const { path = '/', size = 'desktop', locale = 'en-US', colorScheme = 'light', hasTouch = false } = options
  const context = await (await launched()).newContext({
    viewport: SIZES[size],
    locale,
    colorScheme,
    hasTouch,
    reducedMotion: 'reduce',
  })
  // A page follows events for as long as it is open, and only so many may.
  cleanUpTest(() => context.close())
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  watch(page, options.expected)
  await page.goto(new URL(path, url).href)
  return page
}

/** The browser itself writes a line for every refused call: which of them are meant is up to the test. */
export function watch(page: Page, expected?: RegExp): void {
  const seen: string[] = []
  faults.set(page, seen)
  const note = (text: string) => expected?.test(text) || seen.push(text)
  page.on('console', (message) => message.type() === 'error' && note(`${message.text()} ${message.location().url}`))
  page.on('pageerror', (error) => note(String(error)))
}

export const expectNoFaults = (page: Page): void => expect(faults.get(page)).toEqual([])

/** Opens a page of someone who has signed in, by the form. */
export async function openAs(service: TestService, person: Person, options: OpenOptions = {}): Promise<Page> {
  const page = await openPage(service, options)
  await signIn(page, person.username)
  return page
}

export async function signIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: /Username|Nombre de usuario/ }).fill(username)
  await page.locator('input[name=password]').fill(password)
  await page.locator('button[type=submit]').click()
  await page.locator('header').waitFor()
}

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[]
}

/** What axe finds against WCAG 2.2 AA and its own best practices, in light and in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  // What is being asked for anew is faint for that moment.
  const busy = page.locator('[aria-busy="true"], [data-old]').first()
  await busy.waitFor({ state: 'detached', timeout: 5000 }).catch(() => {})
  // Evaluated by the debugger, which the page's content policy does not bind.
  await page.evaluate(await axe)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // Only colours differ in the dark.
    const rules = colorScheme === 'dark' ? "runOnly: ['color-contrast']," : ''
    const { violations } = (await page.evaluate(`axe.run({ ${rules} resultTypes: ['violations'] })`)) as AxeResult
    const found = violations.map(
      ({ id, help, nodes }) =>
        `${colorScheme}: ${id} (${help}) ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
    )
    expect(found).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

export const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor()
