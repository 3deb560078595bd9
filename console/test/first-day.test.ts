// From an organization with nothing in it to an alert that someone has taken up, as a newcomer goes.

import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  makeOrganization,
  makePerson,
  startTestService,
  type TestService,
  until,
} from '../../server/test/support/service.ts'
import { expectAccessible, expectNoFaults, heading, inBrowser, openAs, SIZES } from './support/browser.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0
if (!hasCurl) console.warn('SKIPPED: there is no curl here, so the first day is not gone through.')

let service: TestService

beforeAll(async () => {
  service = await startTestService({ role: 'all' })
})

/** The command as the console shows it, in a shell as a developer would; another pressure where one is given. */
async function push(command: string, systolic = 128): Promise<unknown> {
  const script = command.replace('"systolic": 128', `"systolic": ${systolic}`)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script])
  return JSON.parse(stdout)
}

/** How many dots of a panel have the colour of its line. */
const inkOf = (page: Page) =>
  page.locator('section[data-type=BloodPressure]').evaluate((panel) => {
    const canvas = panel.querySelector('canvas') as HTMLCanvasElement
    const swatch = panel.querySelector('path[stroke^="var(--chart-trace"]') as SVGElement
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(swatch).stroke.match(/\d+/g) ?? []).map(Number)
    const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(
      0,
      0,
      canvas.width,
      canvas.height,
    )
    let count = 0
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) count++
    return count
  })

inBrowser('the first day', () => {
  describe.skipIf(!hasCurl).each(Object.keys(SIZES) as (keyof typeof SIZES)[])('on a %s', (size) => {
    test('leads from nothing to an alert that is taken up', async () => {
      const organizationId = await makeOrganization(service)
      const admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
      const page = await openAs(service, admin, { size })
      const dialog = page.getByRole('dialog')

      await page.getByRole('link', { name: /^Connect a device/ }).waitFor()
      await page.getByRole('link', { name: /^Add your first patients/ }).click()
      await heading(page, 'Patients')
      await page.getByRole('link', { name: 'New patient' }).click()
      await page.getByRole('textbox', { name: 'First name' }).fill('Nora')
      await page.getByRole('textbox', { name: 'Last name' }).fill('Quist')
      await page.getByLabel('Birth date').fill('1961-04-12')
      await page.getByRole('combobox', { name: 'Gender' }).click()
      await page.getByRole('option', { name: 'Female' }).click()
      await page.getByRole('textbox', { name: 'E-mail' }).fill(`nora.${size}@example.org`)
      await page.getByRole('button', { name: 'Create patient' }).click()
      await heading(page, 'Nora Quist')
      const patient = page.url()
      await page.getByText('No readings yet').waitFor()
      await expectAccessible(page)

      await page.getByRole('link', { name: 'Connect a device' }).click()
      await dialog.getByText('Quist, Nora').waitFor()
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Cuff gateway')
      await dialog.getByRole('button', { name: 'Create' }).click()
      await heading(page, 'Cuff gateway')
      await page.getByRole('button', { name: 'New token' }).click()
      await dialog.getByRole('textbox', { name: 'Name of the token' }).fill('room 3')
      await dialog.getByRole('button', { name: 'Create' }).click()
      const command = await dialog.getByRole('group', { name: 'Command that pushes a reading' }).innerText()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'I have copied it' }).click()

      await page.getByRole('link', { name: 'Quist, Nora' }).click()
      await page.getByText('No readings yet').waitFor()
      expect(await push(command)).toMatchObject({ data: [{ attributes: { stored: 1 } }] })
      await page.getByRole('button', { name: /Blood pressure 128\/82 mmHg/ }).waitFor()
      await until(async () => (await inkOf(page)) > 10)

      await page.goto(new URL('/', service.url).href)
      expect(await page.getByRole('link', { name: /^Add your first patients/ }).count()).toBe(0)
      await page.getByRole('link', { name: /^Make a first alert rule/ }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('High systolic')
      await page.getByRole('textbox', { name: 'Threshold (mmHg)' }).fill('120')
      await page.getByText('1 alert', { exact: true }).waitFor()
      await page.getByRole('textbox', { name: 'Threshold (mmHg)' }).fill('160')
      await page.getByText('The one patient had no such readings.').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await heading(page, 'Alert rules')

      await page.goto(new URL('/', service.url).href)
      await page.getByRole('link', { name: 'Warning 0' }).waitFor()
      await push(command, 182)
      await page.getByRole('link', { name: 'Warning 1' }).waitFor()
      await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
      await page.getByRole('link', { name: 'Warning 1' }).click()
      await heading(page, 'Alerts')
      await page.getByText('Blood pressure systolic 182 mmHg, above 160').waitFor()
      await page.getByRole('button', { name: /^Acknowledge/ }).click()
      await dialog.getByRole('button', { name: 'Acknowledge' }).click()
      await page.getByRole('listitem').getByText('Acknowledged', { exact: true }).waitFor()
      const [alert] = (await admin.almoner.listAlerts({ organizationId })).items
      expect(alert).toMatchObject({ state: 'acknowledged', individual: { lastName: 'Quist' } })

      await page.goto(patient)
      await page.getByRole('button', { name: /Blood pressure 182\/82 mmHg/ }).waitFor()
      await page.getByRole('button', { name: 'You: Ada Person' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await heading(page, 'Sign in')
      expectNoFaults(page)
    })
  })
})
