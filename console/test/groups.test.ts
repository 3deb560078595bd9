import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePatients } from '../../server/test/support/patients.ts'
import {
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
} from '../../server/test/support/service.ts'
import { expectAccessible, expectNoFaults, heading, inBrowser, openAs, SIZES } from './support/browser.ts'
import { press, tabTo, type } from './support/keyboard.ts'

let service: TestService
let organizationId: string
let admin: Person
let provider: Person
const groups: Record<string, string> = {}

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  provider = await makePerson(service, [{ organizationId, role: 'provider' }])
  await makePatients(service, organizationId, [
    ['Nora', 'Quist'],
    ['Omar', 'Reyes'],
  ])
  await make('East', null)
  await make('East clinic', 'East')
  await make('Heart team', 'East clinic')
  await make('West', null)
})

async function make(name: string, above: string | null): Promise<void> {
  const { id } = await admin.almoner.createGroup({ body: { name, organizationId } })
  groups[name] = id
  if (above) await admin.almoner.moveGroup({ id, body: { toParentGroupId: groups[above] ?? null } })
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const row = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')
const parentOf = async (name: string) => (await admin.almoner.getGroup({ id: groups[name] ?? '' })).parentGroup?.name

inBrowser('groups', () => {
  test('are made below one another by the keyboard alone', async () => {
    const page = await openAs(service, admin, { path: '/groups', expected: /status of 400/ })
    await heading(page, 'Groups and care teams')
    await press(page, button(page, 'New group'))
    const dialog = page.getByRole('dialog', { name: 'New group' })
    const name = dialog.getByRole('textbox', { name: 'Name' })
    await tabTo(page, name)
    // Nothing typed is said at the field.
    await page.keyboard.press('Enter')
    await dialog.getByText(/^Must .*\.$/).waitFor()
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await type(page, name, 'North')
    await page.keyboard.press('Enter')
    await heading(page, 'North')
    await press(page, button(page, 'New group below'))
    await type(page, page.getByRole('textbox', { name: 'Name' }), 'North clinic')
    await page.keyboard.press('Enter')
    await heading(page, 'North clinic')
    await page.getByRole('navigation', { name: 'Place of this group' }).getByRole('link', { name: 'North' }).waitFor()
    expectNoFaults(page)
  })

  test('are filled by the keyboard alone', async () => {
    const page = await openAs(service, admin, { path: `/groups/${groups['East clinic']}` })
    await heading(page, 'East clinic')
    await press(page, button(page, 'Add patients'))
    await type(page, page.getByRole('searchbox', { name: 'Part of a name or of the email' }), 'quist')
    await tabTo(page, page.getByRole('checkbox', { name: 'Quist, Nora' }))
    await page.keyboard.press('Space')
    await expectAccessible(page)
    await press(page, button(page, 'Add'))
    await page.getByRole('link', { name: 'Quist, Nora' }).waitFor()
    await press(page, button(page, 'Add leaders'))
    await tabTo(page, page.getByRole('checkbox', { name: 'Person, Ada' }))
    await page.keyboard.press('Space')
    await press(page, button(page, 'Add'))
    await page.getByRole('heading', { name: 'Leaders (1)' }).waitFor()
    // Out again, after a question.
    await press(page, button(page, 'Remove Quist, Nora'))
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }))
    await page.getByRole('heading', { name: 'Patients (0)' }).waitFor()
    expectNoFaults(page)
  })

  test('are moved by the keyboard alone', async () => {
    await make('Wanderer', 'East')
    const page = await openAs(service, admin, { path: `/groups/${groups.Wanderer}` })
    await heading(page, 'Wanderer')
    await press(page, button(page, 'Move to…'))
    const dialog = page.getByRole('dialog', { name: 'Move Wanderer' })
    await tabTo(page, dialog.getByRole('treeitem').first())
    await page.keyboard.type('wes')
    expect(await focused(page)).toContain('West')
    await page.keyboard.press('Enter')
    await dialog.getByText('It will be below West.').waitFor()
    await press(page, dialog.getByRole('button', { name: 'Move', exact: true }))
    await page.getByRole('navigation', { name: 'Place of this group' }).getByRole('link', { name: 'West' }).waitFor()
    expect(await parentOf('Wanderer')).toBe('West')
    expectNoFaults(page)
  })

  test('say why a group cannot be moved below itself', async () => {
    const page = await openAs(service, admin, { path: `/groups/${groups.East}`, expected: /status of 400/ })
    await heading(page, 'East')
    await button(page, 'Move to…').click()
    const dialog = page.getByRole('dialog', { name: 'Move East' })
    await dialog.getByRole('treeitem', { name: /East/ }).first().click()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await dialog.getByText('A group cannot be moved below itself or below a group that is below it.').waitFor()
    await expectAccessible(page)
    expectNoFaults(page)
  })

  test('are a tree that the arrow keys, Home, End and letters walk through', async () => {
    const page = await openAs(service, admin, { path: '/groups' })
    await tabTo(page, page.getByRole('treeitem').first())
    await page.keyboard.type('ea')
    expect(await focused(page)).toContain('East')
    const east = row(page, /^\S* ?East$|East \d*$/).first()
    expect(await row(page, /East clinic/).count()).toBe(0)
    await page.keyboard.press('ArrowRight')
    await row(page, /East clinic/).waitFor()
    expect(await east.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toContain('East clinic')
    expect(await row(page, /East clinic/).getAttribute('aria-level')).toBe('2')
    await page.keyboard.press('ArrowRight')
    await row(page, /Heart team/).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('ArrowLeft')
    expect(await row(page, /Heart team/).count()).toBe(0)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    expect(await row(page, /East clinic/).count()).toBe(0)
    await page.keyboard.press('End')
    expect(await focused(page)).toContain('West')
    await page.keyboard.press('Home')
    expect(await focused(page)).toContain('All participants')
    await page.keyboard.press('Enter')
    await heading(page, 'All participants')
    await page.getByText('This group keeps itself: every patient is in it.').waitFor()
    expect(await button(page, 'Add patients').count()).toBe(0)
    expect(await button(page, 'Move to…').count()).toBe(0)
    expectNoFaults(page)
  })

  test('are moved by dragging', async () => {
    await make('Night team', null)
    const page = await openAs(service, admin, { path: '/groups' })
    await row(page, /Night team/).dragTo(row(page, /West/))
    await page.getByText('The group is moved.').waitFor()
    expect(await parentOf('Night team')).toBe('West')
    await page.locator('[role=treeitem][aria-level="2"]', { hasText: 'Night team' }).waitFor()
    expectNoFaults(page)
  })

  test('are found by name, also deep in the tree and when inactive', async () => {
    await make('Old ward', 'West')
    await admin.almoner.updateGroup({ id: groups['Old ward'] ?? '', body: { isActive: false } })
    const page = await openAs(service, admin, { path: '/groups' })
    await page.getByRole('searchbox', { name: 'Find a group' }).fill('heart')
    await page.getByRole('link', { name: 'Heart team in East clinic' }).waitFor()
    await page.getByRole('searchbox', { name: 'Find a group' }).fill('old ward')
    await page.getByText('No group has this in its name.').waitFor()
    await page.getByRole('checkbox', { name: 'Show inactive groups' }).check()
    await page.getByRole('link', { name: 'Old ward in West' }).click()
    await heading(page, 'Old ward')
    await button(page, 'Change').click()
    await page.getByRole('switch', { name: 'Active' }).click()
    await button(page, 'Save').click()
    await page.getByText('The group is saved.').waitFor()
    expect((await admin.almoner.getGroup({ id: groups['Old ward'] ?? '' })).isActive).toBe(true)
    expectNoFaults(page)
  })

  describe.each(Object.keys(SIZES) as (keyof typeof SIZES)[])('on a %s', (size) => {
    test('can be read by everyone, and changed by those who may', async () => {
      const page = await openAs(service, provider, { path: '/groups', size })
      await row(page, /West/).waitFor()
      await expectAccessible(page)
      expect(await button(page, 'New group').count()).toBe(0)
      await row(page, /West/).click()
      await heading(page, 'West')
      await page.getByRole('heading', { name: /^Patients/ }).waitFor()
      await expectAccessible(page)
      expect(await button(page, 'Change').count()).toBe(0)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBeLessThanOrEqual(SIZES[size].width)
      expectNoFaults(page)
    })
  })
})
