// What holds for every operation there is, and for every one that is added.

import {
  bodySchema,
  camel,
  catalogue,
  kebab,
  type Operation,
  pathNames,
  queryParameters,
  ROLES,
  wireSchema,
} from '@almoner/contract'
import { openapi } from '@almoner/contract/openapi'
import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import promised from '../../contract/promised-operations.json' with { type: 'json' }
import { type FeatureServices, implementations } from '../src/features/index.ts'
import { pairUp } from '../src/platform/http/implementation.ts'
import { allowed, requests, spoiled } from './support/arbitrary.ts'
import {
  call,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
} from './support/service.ts'

const operations: Operation[] = Object.values(catalogue)
const table = operations.map((operation) => [operation.id, operation] as const)
const needsToken = table.filter(([, { access }]) => access.kind !== 'anyone')
const SAMPLES = 30
/** What an operation may say of itself: a misspelt word would be ignored. */
const KEYS =
  'id summary description method path aliases access query filter exclude sort fields paging body answer status cost bodyLimit deprecated recorded givesSecrets resource attributes'.split(
    ' ',
  )

let service: TestService
let organizationId: string
let admin: Person
let outsider: Person

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  outsider = await makePerson(service, [
    { organizationId: await makeOrganization(service, 'Elsewhere'), role: 'org-admin' },
  ])
})

const send = (operation: Operation, { path, body }: { path: string; body: unknown }, token?: string) =>
  call(service, path, {
    method: operation.method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(token ? { token } : {}),
  })

/** A request the contract allows, that speaks of the given organization wherever it can name one. */
function sampleRequest(operation: Operation, organization: string): { path: string; body: unknown } {
  const filled = operation.path.replace(/\{[a-z-]+\}/g, () => v7())
  const required = queryParameters(operation).filter(({ name, required }) => required || name === 'organization-id')
  const query = required.map(({ name, schema }) => [
    name,
    name === 'organization-id' ? organization : String(fc.sample(allowed(schema as object), 1)[0]),
  ])
  const body = operation.body ? fc.sample(allowed(wireSchema(bodySchema(operation.body)) as object), 1)[0] : undefined
  // It may repeat the id of the path, and a made-up one would differ.
  if (operation.body?.shape === 'resource') delete (body as { data: { id?: string } }).data.id
  const attributes =
    (body as { data?: { attributes?: Record<string, unknown> } })?.data?.attributes ??
    (body as Record<string, unknown> | undefined)
  if (operation.body && 'organizationId' in operation.body.fields && attributes)
    attributes['organization-id'] = organization
  return { path: `${filled}?${new URLSearchParams(query)}`, body }
}

describe('the catalogue', () => {
  test('names every operation by its id, and no path twice', () => {
    expect(Object.keys(catalogue)).toEqual(operations.map(({ id }) => camel(id)))
    const routes = operations.flatMap(({ method, path, aliases = [] }) =>
      [path, ...aliases].map((one) => `${method} ${one}`),
    )
    expect(new Set(routes).size).toBe(routes.length)
  })

  test('has exactly one handler for each operation', () => {
    const all = implementations({} as FeatureServices)
    expect(pairUp(operations, all)).toHaveLength(operations.length)
    expect(() => pairUp(operations, all.slice(1))).toThrow('login has 0 handlers')
    expect(() => pairUp(operations, [...all, ...all.slice(0, 1)])).toThrow('login has 2 handlers')
    expect(() => pairUp(operations.slice(1), all)).toThrow('login is not in the catalogue')
  })

  test.each(table)('%s is declared in the ways of the interface', (_, operation) => {
    const { id, path, method, status, summary, body, answer, query, filter, sort, fields } = operation
    expect(id).toMatch(/^[a-z]+(-[a-z0-9]+)*$/)
    expect(path).toMatch(/^(\/([a-z0-9-]+|\{[a-z-]+\}))+\/$/)
    expect(summary).not.toMatch(/\.$/)
    expect(status).toBe({ GET: 200, PATCH: 200, PUT: 200, DELETE: 204, POST: status === 202 ? 202 : 201 }[method])
    const names = [
      ...Object.keys(body?.fields ?? {}),
      ...('resource' in answer ? Object.keys(answer.resource.attributes) : []),
    ]
    for (const name of names) expect(camel(kebab(name))).toBe(name)
    // The platform finds the organization of a request by this name alone.
    for (const name of [...names, ...Object.keys(query ?? {}), ...Object.keys(filter ?? {})])
      expect(name).not.toMatch(/^org(anization)?Id$(?<!^organizationId$)/)
    expect(Object.keys(filter ?? {})).not.toContain('organizationId')
    for (const taken of ['id', 'filter', 'sort', 'fields', 'page', 'body'])
      expect(Object.keys(query ?? {})).not.toContain(taken)
    if (sort) expect(sort.fields.map(kebab)).toContain(sort.default.replace(/^-/, ''))
    if (fields && 'resource' in answer)
      expect(Object.keys(answer.resource.attributes)).toEqual(expect.arrayContaining([...fields]))
    expect(KEYS).toEqual(expect.arrayContaining(Object.keys(operation)))
  })

  test('is described by a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(openapi()) as never)
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test('keeps what is promised', () => {
    const promises = new Map(promised.map((one) => [one.id, one]))
    const served = operations.filter(({ id }) => promises.has(id))
    for (const { id, method, path, status } of served) expect(promises.get(id)).toMatchObject({ method, path, status })
    const flagged = promised.filter((one) => 'served' in one && one.served).map(({ id }) => id)
    console.log(`${served.length} of ${promised.length} promised operations are served`)
    // An operation that was served once stays; one that is new is marked as served in the list.
    expect(served.map(({ id }) => id).toSorted()).toEqual(flagged.toSorted())
  })
})

test.each(needsToken)('%s refuses a caller without a token', async (_, operation) => {
  const { status, body } = await send(operation, sampleRequest(operation, organizationId))
  expect([status, body.errors[0].code]).toEqual([403, 'NotAuthenticated'])
})

test.each(
  needsToken.filter(
    ([, { path, query, body }]) => pathNames(path).length > 0 || 'organizationId' in { ...query, ...body?.fields },
  ),
)('%s does not find what belongs to another organization', async (_, operation) => {
  const { status, body } = await send(operation, sampleRequest(operation, organizationId), outsider.token)
  expect([status, body]).toMatchObject([404, { errors: [{ code: 'NotFound' }] }])
})

test.each(table.filter(([, { body }]) => body && Object.keys(body.fields).length > 0))(
  '%s names the place of what is wrong in a body',
  async (_, operation) => {
    const { path, body } = sampleRequest(operation, organizationId)
    const spoilt = structuredClone(body) as Record<string, unknown>
    const target = (spoilt.data as { attributes: Record<string, unknown> })?.attributes ?? spoilt
    target['no-such-attribute'] = 1
    const answer = await send(operation, { path, body: spoilt }, admin.token)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toContainEqual(
      expect.objectContaining({
        code: 'UnknownAttribute',
        meta: { pointer: expect.stringMatching(/\/no-such-attribute$/) },
      }),
    )
  },
)

describe('access', () => {
  const callers = new Map<string, Person>()

  beforeAll(async () => {
    for (const role of ROLES) callers.set(role, await makePerson(service, [{ organizationId, role }]))
  })

  test.each(
    needsToken
      // Signing out would end what the other operations are tried with.
      .filter(([id]) => id !== 'logout')
      .flatMap(([id, operation]) => ROLES.map((role) => [id, role, operation] as const)),
  )('%s by %s is as declared', async (_, role, operation) => {
    const { access } = operation
    const isAllowed = access.kind === 'signed-in' || (access.kind === 'roles' && access.roles.includes(role))
    const { status, body } = await send(operation, sampleRequest(operation, organizationId), callers.get(role)?.token)
    const isRefused = status === 403 && body.errors[0].code === 'PermissionDenied'
    expect(isRefused).toBe(!isAllowed)
  })
})

describe('fuzzing', () => {
  test.each(table)('%s never fails, whatever is sent', async (_, operation) => {
    const property = fc.asyncProperty(
      fc.oneof(requests(operation, allowed), requests(operation, spoiled)),
      async (request) => {
        const { status, body } = await send(operation, request, operation.id === 'logout' ? undefined : admin.token)
        if (status >= 500)
          throw new Error(
            `${status} ${JSON.stringify(body)} ${JSON.stringify(service.logged.filter(({ level }) => level === 'error').at(-1))}`,
          )
        expect([200, 201, 204, 400, 403, 404, 429]).toContain(status)
        if (status >= 400)
          for (const error of body.errors)
            expect(error).toMatchObject({
              status: String(status),
              code: expect.any(String),
              detail: expect.any(String),
            })
      },
    )
    await fc.assert(property, { numRuns: SAMPLES })
  })
})
