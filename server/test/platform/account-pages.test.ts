import { beforeAll, expect, test } from 'vitest'
import { call, startTestService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})

test.each(['/register?token=x', '/reset-password?token=x'])(
  '%s opens a page that keeps its token to itself',
  async (path) => {
    const { status, headers, body } = await call(service, path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    const parts = Array.from(String(body).matchAll(/(?:src|href)="([^"]+)"/g), ([, part]) => part as string)
    expect(parts).toHaveLength(2)
    for (const part of parts) expect([part, (await call(service, part)).status]).toEqual([part, 200])
  },
)
