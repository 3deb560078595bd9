import { beforeAll, describe, expect, test } from 'vitest'
import { makePatients } from '../../server/test/support/patients.ts'
import { makeOrganization, makePerson, startTestService, type TestService } from '../../server/test/support/service.ts'
import { expectAccessible, expectNoFaults, heading, inBrowser, openAs, SIZES } from './support/browser.ts'
import { makeRule, pushPressure } from './support/ward.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ role: 'all' })
})

inBrowser('the home of a care team', () => {
  describe.each(Object.keys(SIZES) as (keyof typeof SIZES)[])('on a %s', (size) => {
    test('shows how everyone is, as it changes', async () => {
      const organizationId = await makeOrganization(service)
      const admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
      const provider = await makePerson(service, [{ organizationId, role: 'provider' }])
      const [nora, max] = await makePatients(service, organizationId, [
        ['Nora', 'Quist'],
        ['Max', 'Oak'],
      ])
      await makeRule(admin, organizationId)
      await pushPressure(admin, max?.individualId ?? '', [{ systolic: 115, diastolic: 70, secondsAgo: 3600 }])
      const page = await openAs(service, provider, { size })
      await heading(page, 'Hello Ada')
      await page.getByRole('link', { name: 'Critical 0' }).waitFor()
      await page.getByText('No reading of the last seven days is out of range.').waitFor()
      await pushPressure(admin, nora?.individualId ?? '', [{ systolic: 184, diastolic: 95 }])
      await page.getByRole('link', { name: 'Critical 1' }).waitFor()
      const found = page.getByRole('region', { name: 'Recent readings out of range' })
      await found.getByText('184 mmHg').waitFor()
      await found.getByText('Crisis').waitFor()
      expect(await found.getByRole('link').first().getAttribute('href')).toBe(`/patients/${nora?.individualId}`)
      await page.getByRole('region', { name: 'How the latest readings are' }).getByText('Stage 2').waitFor()
      await page.getByRole('img', { name: /Alerts of the last 30 days: 1 alert/ }).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Critical 1' }).click()
      await heading(page, 'Alerts')
      await page.getByRole('link', { name: 'Quist, Nora' }).waitFor()
      expect(new URL(page.url()).search).toBe('?severity=critical')
      expectNoFaults(page)
    })
  })

  test('says what to do first where there is nothing yet', async () => {
    const organizationId = await makeOrganization(service)
    const admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
    const page = await openAs(service, admin)
    await page.getByRole('link', { name: /^Add your first patients/ }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: /^Make a first alert rule/ }).click()
    await heading(page, 'New alert rule')
    await page.goto(new URL('/alerts', service.url).href)
    await page.getByText('There are no alert rules yet, so nothing is watched.').waitFor()
    await page.getByRole('link', { name: 'Create the first rule' }).click()
    await heading(page, 'New alert rule')
    expectNoFaults(page)
  })
})

inBrowser('the home of a patient', () => {
  test.each(Object.keys(SIZES) as (keyof typeof SIZES)[])('shows the own latest readings on a %s', async (size) => {
    const organizationId = await makeOrganization(service)
    const admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
    const patient = await makePerson(service, [{ organizationId, role: 'patient' }])
    const page = await openAs(service, patient, { size })
    await page.getByText('There are no readings of yours yet.').waitFor()
    await pushPressure(admin, patient.individualId, [{ systolic: 118, diastolic: 76 }])
    await page.reload()
    await page.getByText('118/76 mmHg').waitFor()
    await expectAccessible(page)
    const all = page.getByRole('link', { name: 'See all my readings' })
    expect(await all.getAttribute('href')).toBe(`/patients/${patient.individualId}`)
    expect(await page.getByRole('link', { name: 'Alerts' }).count()).toBe(0)
    await all.click()
    await page.getByRole('region', { name: 'Identity and contact' }).waitFor()
    await page.locator('section[data-type=BloodPressure][data-resolution=readings]').waitFor()
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    expectNoFaults(page)
  })
})
