import { AlmonerError, connect } from '@almoner/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { forgetExpiredSessions } from '../../src/platform/auth/sessions.ts'
import { tokenHash } from '../../src/platform/auth/tokens.ts'
import {
  call,
  LOGIN,
  makeOrganization,
  makePerson,
  ORGANIZATIONS,
  PASSWORD,
  type Person,
  startTestService,
  type TestService,
} from '../support/service.ts'

let service: TestService
let organizationId: string
let person: Person
const REFRESH = '/identity/v1/refresh/'
const LOGOUT = '/identity/v1/logout/'

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  person = await makePerson(service, [{ organizationId, role: 'provider' }])
})

const signIn = (more: object = {}) =>
  call(service, LOGIN, { body: { username: person.username, password: PASSWORD, ...more } })
const tokenWorks = async (token: string) => (await call(service, ORGANIZATIONS, { token })).status === 200
const secondsUntil = (datetime: string) =>
  Math.round((Date.parse(`${datetime.replace(' ', 'T')}Z`) - Date.now()) / 1000)
/** A verified token is believed for a second. */
const beliefToPass = () => new Promise((resolve) => setTimeout(resolve, 1100))

describe('signing in', () => {
  test('answers the tokens, their ends and who one is', async () => {
    const { status, body } = await signIn()
    expect(status).toBe(201)
    expect(body).toMatchObject({
      'user-id': person.userId,
      'individual-id': person.individualId,
      'organization-ids': [organizationId],
      'redirect-url': null,
    })
    expect(secondsUntil(body['access-token-expires-at'])).toBeCloseTo(3600, -1)
    expect(secondsUntil(body['refresh-token-expires-at'])).toBeCloseTo(30 * 24 * 3600, -1)
    expect(await tokenWorks(body['access-token'])).toBe(true)
  })

  test('takes the username in any case', async () => {
    expect((await signIn({ username: person.username.toUpperCase() })).status).toBe(201)
  })

  test('keeps only hashes of tokens', async () => {
    const { body } = await signIn()
    const rows = await service.db.selectFrom('sessionTokens').selectAll().execute()
    const kept = rows.map((row) => row.hash.toString('base64url'))
    expect(kept).not.toContain(body['access-token'])
    expect(rows.every((row) => row.hash.length === 32)).toBe(true)
  })

  test.each([
    [0, 400],
    [1, 201],
    [3600, 201],
    [3601, 400],
    [1.5, 400],
  ])('an access lifetime of %s seconds is answered %s', async (seconds, status) => {
    const answer = await signIn({ 'access-token-expiration-seconds': seconds })
    expect(answer.status).toBe(status)
    if (status === 201)
      expect(Math.abs(secondsUntil(answer.body['access-token-expires-at']) - seconds)).toBeLessThanOrEqual(2)
  })

  test.each([
    [0, 400],
    [1, 201],
    [999_999_999_999, 201],
  ])('a refresh lifetime of %s seconds is answered %s', async (seconds, status) => {
    const answer = await signIn({ 'refresh-token-expiration-seconds': seconds })
    expect(answer.status).toBe(status)
    if (status === 201)
      expect(secondsUntil(answer.body['refresh-token-expires-at'])).toBeLessThanOrEqual(30 * 24 * 3600)
  })

  test('records the login only when a person is present', async () => {
    const lastLogin = async () =>
      (
        await service.db
          .selectFrom('users')
          .select('lastLoginAt')
          .where('id', '=', person.userId)
          .executeTakeFirstOrThrow()
      ).lastLoginAt
    const before = await lastLogin()
    await signIn({ interactive: false })
    expect(await lastLogin()).toEqual(before)
    await signIn({ interactive: true })
    expect(await lastLogin()).not.toEqual(before)
  })

  test('is refused alike for a wrong password and an unknown user', async () => {
    const wrong = await signIn({ password: 'wrong' })
    const unknown = await signIn({ username: 'nobody@example.org' })
    expect([wrong.status, unknown.status]).toEqual([403, 403])
    expect(wrong.body).toEqual(unknown.body)
    expect(wrong.body.errors[0].code).toBe('LoginFailed')
  })

  test('is refused to a disabled user, whose tokens stop working too', async () => {
    const leaver = await makePerson(service, [{ organizationId, role: 'provider' }])
    await service.db
      .updateTable('users')
      .set({ state: 'registered_disabled' })
      .where('id', '=', leaver.userId)
      .execute()
    expect((await call(service, LOGIN, { body: { username: leaver.username, password: PASSWORD } })).status).toBe(403)
    await beliefToPass()
    expect(await tokenWorks(leaver.token)).toBe(false)
  })

  test('ten failures close the username for a while, without telling whether it exists', async () => {
    for (const username of ['ghost@example.org', (await makePerson(service, [])).username]) {
      // A service of its own each time, because the address is closed as well.
      const fresh = await startTestService()
      const attempt = () => call(fresh, LOGIN, { body: { username, password: 'wrong' } })
      const statuses = []
      for (let count = 0; count < 11; count++) statuses.push((await attempt()).status)
      expect(statuses).toEqual([...Array(10).fill(403), 429])
      const refused = await attempt()
      expect(refused.body.errors[0].code).toBe('TooManySignInAttempts')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(880)
      expect((await call(fresh, LOGIN, { body: { username: 'another@example.org', password: 'x' } })).status).toBe(429)
    }
  })
})

describe('guessing', () => {
  test('many guesses at the same moment are ten guesses', async () => {
    const fresh = await startTestService()
    const victim = await makePerson(fresh, [])
    const guess = (n: number) => call(fresh, LOGIN, { body: { username: victim.username, password: `guess ${n}` } })
    const statuses = (await Promise.all(Array.from({ length: 40 }, (_, n) => guess(n)))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 403)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  })

  test('another spelling of the same username is no new chance', async () => {
    const fresh = await startTestService({ environment: { TRUST_PROXY: 'true' } })
    const victim = await makePerson(fresh, [])
    await fresh.db.updateTable('users').set({ username: 'admin@example.org' }).where('id', '=', victim.userId).execute()
    let address = 0
    const attempt = (username: string, password = 'x') =>
      call(fresh, LOGIN, {
        body: { username, password },
        headers: { 'x-forwarded-for': `192.0.2.${++address}` },
      })
    for (let n = 0; n < 10; n++) expect((await attempt('Admin@Example.org')).status).toBe(403)
    for (const spelling of ['admin@example.org', 'ADMIN@EXAMPLE.ORG'])
      expect((await attempt(spelling)).status).toBe(429)
    // Whether or not the database folds this letter to an i, it signs nobody in while the user is closed.
    const folded = await attempt('adm\u0130n@example.org', PASSWORD)
    expect([403, 429]).toContain(folded.status)
    expect((await attempt('admin@example.org')).status).toBe(429)
  })

  test('what a proxy says is believed, what a caller says before it is not', async () => {
    const fresh = await startTestService({ environment: { TRUST_PROXY: 'true', ANONYMOUS_QUOTA: '100' } })
    const from = (text: string) => call(fresh, ORGANIZATIONS, { headers: { 'x-forwarded-for': text } })
    for (let n = 0; n < 4; n++) await from(`198.51.100.${n}, 203.0.113.7`)
    expect((await from('203.0.113.7')).headers.get('x-ratelimit-used')).toBe('5')
  })
})

describe('refreshing', () => {
  const refresh = (token: string) => call(service, REFRESH, { body: { 'refresh-token': token } })

  test('gives new tokens, and each refresh token works once', async () => {
    const first = (await signIn()).body
    const second = await refresh(first['refresh-token'])
    expect(second.status).toBe(201)
    expect(second.body['access-token']).not.toBe(first['access-token'])
    expect(await tokenWorks(second.body['access-token'])).toBe(true)
  })

  test('a spent token shown again ends the whole sign-in', async () => {
    const first = (await signIn()).body
    const second = (await refresh(first['refresh-token'])).body
    const reused = await refresh(first['refresh-token'])
    expect([reused.status, reused.body.errors[0].code]).toEqual([403, 'TokenInvalid'])
    expect((await refresh(second['refresh-token'])).status).toBe(403)
    await beliefToPass()
    expect(await tokenWorks(second['access-token'])).toBe(false)
  })

  test('of two refreshes at the same moment one wins', async () => {
    const { body } = await signIn()
    const answers = await Promise.all([refresh(body['refresh-token']), refresh(body['refresh-token'])])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403])
  })

  test('an expired refresh token says so', async () => {
    const { body } = await signIn({ 'refresh-token-expiration-seconds': 1 })
    await beliefToPass()
    expect((await refresh(body['refresh-token'])).body.errors[0].code).toBe('TokenExpired')
  })

  test('an access token does not refresh', async () => {
    const { body } = await signIn()
    expect((await refresh(body['access-token'])).status).toBe(403)
  })

  test('a sticky access lifetime is kept, another is not', async () => {
    for (const [sticky, expected] of [
      [true, 60],
      [false, 3600],
    ] as const) {
      const { body } = await signIn({ 'access-token-expiration-seconds': 60, 'sticky-access-token-expiration': sticky })
      const refreshed = await refresh(body['refresh-token'])
      expect(Math.abs(secondsUntil(refreshed.body['access-token-expires-at']) - expected)).toBeLessThanOrEqual(2)
    }
  })
})

test('signing out ends this sign-in within a second, and only this one', async () => {
  const [one, other] = [(await signIn()).body, (await signIn()).body]
  expect((await call(service, LOGOUT, { method: 'POST', token: one['access-token'] })).status).toBe(201)
  await beliefToPass()
  expect(await tokenWorks(one['access-token'])).toBe(false)
  expect(await tokenWorks(other['access-token'])).toBe(true)
  expect((await call(service, REFRESH, { body: { 'refresh-token': one['refresh-token'] } })).status).toBe(403)
})

test('an expired access token says so', async () => {
  const { body } = await signIn({ 'access-token-expiration-seconds': 1 })
  await beliefToPass()
  const answer = await call(service, ORGANIZATIONS, { token: body['access-token'] })
  expect([answer.status, answer.body.errors[0].code]).toEqual([403, 'TokenExpired'])
})

test('an expired access token still says so after housekeeping', async () => {
  const { body } = await signIn({ 'access-token-expiration-seconds': 1 })
  await beliefToPass()
  await forgetExpiredSessions(service.db, new Date())
  expect((await call(service, ORGANIZATIONS, { token: body['access-token'] })).body.errors[0].code).toBe('TokenExpired')
})

test('tokens long past their time are forgotten, also of a sign-in that goes on', async () => {
  // A service of its own: looking so far ahead ends everyone's sign-in.
  const ahead = await startTestService()
  const { username } = await makePerson(ahead, [])
  const { body } = await call(ahead, LOGIN, { body: { username, password: PASSWORD } })
  const days = (count: number) => new Date(Date.now() + count * 86_400_000)
  const refreshed = (await call(ahead, REFRESH, { body: { 'refresh-token': body['refresh-token'] } })).body
  const hash = tokenHash(refreshed['refresh-token'])
  await ahead.db
    .updateTable('sessionTokens')
    .set({ expiresAt: days(90) })
    .where('hash', '=', hash)
    .execute()
  const { sessionId } = await ahead.db
    .selectFrom('sessionTokens')
    .select('sessionId')
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow()
  const count = async () =>
    (await ahead.db.selectFrom('sessionTokens').select('hash').where('sessionId', '=', sessionId).execute()).length
  await forgetExpiredSessions(ahead.db, days(29))
  expect(await count()).toBe(4)
  await forgetExpiredSessions(ahead.db, days(61))
  expect(await count()).toBe(1)
})

test('tokens past their time are forgotten, with the sign-ins that have none left', async () => {
  await signIn({ 'access-token-expiration-seconds': 1, 'refresh-token-expiration-seconds': 1 })
  const count = async () => (await service.db.selectFrom('sessions').select('id').execute()).length
  const before = await count()
  await forgetExpiredSessions(service.db, new Date(Date.now() + 60_000))
  expect(await count()).toBeLessThan(before)
  expect(await tokenWorks(person.token)).toBe(true)
})

describe('the client', () => {
  test('refreshes an expired token by itself, once for calls at the same moment', async () => {
    const pairs: unknown[] = []
    const almoner = connect({ baseUrl: service.url, onTokens: (tokens) => pairs.push(tokens) })
    await almoner.login({ body: { username: person.username, password: PASSWORD, accessTokenExpirationSeconds: 1 } })
    await beliefToPass()
    const pages = await Promise.all([
      almoner.listOrganizations(),
      almoner.listOrganizations(),
      almoner.listOrganizations(),
    ])
    expect(pages.map(({ total }) => total)).toEqual([1, 1, 1])
    expect(pairs).toHaveLength(2)
  })

  test('goes on from kept tokens', async () => {
    const { body } = await signIn({ 'access-token-expiration-seconds': 1 })
    await beliefToPass()
    const token = { accessToken: body['access-token'], refreshToken: body['refresh-token'] }
    expect((await connect({ baseUrl: service.url, token }).listOrganizations()).total).toBe(1)
  })

  test('tells when the sign-in has ended', async () => {
    const { body } = await signIn({ 'access-token-expiration-seconds': 1, 'refresh-token-expiration-seconds': 1 })
    await beliefToPass()
    const told: unknown[] = []
    const token = { accessToken: body['access-token'], refreshToken: body['refresh-token'] }
    const call = connect({ baseUrl: service.url, token, onTokens: (tokens) => told.push(tokens) }).listOrganizations()
    await expect(call).rejects.toThrow(AlmonerError)
    expect(told).toEqual([null])
  })

  test('forgets its tokens when it signs out', async () => {
    const almoner = connect({ baseUrl: service.url })
    await almoner.login({ body: { username: person.username, password: PASSWORD } })
    await almoner.logout()
    await expect(almoner.listOrganizations()).rejects.toMatchObject({ status: 403, code: 'NotAuthenticated' })
  })
})
