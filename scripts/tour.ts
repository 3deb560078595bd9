// `npm run tour`: pictures of every screen with made-up people, for docs/tour.md. With --png a folder to look at them in.

import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createLog } from '@almoner/server/platform/config/log'
import { readSettings } from '@almoner/server/platform/config/settings'
import { builtConsole } from '@almoner/server/platform/console/built-console'
import { startEmbeddedPostgres } from '@almoner/server/platform/db/embedded-postgres'
import { startService } from '@almoner/server/service'
import { type Browser, chromium, type Page } from 'playwright-core'
import { fillClinic, TOUR_PEOPLE } from './tour-people.ts'
import { type Stop, stops } from './tour-stops.ts'

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const closers: (() => Promise<unknown>)[] = []

const { values } = parseArgs({ options: { png: { type: 'string' }, only: { type: 'string' } } })
const folder = values.png ?? 'docs/tour'
await mkdir(folder, { recursive: true })
try {
  const url = await startClinic()
  const browser = await chromium.launch({
    executablePath: BROWSERS.find((name) => existsSync(name)) ?? 'chromium',
    args: ['--no-sandbox'],
  })
  closers.push(() => browser.close())
  for (const stop of stops.filter(({ name }) => !values.only || name.includes(values.only)))
    for (const size of stop.sizes ?? (['desktop'] as const)) await take(browser, url, stop, size)
} finally {
  for (const close of closers.reverse()) await close()
}

/** A clinic of made-up people, in a database of its own. */
async function startClinic(): Promise<string> {
  const log = createLog('silent')
  const directory = await mkdtemp(join(tmpdir(), 'almoner-tour-'))
  await chmod(directory, 0o755)
  closers.push(() => rm(directory, { recursive: true, force: true }))
  const settings = readSettings({ PORT: '0', DATA_DIR: directory, USER_QUOTA: '1000000', ANONYMOUS_QUOTA: '1000000' })
  const consoleFolder = await builtConsole(directory, log)
  const postgres = await startEmbeddedPostgres({ directory, log, settings: ['fsync=off'] })
  closers.push(postgres.stop)
  const databaseUrl = postgres.url('postgres')
  fillClinic(databaseUrl, directory)
  const service = await startService({ settings, databaseUrl, role: 'all', log, consoleFolder })
  closers.push(service.stop)
  return service.address ?? ''
}

async function take(browser: Browser, url: string, stop: Stop, size: keyof typeof SIZES): Promise<void> {
  const { name, path, who = 'provider', colorScheme = 'light', locale = 'en-US', before } = stop
  const context = await browser.newContext({ viewport: SIZES[size], locale, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(new URL(path, url).href)
  if (who !== 'nobody') await signIn(page, TOUR_PEOPLE[who])
  await quiet(page)
  await before?.(page)
  await quiet(page)
  await page.evaluate(() => document.fonts.ready)
  const suffix = size === 'phone' ? '-phone' : ''
  const isPng = values.png !== undefined
  const session = await context.newCDPSession(page)
  const { data } = await session.send(
    'Page.captureScreenshot',
    isPng ? { format: 'png' } : { format: 'webp', quality: 82 },
  )
  await writeFile(join(folder, `${name}${suffix}.${isPng ? 'png' : 'webp'}`), Buffer.from(data, 'base64'))
  await context.close()
}

/** A page that follows events is never idle: then a while is enough. */
async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 4000 }).catch(() => {})
}

async function signIn(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(password)
  await page.locator('button[type=submit]').click()
  await page.locator('header').waitFor()
}
