import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { forgetOldAnswers } from '../../src/platform/http/idempotency.ts'
import {
  call,
  GROUPS,
  groupBody,
  LOGIN,
  makeOrganization,
  makePerson,
  PASSWORD,
  type Person,
  startTestService,
  type TestService,
} from '../support/service.ts'

let service: TestService
let organizationId: string
let admin: Person

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
})

const create = (key: string, name: string, who = admin) =>
  call(service, GROUPS, {
    token: who.token,
    headers: { 'idempotency-key': key },
    body: groupBody({ name, 'organization-id': organizationId }),
  })
const countOf = async (name: string) =>
  (await service.db.selectFrom('individualGroups').select('id').where('name', '=', name).execute()).length

test('a repeated request gets the same answer and does nothing more', async () => {
  const key = v7()
  const first = await create(key, 'Once')
  const again = await create(key, 'Once')
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body).toEqual(first.body)
  expect(await countOf('Once')).toBe(1)
  expect(await service.db.selectFrom('events').select('id').where('kind', '=', 'group.created').execute()).toHaveLength(
    1,
  )
})

test('the same key at the same moment is carried out once', async () => {
  const key = v7()
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(key, 'Raced')))
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
  expect(await countOf('Raced')).toBe(1)
})

test('the same key with another body is refused', async () => {
  const key = v7()
  await create(key, 'One')
  const other = await create(key, 'Other')
  expect([other.status, other.body.errors[0].code]).toEqual([400, 'IdempotencyKeyReused'])
  expect(await countOf('Other')).toBe(0)
})

test('a request that failed is carried out when it comes again', async () => {
  const key = v7()
  const refused = await call(service, GROUPS, {
    token: admin.token,
    headers: { 'idempotency-key': key },
    body: groupBody({ name: 'Late', 'organization-id': v7() }),
  })
  expect(refused.status).toBe(404)
  expect((await create(key, 'Late')).status).toBe(201)
})

test("keys are each caller's own", async () => {
  const key = v7()
  const colleague = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  const [mine, theirs] = [await create(key, 'Mine'), await create(key, 'Theirs', colleague)]
  expect([mine.status, theirs.status]).toEqual([201, 201])
})

test('a sign-in can be repeated too, and the kept answer is encrypted', async () => {
  const key = v7()
  const signIn = () =>
    call(service, LOGIN, {
      headers: { 'idempotency-key': key },
      body: { username: admin.username, password: PASSWORD },
    })
  const first = await signIn()
  expect((await signIn()).body).toEqual(first.body)
  const { answer } = await service.db
    .selectFrom('idempotentAnswers')
    .select('answer')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  expect(answer.toString('latin1')).not.toContain(first.body['access-token'])
})

test('an answer with tokens is repeated for a minute only', async () => {
  const key = v7()
  await call(service, LOGIN, {
    headers: { 'idempotency-key': key },
    body: { username: admin.username, password: PASSWORD },
  })
  const { expiresAt, createdAt } = await service.db
    .selectFrom('idempotentAnswers')
    .select(['expiresAt', 'createdAt'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  expect(expiresAt.getTime() - createdAt.getTime()).toBe(60_000)
})

test.each([
  ['', 400],
  ['a'.repeat(255), 201],
  ['a'.repeat(256), 400],
  ['with space', 400],
])('a key like %j is answered %s', async (key, status) => {
  expect((await create(key, 'Keyed')).status).toBe(status)
})

test('answers are forgotten after 24 hours', async () => {
  const key = v7()
  await create(key, 'Yesterday')
  const age = (hours: number) =>
    service.db
      .updateTable('idempotentAnswers')
      .set({ expiresAt: new Date(Date.now() + (24 - hours) * 3600_000) })
      .where('key', '=', key)
      .execute()
  await age(23.9)
  expect((await create(key, 'Other')).status).toBe(400)
  await age(24.1)
  expect((await create(key, 'Other')).status).toBe(201)
  await age(24.1)
  await forgetOldAnswers(service.db, new Date())
  expect(await service.db.selectFrom('idempotentAnswers').select('key').where('key', '=', key).execute()).toEqual([])
})
