import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AlmonerError, connect, type TokenStore, type Tokens } from '../src/index.ts'

// The service's side is played by hand, because answers must arrive in an order that no real service can be made to keep.
function stage() {
  const waiting: {
    path: string
    token: string | null
    key: string | null
    answer: (status: number, body: unknown) => void
  }[] = []
  const fetch = (input: URL | RequestInfo, init?: RequestInit) =>
    new Promise<Response>((resolve) => {
      const answer = (status: number, body: unknown) => resolve(Response.json(body, { status }))
      waiting.push({
        path: new URL(String(input)).pathname,
        token: new Headers(init?.headers).get('authorization'),
        key: new Headers(init?.headers).get('idempotency-key'),
        answer,
      })
    })
  const next = async () => {
    while (waiting.length === 0) await sleep(1)
    return waiting.shift() as (typeof waiting)[number]
  }
  return { fetch: fetch as typeof globalThis.fetch, next }
}

const tokens = (name: string) => ({
  'access-token': `${name}-access`,
  'refresh-token': `${name}-refresh`,
  'access-token-expires-at': '2026-01-01 00:00:00',
  'refresh-token-expires-at': '2026-01-01 00:00:00',
  'user-id': name,
  'individual-id': name,
  'organization-ids': [],
  'redirect-url': null,
})
const expired = { errors: [{ status: '403', code: 'TokenExpired', detail: 'expired' }] }
const ada = { accessToken: 'ada-access', refreshToken: 'ada-refresh' }

test('what one person asked for is never sent again as another', async () => {
  const { fetch, next } = stage()
  const almoner = connect({ baseUrl: 'http://care.example', token: ada, fetch })
  const asked = almoner.listOrganizations()
  const first = await next()
  const signIn = almoner.login({ body: { username: 'ben', password: 'x' } })
  ;(await next()).answer(201, tokens('ben'))
  await signIn
  first.answer(403, expired)
  await expect(asked).rejects.toBeInstanceOf(AlmonerError)
})

test('a refresh that arrives after someone else signed in changes nothing', async () => {
  const { fetch, next } = stage()
  const kept: unknown[] = []
  const almoner = connect({ baseUrl: 'http://care.example', token: ada, fetch, onTokens: (pair) => kept.push(pair) })
  const asked = almoner.listOrganizations()
  ;(await next()).answer(403, expired)
  const refresh = await next()
  expect(refresh.path).toBe('/identity/v1/refresh/')
  const signIn = almoner.login({ body: { username: 'ben', password: 'x' } })
  ;(await next()).answer(201, tokens('ben'))
  await signIn
  refresh.answer(201, tokens('ada-again'))
  await expect(asked).rejects.toBeInstanceOf(AlmonerError)
  expect(kept).toMatchObject([{ accessToken: 'ben-access', refreshToken: 'ben-refresh' }])
})

test('two who share a sign-in refresh it once, and a refresh is repeated with the key it was begun with', async () => {
  const { fetch, next } = stage()
  let shared: Tokens | null = { ...ada, refreshKey: 'kept' }
  let last: Promise<unknown> = Promise.resolve()
  const store: TokenStore = {
    get: () => shared,
    set: (tokens) => {
      shared = tokens
    },
    exclusively: (work) => {
      const mine = last.then(work, work)
      last = mine
      return mine
    },
  }
  const [one, other] = [1, 2].map(() => connect({ baseUrl: 'http://care.example', store, fetch }).listOrganizations())
  ;(await next()).answer(403, expired)
  ;(await next()).answer(403, expired)
  const refresh = await next()
  expect([refresh.path, refresh.key]).toEqual(['/identity/v1/refresh/', 'kept'])
  refresh.answer(201, tokens('again'))
  for (const _ of [1, 2]) {
    const repeated = await next()
    expect([repeated.path, repeated.token]).toEqual(['/identity/v1/organizations/', 'Bearer again-access'])
    repeated.answer(200, { data: [], meta: { 'page[offset]': 0, 'page[limit]': 100, 'page[total]': 0 } })
  }
  expect(await Promise.all([one, other])).toEqual([
    { items: [], total: 0 },
    { items: [], total: 0 },
  ])
  expect(shared?.refreshKey).not.toBe('kept')
})

test('an answer that is not the service’s own is told by its status', async () => {
  const fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502 })
  const attempt = connect({ baseUrl: 'http://care.example', fetch }).listOrganizations()
  await expect(attempt).rejects.toMatchObject({ status: 502, code: undefined, message: 'The service answered 502.' })
})

test('a 429 without a time to wait is not tried again', async () => {
  let calls = 0
  const fetch = async () => {
    calls++
    return Response.json({ errors: [] }, { status: 429 })
  }
  await expect(connect({ baseUrl: 'http://care.example', fetch }).listOrganizations()).rejects.toMatchObject({
    status: 429,
  })
  expect(calls).toBe(1)
})

test('waiting ends when the caller gives up', async () => {
  const fetch = async () => Response.json({ errors: [] }, { status: 429, headers: { 'retry-after': '60' } })
  const attempt = connect({ baseUrl: 'http://care.example', fetch }).listOrganizations(
    {},
    { signal: AbortSignal.timeout(50) },
  )
  await expect(attempt).rejects.toThrow(/timeout|aborted/i)
})
