import { beforeAll, describe, expect, test } from 'vitest'
import { makePatients } from '../../server/test/support/patients.ts'
import { makeOrganization, makePerson, startTestService, type TestService } from '../../server/test/support/service.ts'
import { expectAccessible, expectNoFaults, heading, inBrowser, openAs, SIZES } from './support/browser.ts'
import { makeRule, pushPressure } from './support/ward.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ role: 'all' })
})

inBrowser('notifications', () => {
  test.each(Object.keys(SIZES) as (keyof typeof SIZES)[])('are counted, read and followed on a %s', async (size) => {
    const organizationId = await makeOrganization(service)
    const admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
    const patients = await makePatients(service, organizationId, [
      ['Nora', 'Quist'],
      ['Max', 'Oak'],
    ])
    await makeRule(admin, organizationId)
    const page = await openAs(service, admin, { size })
    const bell = (name: string) => page.getByRole('button', { name, exact: true })
    await bell('Notifications').click()
    await page.getByText('You have no notifications.').waitFor()
    await page.keyboard.press('Escape')
    for (const [at, { individualId }] of patients.entries())
      await pushPressure(admin, individualId, [{ systolic: 182, secondsAgo: -at }])
    await bell('Notifications, 2 unread').click()
    const panel = page.getByRole('dialog', { name: 'Notifications' })
    await panel.getByText('Nora Quist: High systolic').waitFor()
    await expectAccessible(page)
    await panel.getByRole('button', { name: 'Mark as read: Max Oak: High systolic' }).click()
    await panel.getByRole('button', { name: 'Mark as read: Max Oak: High systolic' }).waitFor({ state: 'hidden' })
    await panel.getByRole('link', { name: /Nora Quist: High systolic/ }).click()
    await heading(page, 'Nora Quist: High systolic')
    await bell('Notifications').waitFor()
    expect(await admin.almoner.countUnreadNotifications()).toEqual({ count: 0 })
    expectNoFaults(page)
  })

  describe.each(Object.keys(SIZES) as (keyof typeof SIZES)[])('are sent as chosen, on a %s', (size) => {
    test('by way, at night and together', async () => {
      const organizationId = await makeOrganization(service)
      const person = await makePerson(service, [{ organizationId, role: 'provider' }])
      const page = await openAs(service, person, { path: '/account/notifications', size })
      await heading(page, 'How you are told')
      await page.getByText('There is no verified phone that may be sent texts.').waitFor()
      await page.getByRole('checkbox', { name: 'Info by E-mail' }).check()
      await page.getByRole('checkbox', { name: 'Critical by SMS' }).uncheck()
      await page.getByRole('radio', { name: 'Together once a day' }).check()
      await page.getByLabel('At what time').fill('07:30')
      await page.getByRole('switch', { name: 'Keep quiet every day' }).press('Space')
      await page.getByLabel('From').fill('21:15')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Your choices are saved.').waitFor()
      expect(await person.almoner.getNotificationPreferences()).toMatchObject({
        ...{ criticalChannels: ['email'], warningChannels: ['email'], infoChannels: ['email'] },
        ...{ digest: 'daily', digestTime: '07:30', quietHours: { from: '21:15', to: '07:00' }, criticalAtOnce: true },
      })
      expectNoFaults(page)
    })
  })

  test('are not kept quiet for no time at all', async () => {
    const organizationId = await makeOrganization(service)
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    const page = await openAs(service, person, { path: '/account/notifications', expected: /status of 400/ })
    await page.getByRole('switch', { name: 'Keep quiet every day' }).press('Space')
    await page.getByLabel('From').fill('07:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('From').getAttribute('aria-invalid')).toBe('true')
    expect((await person.almoner.getNotificationPreferences()).quietHours).toBe(null)
    expectNoFaults(page)
  })
})
