import { beforeAll, describe, expect, test } from 'vitest'
import {
  call,
  GROUPS,
  groupBody,
  LOGIN,
  makeOrganization,
  makePerson,
  ORGANIZATIONS,
  type Person,
  startTestService,
  type TestService,
} from './support/service.ts'

let service: TestService
let organizationId: string
let admin: Person

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
})

const codesOf = (answer: { body: { errors: { code: string }[] } }) => answer.body.errors.map(({ code }) => code)
const groupCount = async () => (await service.db.selectFrom('individualGroups').select('id').execute()).length

describe('paths', () => {
  test('a path without its slash is redirected with its query, and keeps method and body', async () => {
    const answer = await call(service, `${ORGANIZATIONS.slice(0, -1)}?page[limit]=5`, { token: admin.token })
    expect(answer.status).toBe(308)
    expect(answer.headers.get('location')).toBe(`${ORGANIZATIONS}?page[limit]=5`)
    const followed = await fetch(new URL(GROUPS.slice(0, -1), service.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(groupBody({ name: 'Redirected', 'organization-id': organizationId })),
    })
    expect(followed.status).toBe(201)
  })

  test('a redirect does not look at the body', async () => {
    const answer = await call(service, GROUPS.slice(0, -1), {
      body: '{broken',
      headers: { 'content-type': 'text/csv' },
    })
    expect(answer.status).toBe(308)
  })

  test('a path that leads nowhere is 404, with or without its slash', async () => {
    for (const path of ['/nowhere/', '/nowhere', '/identity/v2/organizations/']) {
      const answer = await call(service, path)
      expect([path, answer.status, answer.body.errors[0].code]).toEqual([path, 404, 'NotFound'])
    }
  })

  test('a wrong method is 400 and says which are right', async () => {
    const answer = await call(service, GROUPS, { method: 'DELETE', token: admin.token })
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toMatchObject({
      code: 'MethodNotAllowed',
      meta: { method: 'DELETE', allowed: 'GET, POST' },
    })
    expect(answer.headers.get('allow')).toBe('GET, POST')
  })

  test('a path id that is no uuid is named', async () => {
    const answer = await call(service, `${GROUPS}seven/`, { token: admin.token })
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toMatchObject({ code: 'InvalidParameter', meta: { parameter: 'id' } })
  })

  test('broken percent escapes are 400', async () => {
    expect((await call(service, `${GROUPS}%zz/`, { token: admin.token })).status).toBe(400)
  })
})

describe('answers', () => {
  test('carry the media type without parameters, a request id and security headers', async () => {
    const { headers } = await call(service, ORGANIZATIONS, { token: admin.token })
    expect(headers.get('content-type')).toBe('application/vnd.api+json')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('keep a sane request id of the caller and replace any other', async () => {
    const sane = await call(service, ORGANIZATIONS, { headers: { 'x-request-id': 'trace-7.1' } })
    expect(sane.headers.get('x-request-id')).toBe('trace-7.1')
    const odd = await call(service, ORGANIZATIONS, { headers: { 'x-request-id': 'a b"c' } })
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a deprecated operation says so', async () => {
    const { headers } = await call(service, GROUPS, { token: admin.token })
    expect(headers.get('deprecation')).toBe('@1786406400')
    expect(headers.get('link')).toContain('rel="deprecation"')
    expect((await call(service, ORGANIZATIONS, { token: admin.token })).headers.has('deprecation')).toBe(false)
  })

  test('a page tells where it stands in the whole', async () => {
    for (const name of ['P1', 'P2', 'P3'])
      await admin.almoner.createGroup({ body: { name, organizationId, tags: ['paged'] } })
    const page = await call(service, `${GROUPS}?filter[tags]=paged&page[limit]=2&page[offset]=1`, {
      token: admin.token,
    })
    expect(page.body.meta).toEqual({ 'page[offset]': 1, 'page[limit]': 2, 'page[total]': 3 })
    expect(page.body.data.map((group: { attributes: { name: string } }) => group.attributes.name)).toEqual(['P2', 'P3'])
    const beyond = await call(service, `${GROUPS}?filter[tags]=paged&page[offset]=50`, { token: admin.token })
    expect(beyond.body).toEqual({ data: [], meta: { 'page[offset]': 50, 'page[limit]': 100, 'page[total]': 3 } })
  })
})

describe('bodies', () => {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    call(service, GROUPS, { token: admin.token, body, headers })

  test('are taken as either JSON media type, with or without charset', async () => {
    for (const type of [
      'application/json',
      'application/vnd.api+json',
      'application/json; charset=utf-8',
      'Application/JSON;charset="UTF-8"',
    ]) {
      const answer = await send(groupBody({ name: type, 'organization-id': organizationId }), { 'content-type': type })
      expect([type, answer.status]).toEqual([type, 201])
    }
  })

  test('are refused as anything else', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'application/jsonx',
    ]) {
      const answer = await send(JSON.stringify(groupBody({})), { 'content-type': type })
      expect([type, answer.status, codesOf(answer)]).toEqual([type, 400, ['UnsupportedMediaType']])
    }
  })

  test.each([
    ['breaks off', '{"data":'],
    ['has a key twice', '{"data":{"type":"individual-groups","type":"x","attributes":{}}}'],
    ['has a key twice by escape', '{"data":1,"d\\u0061ta":2}'],
    ['has __proto__', '{"data":{"__proto__":{"admin":true}}}'],
    ['is not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['is 33 levels deep', '['.repeat(33) + ']'.repeat(33)],
    ['holds a NUL', '{"data":"\\u0000"}'],
    ['holds half a surrogate', '{"data":"\\ud83d"}'],
    ['is more than one value', '{} {}'],
  ])('JSON that %s is refused', async (_, body) => {
    const answer = await send(body)
    expect([answer.status, ...codesOf(answer)]).toEqual([400, 'MalformedBody'])
  })

  test('JSON 32 levels deep is read', async () => {
    expect(codesOf(await send('['.repeat(32) + ']'.repeat(32)))).toEqual(['InvalidValue'])
  })

  test('one byte over the limit is refused, the limit itself is read', async () => {
    const limit = 1024 * 1024
    const padded = (size: number) => JSON.stringify(groupBody({})).padEnd(size, ' ')
    expect(codesOf(await send(padded(limit)))).not.toContain('BodyTooLarge')
    const over = await send(padded(limit + 1))
    expect([over.status, ...codesOf(over)]).toEqual([400, 'BodyTooLarge'])
  })

  test('every fault is named with its place, and nothing is stored', async () => {
    const before = await groupCount()
    const answer = await call(service, `${GROUPS}?nonsense=1`, {
      token: admin.token,
      body: {
        data: {
          type: 'groups',
          attributes: { name: '', 'node-type': 'tree', tags: ['ok', 7, 'x'.repeat(128)], colour: 'red', 'a/b~c': 1 },
        },
        extra: 1,
      },
    })
    expect(answer.status).toBe(400)
    const faults = answer.body.errors.map(({ code, meta }: { code: string; meta: Record<string, string> }) => [
      code,
      meta.pointer ?? meta.parameter,
    ])
    expect(faults.toSorted()).toEqual(
      [
        ['UnknownParameter', 'nonsense'],
        ['UnknownAttribute', '/extra'],
        ['InvalidValue', '/data/type'],
        ['MissingValue', '/data/attributes/organization-id'],
        ['UnknownAttribute', '/data/attributes/colour'],
        ['UnknownAttribute', '/data/attributes/a~1b~0c'],
        ['InvalidValue', '/data/attributes/name'],
        ['InvalidValue', '/data/attributes/node-type'],
        ['InvalidValue', '/data/attributes/tags/1'],
        ['InvalidValue', '/data/attributes/tags/2'],
      ].toSorted(),
    )
    expect(await groupCount()).toBe(before)
  })

  test('a flood of faults is cut and counted', async () => {
    const answer = await send(groupBody({ name: 'x', 'organization-id': organizationId, tags: Array(1500).fill('') }))
    expect(answer.body.errors).toHaveLength(1001)
    expect(answer.body.errors.at(-1)).toMatchObject({ code: 'TooManyFaults' })
  })
})

describe('query strings', () => {
  const list = (query: string, path = GROUPS) => call(service, `${path}?${query}`, { token: admin.token })

  test('of 4096 bytes are read, longer ones refused', async () => {
    const padded = (bytes: number) => `filter[text]=${'a'.repeat(bytes - 'filter[text]='.length)}`
    expect(codesOf(await list(padded(4096)))).toEqual(['InvalidParameter'])
    expect(codesOf(await list(padded(4097)))).toEqual(['QueryTooLong'])
  })

  test.each([
    ['page[limit]=0', 'page[limit]'],
    ['page[limit]=1001', 'page[limit]'],
    ['page[limit]=1.5', 'page[limit]'],
    ['page[limit]=ten', 'page[limit]'],
    ['page[limit]=1&page[limit]=2', 'page[limit]'],
    ['page[offset]=-1', 'page[offset]'],
    ['page[offset]=99999999999999999999', 'page[offset]'],
    [`filter[text]=${'a'.repeat(256)}`, 'filter[text]'],
    [`name=${'a'.repeat(256)}`, 'name'],
    [`filter[tags]=${'a'.repeat(128)}`, 'filter[tags]'],
    ['filter[node-type]=tree', 'filter[node-type]'],
    ['filter[include-inactive]=yes', 'filter[include-inactive]'],
    ['type=regular,odd', 'type'],
    ['organization-id=7', 'organization-id'],
    ['filter[cmp-last-modified-time]=2024-01-01 00:00:00', 'filter[cmp-last-modified-time]'],
    ['filter[cmp-last-modified-time]=>2024-02-30 00:00:00', 'filter[cmp-last-modified-time]'],
    [`filter[cmp-last-modified-time]=>2024-01-01 00:00:00${',null'.repeat(5)}`, 'filter[cmp-last-modified-time]'],
    [
      'filter[cmp-last-modified-time]=>2024-01-01T00:00:00Z'.concat(
        '&filter[cmp-last-modified-time]=<2024-01-01T00:00:00Z'.repeat(2),
      ),
      'filter[cmp-last-modified-time]',
    ],
  ])('%s is refused by name', async (query, parameter) => {
    const answer = await list(query)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toMatchObject({ code: 'InvalidParameter', meta: { parameter } })
  })

  test.each([
    'page[limit]=1',
    'page[limit]=1000',
    'page[offset]=0',
    `filter[text]=${'a'.repeat(255)}`,
    `filter[tags]=${'a'.repeat(127)}`,
  ])('%s is accepted', async (query) => {
    expect((await list(query)).status).toBe(200)
  })

  test.each([
    'fliter[text]=x',
    'filter[nam]=x',
    'filter[text][gt]=x',
    'page[size]=3',
    'sort=name',
    'constructor=1',
    '__proto__=1',
  ])('the unknown %s is refused, not ignored', async (query) => {
    expect(codesOf(await list(query))).toEqual(['UnknownParameter'])
  })

  test('a NUL in a filter is refused', async () => {
    expect((await list('filter[text]=a%00b')).status).toBe(400)
  })
})

describe('who is calling', () => {
  test.each([
    ['no token', undefined, 'NotAuthenticated'],
    ['another scheme', 'Basic YTpi', 'TokenInvalid'],
    ['a made-up token', 'Bearer abc', 'TokenInvalid'],
    ['an odd token', 'Bearer a b', 'TokenInvalid'],
  ])('%s is 403', async (_, authorization, code) => {
    const answer = await call(service, ORGANIZATIONS, { headers: authorization ? { authorization } : {} })
    expect([answer.status, ...codesOf(answer)]).toEqual([403, code])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('the token is looked at before the body', async () => {
    expect((await call(service, GROUPS, { body: '{broken' })).status).toBe(403)
  })
})

describe('service paths', () => {
  test('say that the service is alive and ready', async () => {
    expect((await call(service, '/health/')).body).toEqual({ status: 'alive' })
    expect((await call(service, '/ready/')).body).toEqual({ ready: true, checks: { database: true, queue: true } })
    expect((await call(service, '/health')).status).toBe(308)
  })

  test('tell Prometheus how long requests took', async () => {
    await call(service, ORGANIZATIONS, { token: admin.token })
    const { body } = await call(service, '/metrics/')
    expect(body).toContain('almoner_request_seconds_count{operation="list-organizations",status="200"}')
  })

  test('show the interface', async () => {
    const document = await call(service, '/openapi.json')
    expect(document.body.openapi).toBe('3.1.0')
    const page = await call(service, '/reference/')
    expect(page.status).toBe(200)
    expect(page.body).toContain('/openapi.json')
    expect(page.body).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)[^"']*\.(js|css|woff)/)
  })
})

test('the log holds no names, no queries, no bodies and no tokens', async () => {
  await call(service, `${GROUPS}?name=Smith`, { token: admin.token })
  await call(service, LOGIN, { body: { username: 'secret-person@example.org', password: 'secret-password' } })
  const text = JSON.stringify(service.logged)
  expect(text).toContain('list-groups')
  for (const secret of ['Smith', 'secret-person', 'secret-password', admin.token, admin.username])
    expect(text).not.toContain(secret)
})
