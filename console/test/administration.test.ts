import { connect } from '@almoner/client'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePatients, type TestPatient } from '../../server/test/support/patients.ts'
import {
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../../server/test/support/service.ts'
import { startReceiver } from '../../server/test/support/webhook-receiver.ts'
import { expectAccessible, expectNoFaults, heading, inBrowser, openAs, SIZES } from './support/browser.ts'
import { press, tabTo, type } from './support/keyboard.ts'

const SCREENS = {
  users: 'Users and roles',
  organization: 'Organization',
  security: 'Security',
  'service-accounts': 'Devices and jobs',
  webhooks: 'Webhooks',
  classifications: 'Classifications',
  outbox: 'Outbox',
  audit: 'Audit log',
}

let service: TestService
let organizationId: string
let admin: Person
let nora: TestPatient

beforeAll(async () => {
  service = await startTestService({ role: 'all', environment: { WEBHOOK_ALLOW: '127.0.0.1' } })
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  nora = (await makePatients(service, organizationId, [['Nora', 'Quist']]))[0] as TestPatient
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

inBrowser('administration', () => {
  describe.each(Object.keys(SIZES) as (keyof typeof SIZES)[])('on a %s', (size) => {
    test('has screens that all can read, and none is wider than the page', async () => {
      await admin.almoner.createWebhook({ body: { organizationId, url: 'http://127.0.0.1:9/hooks', enabled: false } })
      await admin.almoner.createServiceAccount({
        body: { organizationId, name: 'Scale', kind: 'device', scopes: ['push-timeseries'] },
      })
      await admin.almoner.createServiceDocument({ body: { organizationId, title: 'Terms', body: 'Be kind.' } }).then(
        // Out of force again: whoever signs in would have to agree to it.
        ({ id }) => admin.almoner.modifyServiceDocument({ id, body: { isActive: false } }),
      )
      const page = await openAs(service, admin, { path: '/administration', size })
      for (const [place, title] of Object.entries(SCREENS)) {
        await page.getByRole('navigation', { name: 'Administration' }).locator(`[href$="/${place}"]`).click()
        await heading(page, title)
        await expect.poll(() => page.locator('[class*=Skeleton]').count()).toBe(0)
        await expectAccessible(page)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(SIZES[size].width)
      }
      expectNoFaults(page)
    })
  })

  test('is closed to providers', async () => {
    const provider = await makePerson(service, [{ organizationId, role: 'provider' }])
    const page = await openAs(service, provider, { path: '/administration/audit' })
    await heading(page, 'This screen is not open to you')
    expectNoFaults(page)
  })

  test('invites someone by the keyboard alone, and says what is missing at its field', async () => {
    const page = await openAs(service, admin, { path: '/administration/users', expected: /status of 400/ })
    await heading(page, 'Users and roles')
    await press(page, button(page, 'New user'))
    await type(page, field(page, 'First name'), 'Mary')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('[role=dialog] [aria-invalid=true]'))
    await expectAccessible(page)
    await type(page, field(page, 'Last name'), 'Seacole')
    await type(page, field(page, 'Email'), 'mary@example.org')
    await page.keyboard.press('Enter')
    await page.getByText('Mary Seacole is added, and the invitation is on its way.').waitFor()
    const line = page.getByRole('row', { name: /Seacole, Mary/ })
    await line.getByText('Sent').waitFor()
    // Again, and then not at all.
    await press(page, button(page, 'Change Mary Seacole'))
    await expectAccessible(page)
    await press(page, button(page, 'Send invitation again'))
    await page.getByText('The invitation is on its way.', { exact: true }).waitFor()
    await press(page, button(page, 'Disable'))
    await press(page, page.getByRole('dialog', { name: /^Disable/ }).getByRole('button', { name: 'Disable' }))
    await line.getByText('Disabled').waitFor()
    expectNoFaults(page)
  })

  test('gives a device a token, which is shown once and works', async () => {
    const page = await openAs(service, admin, { path: '/administration/service-accounts' })
    await heading(page, 'Devices and jobs')
    await press(page, button(page, 'New device or job'))
    await type(page, field(page, 'Name'), 'Hall scale')
    await type(
      page,
      page
        .getByRole('combobox', { name: 'Patients it may push readings of' })
        .or(field(page, 'Patients it may push readings of')),
      'qui',
    )
    await page.getByRole('option', { name: 'Quist, Nora' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await press(page, button(page, 'Create'))
    await heading(page, 'Hall scale')
    await page.getByRole('link', { name: 'Quist, Nora' }).waitFor()
    await press(page, button(page, 'New token'))
    await type(page, field(page, 'Name of the token'), 'Gateway')
    await page.keyboard.press('Enter')
    const token = await page.getByRole('group', { name: 'Token' }).textContent()
    await expectAccessible(page)
    await press(page, button(page, 'I have copied it'))
    await page.getByRole('cell', { name: 'Gateway', exact: true }).waitFor()
    const device = connect({ baseUrl: service.url, token: token ?? '', retries: 0 })
    const data = [{ type: 'BodyMass', time: '2026-11-01T08:00:00Z', value: 71 }]
    const push = () => device.pushTimeseries({ body: [{ individualId: nora.individualId, type: 'BodyMass', data }] })
    await push()
    await press(page, button(page, 'Revoke Gateway'))
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }))
    await page.getByText('It has no token yet, so nothing can sign in as it.').waitFor()
    // The service believes a token it has checked for a second.
    await until(() =>
      push().then(
        () => false,
        ({ status }) => status === 403,
      ),
    )
    expectNoFaults(page)
  })

  test('makes a webhook by the keyboard alone, and tests it with a receiver', async () => {
    const receiver = await startReceiver({ status: 200, body: 'thanks' })
    const page = await openAs(service, admin, { path: '/administration/webhooks', expected: /status of 400/ })
    await heading(page, 'Webhooks')
    await press(page, button(page, 'New webhook'))
    await type(page, field(page, 'Address'), 'nowhere')
    await page.keyboard.press('Enter')
    await page.getByText('Must be an http or https address such as https://example.org/hooks.').waitFor()
    await page.keyboard.press('Control+a')
    await type(page, field(page, 'Address'), receiver.url)
    await tabTo(page, page.getByRole('checkbox', { name: 'group.created' }))
    await page.keyboard.press('Space')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    expect(await page.getByRole('group', { name: 'Secret' }).textContent()).toMatch(/^whsec_/)
    await press(page, button(page, 'I have copied it'))
    await heading(page, /^127\.0\.0\.1/)
    await press(page, button(page, 'Test now'))
    await page.getByText(/^The receiver answered 200 after/).waitFor()
    await page.getByRole('cell', { name: 'webhook.test', exact: true }).waitFor()
    expectNoFaults(page)
  })

  test('shows what was sent to a webhook and what was answered, and sends it again', async () => {
    const receiver = await startReceiver({ status: 200, body: 'thanks' })
    const { id } = await admin.almoner.createWebhook({ body: { organizationId, url: receiver.url } })
    await admin.almoner.testWebhook({ id })
    const page = await openAs(service, admin, { path: `/administration/webhooks/${id}` })
    await press(page, page.getByRole('button', { name: /^Details of webhook\.test/ }))
    const dialog = page.getByRole('dialog', { name: 'webhook.test' })
    await dialog.getByText('thanks').waitFor()
    await expectAccessible(page)
    await press(page, dialog.getByRole('button', { name: 'Send again' }))
    await until(() => receiver.received.length === 2)
    await page.keyboard.press('Escape')
    await press(page, button(page, 'Disable'))
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Disable' }))
    await button(page, 'Enable').waitFor()
    expectNoFaults(page)
  })

  test('tells in the audit log what one has just done', async () => {
    const page = await openAs(service, admin, { path: '/administration/organization' })
    await heading(page, 'Organization')
    await tabTo(page, field(page, 'Name'))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Riverside Health')
    await page.keyboard.press('Enter')
    await page.getByText('The organization is saved.').waitFor()
    await press(page, page.getByRole('link', { name: 'Audit log' }))
    await heading(page, 'Audit log')
    await type(page, page.getByRole('combobox', { name: 'What' }).or(field(page, 'What')), 'organization')
    await page.getByRole('option', { name: "Change an organization's settings" }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const line = page.getByRole('row', { name: /Ada Person Change an organization's settings .*Done/ })
    await line.first().waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await press(page, line.getByRole('button'))
    await page.getByRole('dialog').getByText('modify-organization').waitFor()
    await expectAccessible(page)
    expectNoFaults(page)
  })

  test('makes a classification set: an overlap is shown at its row, and a gap is a warning', async () => {
    const page = await openAs(service, admin, {
      path: '/administration/classifications/new',
      expected: /status of 400/,
    })
    await heading(page, 'New set')
    await type(page, field(page, 'Name'), 'Our own pressure')
    await type(page, field(page, 'Label of range 1'), 'fine')
    await type(page, field(page, 'To, range 1'), '140')
    await press(page, button(page, 'Add a range'))
    await type(page, field(page, 'Label of range 2'), 'high')
    await tabTo(page, field(page, 'From, range 2'))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('130')
    await type(page, field(page, 'To, range 2'), '200')
    await page.getByRole('img', { name: /130 to 140 is named twice/ }).waitFor()
    await press(page, button(page, 'Save'))
    await page.getByRole('row').nth(2).getByText('Must not overlap the range in row 1.').waitFor()
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'From, range 2' }).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('140')
    await press(page, button(page, 'Save'))
    await heading(page, 'Our own pressure')
    await page.getByText('Values from 200 on have no name.').waitFor()
    await expectAccessible(page)
    const { items } = await admin.almoner.listClassificationSets({
      organizationId,
      filter: { metricType: 'BloodPressure' },
    })
    expect(items.find(({ name }) => name === 'Our own pressure')).toMatchObject({
      field: 'systolic',
      isActive: true,
      ranges: [
        { label: 'fine', from: null, to: 140 },
        { label: 'high', from: 140, to: 200 },
      ],
    })
    expectNoFaults(page)
  })
})
