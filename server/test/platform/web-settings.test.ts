import { connect as connectSocket } from 'node:net'
import { expect, test } from 'vitest'
import { call, ORGANIZATIONS, startTestService } from '../support/service.ts'

test('without HTTPS everything but the health checks is refused where HTTPS is required', async () => {
  const service = await startTestService({ environment: { REQUIRE_HTTPS: 'true' } })
  const plain = await call(service, ORGANIZATIONS)
  expect([plain.status, plain.body.errors[0].code]).toEqual([400, 'HttpsRequired'])
  for (const path of ['/metrics/', '/openapi.json', '/reference/', '/nowhere/'])
    expect([path, (await call(service, path)).status]).toEqual([path, 400])
  for (const path of ['/health/', '/ready/']) expect([path, (await call(service, path)).status]).toEqual([path, 200])
  const spoofed = await call(service, ORGANIZATIONS, { headers: { 'x-forwarded-proto': 'https' } })
  expect(spoofed.body.errors[0].code).toBe('HttpsRequired')
})

test('a trusted proxy says whether it was HTTPS and who called', async () => {
  const service = await startTestService({
    environment: { REQUIRE_HTTPS: 'true', TRUST_PROXY: 'true', ANONYMOUS_QUOTA: '5' },
  })
  const from = (ip: string) =>
    call(service, ORGANIZATIONS, { headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': ip } })
  const first = await from('203.0.113.1')
  expect([first.status, first.body.errors[0].code]).toEqual([403, 'NotAuthenticated'])
  expect(first.headers.get('strict-transport-security')).toContain('max-age')
  expect((await from('203.0.113.1')).headers.get('x-ratelimit-used')).toBe('2')
  expect((await from('203.0.113.2')).headers.get('x-ratelimit-used')).toBe('1')
})

test('pages of configured origins may call, others may not', async () => {
  const service = await startTestService({ environment: { CORS_ORIGINS: 'https://app.example' } })
  const preflight = (origin: string) =>
    call(service, ORGANIZATIONS, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
    })
  const allowed = await preflight('https://app.example')
  expect(allowed.status).toBe(204)
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example')
  expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
  const answer = await call(service, ORGANIZATIONS, { headers: { origin: 'https://app.example' } })
  expect(answer.headers.get('access-control-expose-headers')).toContain('X-Ratelimit-Remaining')
})

test('the measures can be kept behind a token', async () => {
  const service = await startTestService({ environment: { METRICS_TOKEN: 'scrape-me' } })
  expect((await call(service, '/metrics/')).status).toBe(403)
  expect((await call(service, '/metrics/', { token: 'scrape-you' })).status).toBe(403)
  expect((await call(service, '/metrics/', { token: 'scrape-me' })).status).toBe(200)
})

test('what is no HTTP, or has headers without end, is answered 400', async () => {
  const service = await startTestService()
  const { hostname, port } = new URL(service.url)
  const send = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connectSocket(Number(port), hostname, () => socket.write(text))
      let answer = ''
      socket.on('data', (chunk) => (answer += chunk))
      socket.on('close', () => resolve(answer))
      socket.on('error', reject)
    })
  expect(await send('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*MalformedRequest/)
  expect(await send(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 400 [\s\S]*too long/,
  )
})

test('an address with broken escapes is metered and answered like others', async () => {
  const service = await startTestService()
  const { status, headers, body } = await call(service, '/identity/v1/%zz/')
  expect([status, body.errors[0].code]).toEqual([400, 'MalformedRequest'])
  for (const name of ['x-request-id', 'x-ratelimit-used', 'content-security-policy'])
    expect(headers.has(name)).toBe(true)
})
