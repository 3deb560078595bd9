import { connect } from '@almoner/client'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  call,
  GROUPS,
  groupBody,
  LOGIN,
  makeOrganization,
  makePerson,
  ORGANIZATIONS,
  startTestService,
  type TestService,
} from '../support/service.ts'

let service: TestService
let organizationId: string

beforeAll(async () => {
  service = await startTestService({ environment: { USER_QUOTA: '20', ANONYMOUS_QUOTA: '1000' } })
  organizationId = await makeOrganization(service)
})

const quotaOf = (headers: Headers) =>
  ['limit', 'used', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))

test('a read costs 1, a write 5, and every answer says what is left', async () => {
  const { token } = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  expect(quotaOf((await call(service, ORGANIZATIONS, { token })).headers)).toEqual([20, 1, 19])
  const write = await call(service, GROUPS, {
    token,
    body: groupBody({ name: 'A', 'organization-id': organizationId }),
  })
  expect(quotaOf(write.headers)).toEqual([20, 6, 14])
  const refused = await call(service, GROUPS, { token, body: {} })
  expect([refused.status, ...quotaOf(refused.headers)]).toEqual([400, 20, 11, 9])
  const reset = Number(refused.headers.get('x-ratelimit-reset')) - Date.now() / 1000
  expect(reset).toBeGreaterThan(50)
  expect(reset).toBeLessThanOrEqual(61)
})

test('a used-up quota is 429 with Retry-After, and nothing is done', async () => {
  const { token } = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  const create = () =>
    call(service, GROUPS, { token, body: groupBody({ name: 'Metered', 'organization-id': organizationId }) })
  const statuses = []
  for (let count = 0; count < 5; count++) statuses.push((await create()).status)
  expect(statuses).toEqual([201, 201, 201, 201, 429])
  const { headers, body } = await create()
  expect(body.errors[0]).toMatchObject({ status: '429', code: 'QuotaExceeded' })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(quotaOf(headers)).toEqual([20, 20, 0])
  const groups = await service.db.selectFrom('individualGroups').select('id').where('name', '=', 'Metered').execute()
  expect(groups).toHaveLength(4)
})

test("one person's use is not another's", async () => {
  const [one, other] = [await makePerson(service, []), await makePerson(service, [])]
  await call(service, ORGANIZATIONS, { token: one.token })
  expect(quotaOf((await call(service, ORGANIZATIONS, { token: other.token })).headers)).toEqual([20, 1, 19])
})

test('a user or an organization may have a quota of its own', async () => {
  const generous = await makeOrganization(service, 'Generous')
  await service.db.updateTable('organizations').set({ quota: 500 }).where('id', '=', generous).execute()
  const member = await makePerson(service, [{ organizationId: generous, role: 'provider' }])
  expect(quotaOf((await call(service, ORGANIZATIONS, { token: member.token })).headers)[0]).toBe(500)
  const special = await makePerson(service, [{ organizationId: generous, role: 'provider' }])
  await service.db.updateTable('users').set({ quota: 7 }).where('id', '=', special.userId).execute()
  expect(quotaOf((await call(service, ORGANIZATIONS, { token: special.token })).headers)[0]).toBe(7)
})

describe('without a sign-in', () => {
  test('calls are metered by address: refusals, redirects and dead ends too', async () => {
    const strict = await startTestService({ environment: { ANONYMOUS_QUOTA: '12' } })
    const first = await call(strict, ORGANIZATIONS)
    expect([first.status, ...quotaOf(first.headers)]).toEqual([403, 12, 1, 11])
    expect(quotaOf((await call(strict, ORGANIZATIONS.slice(0, -1))).headers)[1]).toBe(2)
    expect(quotaOf((await call(strict, '/nowhere/')).headers)[1]).toBe(3)
    expect(quotaOf((await call(strict, ORGANIZATIONS, { token: 'guessed' })).headers)[1]).toBe(4)
    expect(quotaOf((await call(strict, LOGIN, { body: {} })).headers)[1]).toBe(9)
    expect((await call(strict, LOGIN, { body: {} })).status).toBe(429)
    expect((await call(strict, '/health/')).status).toBe(200)
  })
})

test('the client waits for the time the service names and tries again', async () => {
  const brief = await startTestService({ environment: { ANONYMOUS_QUOTA: '1000', USER_QUOTA: '2' } })
  const { token } = await makePerson(brief, [])
  const waits: number[] = []
  // The bucket is a minute long: the wait is cut short on its way to the client, not in the service.
  const impatient: typeof fetch = async (...args) => {
    const response = await fetch(...args)
    if (response.status !== 429) return response
    waits.push(Number(response.headers.get('retry-after')))
    return new Response(response.body, { status: 429, headers: { 'retry-after': '0' } })
  }
  const almoner = connect({ baseUrl: brief.url, token, fetch: impatient, retries: 2 })
  await almoner.listOrganizations()
  await almoner.listOrganizations()
  await expect(almoner.listOrganizations()).rejects.toMatchObject({ status: 429 })
  expect(waits).toHaveLength(3)
  expect(waits.every((seconds) => seconds > 50)).toBe(true)
})
