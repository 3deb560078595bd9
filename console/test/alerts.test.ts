import type { Locator } from 'playwright-core'
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
import { expectAccessible, expectNoFaults, heading, inBrowser, openAs, SIZES, watch } from './support/browser.ts'
import { DAY, makeRule, pushPressure, tabTo } from './support/ward.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ role: 'all' })
})

/** An organization of its own for each test: an administrator and two patients. */
async function openWard() {
  const organizationId = await makeOrganization(service)
  const admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  const [nora, max] = (await makePatients(service, organizationId, [
    ['Nora', 'Quist'],
    ['Max', 'Oak'],
  ])) as [TestPatient, TestPatient]
  return { organizationId, admin, nora: nora.individualId, max: max.individualId }
}

/** Fires one alert for each patient, one after the other. */
async function fireFor(admin: Person, ...patients: string[]): Promise<void> {
  for (const [at, id] of patients.entries()) await pushPressure(admin, id, [{ systolic: 182, secondsAgo: -at }])
}

inBrowser('alerts', () => {
  test('are dealt with by the keyboard alone, from the rule to the note', async () => {
    const { admin, nora, organizationId } = await openWard()
    const past = Array.from({ length: 20 }, (_, at) => ({
      systolic: at % 5 === 0 ? 170 : 140,
      secondsAgo: (at + 1) * DAY,
    }))
    await pushPressure(admin, nora, past)
    const page = await openAs(service, admin, { path: '/alert-rules' })
    await heading(page, 'Alert rules')
    await tabTo(page, page.getByRole('link', { name: 'Create the first rule' }))
    await page.keyboard.press('Enter')
    await heading(page, 'New alert rule')

    await tabTo(page, page.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type('High systolic')
    await tabTo(page, page.getByRole('textbox', { name: 'Threshold (mmHg)' }))
    await page.keyboard.type('160')
    await tabTo(page, page.getByRole('textbox', { name: 'Clears at (mmHg)' }))
    await page.keyboard.type('150')
    await page
      .getByText('When systolic pressure of any patient rises above 160 mmHg, until it is back at 150 mmHg.')
      .waitFor()
    const tried = page.getByRole('region', { name: 'On the readings of the last 90 days' })
    await tried.getByText('4 alerts', { exact: true }).waitFor()
    await tried.getByText('for 1 of 2 patients').waitFor()
    await tried.getByText('4 alerts are marked.').waitFor()
    await expectAccessible(page)
    await tabTo(page, page.getByRole('combobox', { name: 'People' }))
    // Whoever makes a rule is told, until they say otherwise.
    await page.keyboard.press('Backspace')
    await page.getByText('Nobody is told.').waitFor()
    await page.keyboard.type('Person')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await tabTo(page, page.getByRole('button', { name: 'Save' }))
    await page.keyboard.press('Enter')
    await heading(page, 'Alert rules')
    await page.getByRole('link', { name: 'High systolic' }).waitFor()
    expect((await admin.almoner.listAlertRules({ organizationId })).items).toMatchObject([
      { name: 'High systolic', threshold: 160, clearThreshold: 150, notify: { individualIds: [admin.individualId] } },
    ])

    await tabTo(page, page.getByRole('link', { name: 'Alerts', exact: true }))
    await page.keyboard.press('Enter')
    await heading(page, 'Alerts')
    await page.getByText('No open alerts.').waitFor()
    await fireFor(admin, nora)
    const row = page.getByRole('listitem').filter({ hasText: 'Quist, Nora' })
    await row.getByText('Open').waitFor()
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()

    await tabTo(page, row.getByRole('link'))
    await page.keyboard.press('a')
    await page.getByRole('dialog', { name: 'Acknowledge the alert' }).waitFor()
    await page.keyboard.type('Called her: took the pills late.')
    await page.keyboard.press('Control+Enter')
    await row.getByText('Acknowledged', { exact: true }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await tabTo(page, row.getByRole('link'))
    await page.keyboard.press('Enter')
    await heading(page, 'Nora Quist: High systolic')
    const history = page.getByRole('region', { name: 'History' })
    await history.getByText('“Called her: took the pills late.”').waitFor()
    await history.getByText('by you').waitFor()
    await expectAccessible(page)

    await tabTo(page, page.getByRole('button', { name: 'Notifications, 1 unread' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Mark all as read' }))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Mark all as read', disabled: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
    const [alert] = (await admin.almoner.listAlerts({ organizationId })).items
    expect(alert).toMatchObject({ state: 'acknowledged', note: 'Called her: took the pills late.' })
    expectNoFaults(page)
  })

  describe.each(Object.keys(SIZES) as (keyof typeof SIZES)[])('on a %s', (size) => {
    test('are listed, opened and cleared', async () => {
      const { admin, nora, max, organizationId } = await openWard()
      await makeRule(admin, organizationId)
      await fireFor(admin, nora, max)
      const page = await openAs(service, admin, { path: '/alerts', size })
      await page.getByText('2 alerts').waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Oak, Max' }).click()
      await heading(page, 'Max Oak: High systolic')
      await page.getByRole('img', { name: 'Systolic pressure around the alert: 1 reading, 182 mmHg' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Clear' }).click()
      await expectAccessible(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click()
      await page.getByText('Cleared by hand.').waitFor()
      const [first] = (await admin.almoner.listAlerts({ organizationId })).items
      expect([first?.individual.lastName, first?.state, first?.clearReason]).toEqual(['Oak', 'cleared', 'by-hand'])
      expectNoFaults(page)
    })

    test('have rules that can be listed, switched and looked at', async () => {
      const { admin, organizationId } = await openWard()
      const { id } = await makeRule(admin, organizationId)
      const page = await openAs(service, admin, { path: '/alert-rules', size })
      await page.getByText('When systolic pressure of any patient rises above 160 mmHg').waitFor()
      await expectAccessible(page)
      await page.getByRole('switch', { name: 'High systolic is on' }).press('Space')
      await page.getByText('The rule is off.').waitFor()
      expect((await admin.almoner.getAlertRule({ id })).enabled).toBe(false)
      await page.getByRole('link', { name: 'High systolic' }).click()
      await heading(page, 'High systolic')
      await page.getByText('It would not have fired.').waitFor()
      await expectAccessible(page)
      expectNoFaults(page)
    })
  })

  test('that are new wait behind a button, and nothing moves under the eyes', async () => {
    const { admin, nora, max, organizationId } = await openWard()
    await makeRule(admin, organizationId)
    await fireFor(admin, nora)
    const page = await openAs(service, admin, { path: '/alerts' })
    const names = () => page.getByRole('list', { name: 'Alerts' }).getByRole('link').allTextContents()
    await page.getByRole('link', { name: 'Quist, Nora' }).waitFor()
    await fireFor(admin, max)
    await page.getByRole('button', { name: '1 new alert' }).waitFor()
    expect(await names()).toEqual(['Quist, Nora'])
    await page.getByRole('button', { name: '1 new alert' }).click()
    await page.getByRole('link', { name: 'Oak, Max' }).waitFor()
    expect((await names()).toSorted()).toEqual(['Oak, Max', 'Quist, Nora'])
    expect(await page.getByRole('button', { name: '1 new alert' }).count()).toBe(0)
    // Back to normal by the readings themselves: the row says so where it is.
    await pushPressure(admin, nora, [{ systolic: 120, secondsAgo: -60 }])
    await page.getByRole('listitem').filter({ hasText: 'Quist' }).getByText('Cleared').waitFor()
    expect((await names()).length).toBe(2)
    expectNoFaults(page)
  })

  test('are acknowledged together', async () => {
    const { admin, nora, max, organizationId } = await openWard()
    await makeRule(admin, organizationId)
    await fireFor(admin, nora, max)
    const page = await openAs(service, admin, { path: '/alerts' })
    const links = page.getByRole('list', { name: 'Alerts' }).getByRole('link')
    await links.first().focus()
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('a')
    await page
      .getByRole('dialog', { name: 'Acknowledge 2 alerts' })
      .getByRole('button', { name: 'Acknowledge' })
      .click()
    await page.getByText('2 alerts are acknowledged.').waitFor()
    const { items } = await admin.almoner.listAlerts({ organizationId })
    expect(items.map(({ state }) => state)).toEqual(['acknowledged', 'acknowledged'])
    expectNoFaults(page)
  })

  test('are filtered by what the address says', async () => {
    const { admin, nora, organizationId } = await openWard()
    await makeRule(admin, organizationId)
    await fireFor(admin, nora)
    const page = await openAs(service, admin, { path: '/alerts?severity=info' })
    await page.getByText('No alert matches these filters.').waitFor()
    await page.getByRole('combobox', { name: 'Severity' }).click()
    await page.getByRole('option', { name: 'Critical' }).click()
    await page.getByRole('link', { name: 'Quist, Nora' }).waitFor()
    expect(new URL(page.url()).search).toBe('?severity=critical')
    await page.goBack()
    await page.goto(new URL(`/alerts?state=cleared&patient=${nora}`, service.url).href)
    await page.getByText('No alert matches these filters.').waitFor()
    expect(await page.getByRole('combobox', { name: 'Patient' }).inputValue()).toBe('Quist, Nora')
    expectNoFaults(page)
  })

  test('are spoken of in Spanish to those who speak it', async () => {
    const { admin, nora, organizationId } = await openWard()
    await makeRule(admin, organizationId)
    await fireFor(admin, nora)
    await admin.almoner.modifyProfile({ body: { locale: 'es_US' } })
    const page = await openAs(service, admin, { path: '/alert-rules' })
    await page
      .getByText('Cuando «presión sistólica» de cualquier paciente sube de 160 mmHg, hasta que vuelva a 150 mmHg.')
      .waitFor()
    await page.getByRole('link', { name: 'Alertas' }).click()
    await page.getByText('Presión sistólica: 182 mmHg, más de 160').waitFor()
    await expectAccessible(page)
    expectNoFaults(page)
  })
})

inBrowser('a rule', () => {
  test('that cannot be is refused at its fields', async () => {
    const { admin } = await openWard()
    const page = await openAs(service, admin, { path: '/alert-rules/new', expected: /status of 400/ })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A value is required.').nth(1).waitFor()
    expect(await page.getByText('A value is required.').count()).toBe(2)
    await page.getByRole('textbox', { name: 'Threshold (mmHg)' }).fill('150')
    await page.getByRole('textbox', { name: 'Clears at (mmHg)' }).fill('160.5')
    await page.getByRole('button', { name: 'Save' }).click()
    const name = page.getByRole('textbox', { name: 'Name' })
    const isFaulty = (field: Locator) =>
      field.evaluate((element) => element === document.activeElement && element.ariaInvalid === 'true')
    await until(() => isFaulty(name))
    await expectAccessible(page)
    await name.fill('High systolic')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Must not be above the threshold.').waitFor()
    await until(() => isFaulty(page.getByRole('textbox', { name: 'Clears at (mmHg)' })))
    await page.getByRole('radio', { name: 'One patient' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A value is required.').waitFor()
    expectNoFaults(page)
  })

  test('for everyone is left to administrators', async () => {
    const { admin, organizationId } = await openWard()
    await makeRule(admin, organizationId)
    const provider = await makePerson(service, [{ organizationId, role: 'provider' }])
    const page = await openAs(service, provider, { path: '/alert-rules' })
    expect(await page.getByRole('switch', { name: 'High systolic is on' }).isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'New rule' }).click()
    await heading(page, 'New alert rule')
    expect(await page.getByRole('radio', { name: 'Everyone' }).isDisabled()).toBe(true)
    expectNoFaults(page)
  })

  test('of the other kinds is tried, saved and deleted', async () => {
    const { admin, nora, organizationId } = await openWard()
    await pushPressure(admin, nora, [{ systolic: 130, secondsAgo: 10 * DAY }])
    const page = await openAs(service, admin, { path: '/alert-rules/new' })
    await page.getByRole('textbox', { name: 'Name' }).fill('Silent')
    await page.getByRole('radio', { name: 'One patient' }).click()
    await page.getByRole('combobox', { name: 'Patient', exact: true }).fill('quist')
    await page.getByRole('option', { name: 'Quist, Nora' }).click()
    await page.getByRole('radio', { name: 'No readings' }).click()
    await page.getByText('When there is no reading of blood pressure of Nora Quist for 48 hours').waitFor()
    await page.getByText('It would not have fired.').waitFor()
    await page.getByRole('radio', { name: 'Stays in a range' }).click()
    await page.getByRole('textbox', { name: 'From (mmHg)' }).fill('120.5')
    await page.getByRole('textbox', { name: 'To, not included (mmHg)' }).fill('140')
    await page.getByText('stays from 120.5 mmHg to below 140 mmHg for 2 hours').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await heading(page, 'Alert rules')
    expect((await admin.almoner.listAlertRules({ organizationId })).items).toMatchObject([
      { name: 'Silent', kind: 'range', from: 120.5, to: 140, period: 120, individualId: nora, hours: null },
    ])
    await page.getByRole('link', { name: 'Silent' }).click()
    await heading(page, 'Silent')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There are no alert rules yet.').waitFor()
    expectNoFaults(page)
  })
})

inBrowser('live updates', () => {
  test('come over one stream for all tabs, and go on when the first tab is closed', async () => {
    const { admin, nora, max, organizationId } = await openWard()
    await makeRule(admin, organizationId)
    const page = await openAs(service, admin, { path: '/alerts' })
    await page.getByText('No open alerts.').waitFor()
    const tab = await page.context().newPage()
    watch(tab)
    const streams: string[] = []
    tab.on('request', (request) => request.url().includes('/event-stream/') && streams.push(request.url()))
    await tab.goto(new URL('/alerts', service.url).href)
    await tab.getByText('No open alerts.').waitFor()
    await fireFor(admin, nora)
    await page.getByRole('link', { name: 'Quist, Nora' }).waitFor()
    await tab.getByRole('link', { name: 'Quist, Nora' }).waitFor()
    expect(streams).toEqual([])
    await page.close()
    await fireFor(admin, max)
    await tab.getByRole('button', { name: '1 new alert' }).waitFor()
    expect(streams.length).toBe(1)
    expectNoFaults(tab)
  })

  test('that are lost are said quietly, and caught up with', async () => {
    const { admin, nora, organizationId } = await openWard()
    await makeRule(admin, organizationId)
    const page = await openAs(service, admin, { path: '/alerts', expected: /ERR_INTERNET_DISCONNECTED/ })
    await page.getByText('No open alerts.').waitFor()
    await page.context().setOffline(true)
    const sign = page.getByRole('img', { name: /^The connection is lost/ })
    await sign.waitFor()
    await expectAccessible(page)
    await fireFor(admin, nora)
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Quist, Nora' }).waitFor()
    await sign.waitFor({ state: 'hidden' })
    expectNoFaults(page)
  })
})
