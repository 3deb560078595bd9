import { expect, test } from 'vitest'
import { MOST_ATTEMPTS, nextDelay, retryAfterMs } from './retry-plan.ts'

const now = new Date('2026-03-01T12:00:00Z')
const DAY_MS = 24 * 3600 * 1000

test('delays grow, differ a little each time, and all of them fit into a day', () => {
  const planned = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800]
  expect(planned).toHaveLength(MOST_ATTEMPTS - 1)
  let longest = 0
  for (const [place, seconds] of planned.entries()) {
    const delays = Array.from({ length: 200 }, () => nextDelay({ count: place + 1, startedAt: now }, 0, now) ?? 0)
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(seconds * 800)
    expect(Math.max(...delays)).toBeLessThanOrEqual(seconds * 1000)
    expect(new Set(delays).size).toBeGreaterThan(50)
    longest += seconds * 1000
  }
  expect(longest).toBeLessThan(DAY_MS)
  expect(nextDelay({ count: MOST_ATTEMPTS, startedAt: now }, 0, now)).toBeNull()
})

test('nothing is planned for later than a day after the first attempt', () => {
  const begun = (ago: number) => nextDelay({ count: 1, startedAt: new Date(now.getTime() - ago) }, 0, now)
  expect(begun(DAY_MS - 5000)).not.toBeNull()
  expect(begun(DAY_MS)).toBeNull()
})

test('a receiver may ask for more time than planned, up to four hours, and never for less', () => {
  const asking = (ms: number) => nextDelay({ count: 3, startedAt: now }, ms, now) ?? 0
  expect(asking(1000)).toBeGreaterThanOrEqual(96_000)
  expect(asking(3600_000)).toBe(3600_000)
  expect(asking(4 * 3600_000)).toBe(4 * 3600_000)
  expect(asking(4 * 3600_000 + 1)).toBe(4 * 3600_000)
})

test.each([
  [undefined, 0],
  ['120', 120_000],
  ['0', 0],
  ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
  ['Sun, 01 Mar 2026 11:59:00 GMT', 0],
  ['soon', 0],
  ['-5', 0],
  ['', 0],
])('Retry-After: %s means %i milliseconds', (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms)
})
