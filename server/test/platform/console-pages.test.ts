import { beforeAll, expect, test } from 'vitest'
import { call, LOGIN, startTestService, type TestService } from '../support/service.ts'

let service: TestService
const accept = { accept: 'text/html,application/xhtml+xml' }

beforeAll(async () => {
  service = await startTestService()
})

const page = (path: string) => call(service, path, { headers: accept })
const partsOf = (html: string) => Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, part]) => part as string)

test.each(['/', '/register?token=x', '/reset-password?token=x', '/patients', '/patients/anything/deep', '/sign-in'])(
  '%s opens the console, which runs its own scripts alone and keeps its address to itself',
  async (path) => {
    const { status, headers, body } = await page(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(String(body)).not.toMatch(/<script(?![^>]* src=)|<style|https?:/)
    const parts = partsOf(String(body))
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts) expect([part, (await call(service, part)).status]).toEqual([part, 200])
  },
)

test('styles are let in by a number that is used once', async () => {
  const nonces = await Promise.all(
    [1, 2].map(async () => {
      const { headers, body } = await page('/')
      const [, allowed = ''] = /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '') ?? []
      expect(String(body)).toContain(`content="${allowed}"`)
      return allowed
    }),
  )
  expect(new Set(nonces).size).toBe(2)
  expect(nonces[0]?.length).toBeGreaterThan(20)
})

test('its files are compressed beforehand, and kept for good by whoever has them', async () => {
  const script = partsOf(String((await page('/')).body)).find((part) => part.endsWith('.js')) ?? ''
  const lengths = await Promise.all(
    ['br, gzip', 'gzip', 'gzip;q=0, br;q=0', ''].map(async (encodings) => {
      const { status, headers } = await call(service, script, { headers: { 'accept-encoding': encodings } })
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('vary')).toBe('accept-encoding')
      return [headers.get('content-encoding'), Number(headers.get('content-length'))] as const
    }),
  )
  expect(lengths.map(([encoding]) => encoding)).toEqual(['br', 'gzip', null, null])
  const [brotli, gzip, plain] = lengths.map(([, length]) => length) as [number, number, number]
  expect(brotli).toBeLessThan(gzip)
  expect(gzip).toBeLessThan(plain / 2)
})

test.each([
  ['a missing file', '/assets/nothing-here.js'],
  ['a file beside the console', '/assets/..%2Findex.html'],
  ['a path of the interface', '/identity/v1/nothing/'],
  ['another version of it', '/identity/v2/organizations/'],
  ['the name of a file', '/favicon.ico'],
  ['a path below the reference', '/reference/nothing'],
])('%s is not found, also for a browser', async (_, path) => {
  const { status, headers, body } = await page(path)
  expect([status, body.errors?.[0].code]).toEqual([404, 'NotFound'])
  expect(headers.get('content-type')).toContain('json')
})

test('a program that asks for something unknown is told so, and is shown no page', async () => {
  expect((await call(service, '/patients')).status).toBe(404)
  expect((await call(service, '/patients', { method: 'POST', body: {}, headers: accept })).status).toBe(404)
  expect((await call(service, LOGIN, { headers: accept })).body.errors[0].code).toBe('MethodNotAllowed')
})
