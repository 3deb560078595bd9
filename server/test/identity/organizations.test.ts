import { beforeAll, expect, test } from 'vitest'
import {
  call,
  makeOrganization,
  makePerson,
  ORGANIZATIONS,
  type Person,
  startTestService,
  type TestService,
} from '../support/service.ts'

let service: TestService
let person: Person

beforeAll(async () => {
  service = await startTestService()
  const riverside = await makeOrganization(service, 'Riverside Clinic')
  const hilltop = await makeOrganization(service, 'hilltop practice')
  await makeOrganization(service, 'Somebody else')
  person = await makePerson(service, [
    { organizationId: riverside, role: 'provider' },
    { organizationId: riverside, role: 'patient' },
    { organizationId: hilltop, role: 'org-admin' },
  ])
})

test('lists those the caller belongs to, with the roles held there', async () => {
  const { items, total } = await person.almoner.listOrganizations()
  expect(items.map(({ name, roles }) => [name, roles])).toEqual([
    ['hilltop practice', ['org-admin']],
    ['Riverside Clinic', ['patient', 'provider']],
  ])
  expect(total).toBe(2)
})

test.each([
  ['filter[name]=riverside clinic', ['Riverside Clinic']],
  ['filter[name]=riverside', []],
  ['filter[name]=RIVERSIDE CLINIC,Hilltop Practice', ['hilltop practice', 'Riverside Clinic']],
  ['filter[name][contains]=CLIN', ['Riverside Clinic']],
  ['filter[name][contains]=side,top', ['hilltop practice', 'Riverside Clinic']],
  ['filter[name][contains]=side&filter[name][contains]=clinic', ['Riverside Clinic']],
  ['filter[name][contains]=side&filter[name]=hilltop practice', []],
  ['filter[name]=Somebody else', []],
])('%s finds %j', async (query, expected) => {
  const { body } = await call(service, `${ORGANIZATIONS}?${query}`, { token: person.token })
  expect(body.data.map((one: { attributes: { name: string } }) => one.attributes.name)).toEqual(expected)
})

test('someone who belongs nowhere has an empty list', async () => {
  const stranger = await makePerson(service, [])
  expect(await stranger.almoner.listOrganizations()).toEqual({ items: [], total: 0 })
})
