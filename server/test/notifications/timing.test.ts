import { DEFAULT_CHOICES } from '@almoner/contract/notifications/notification-preferences'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { afterQuietHours, dueTime, nextTimeOfDay, outsideQuietHours } from '../../src/features/notifications/timing.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NEW_YORK = 'America/New_York'

const at = (moment: string) => new Date(moment)
const quietUntil = (moment: string, from: string, to: string, tz: string | null = 'UTC') =>
  afterQuietHours(at(moment), { from, to }, tz).toISOString().replace('.000', '')

describe('quiet hours', () => {
  test.each([
    ['2026-03-01T21:59:59Z', '2026-03-01T21:59:59Z'],
    ['2026-03-01T22:00:00Z', '2026-03-02T07:00:00Z'],
    ['2026-03-01T23:59:59Z', '2026-03-02T07:00:00Z'],
    ['2026-03-02T00:00:00Z', '2026-03-02T07:00:00Z'],
    ['2026-03-02T06:59:59Z', '2026-03-02T07:00:00Z'],
    ['2026-03-02T07:00:00Z', '2026-03-02T07:00:00Z'],
  ])('from 22:00 to 07:00 let what comes at %s go at %s', (moment, until) =>
    expect(quietUntil(moment, '22:00', '07:00')).toBe(until),
  )

  test.each([
    ['2026-03-01T12:59:59Z', '2026-03-01T12:59:59Z'],
    ['2026-03-01T13:00:00Z', '2026-03-01T15:30:00Z'],
    ['2026-03-01T15:29:59Z', '2026-03-01T15:30:00Z'],
    ['2026-03-01T15:30:00Z', '2026-03-01T15:30:00Z'],
  ])('from 13:00 to 15:30 let what comes at %s go at %s', (moment, until) =>
    expect(quietUntil(moment, '13:00', '15:30')).toBe(until),
  )

  test('go by the clock of the person', () => {
    expect(quietUntil('2026-01-15T04:00:00Z', '22:00', '07:00', NEW_YORK)).toBe('2026-01-15T12:00:00Z')
    expect(quietUntil('2026-01-15T15:00:00Z', '20:00', '07:00', 'Asia/Kolkata')).toBe('2026-01-16T01:30:00Z')
  })

  test('end at the wall time on the night that clocks are put forward and on the night they are put back', () => {
    expect(quietUntil('2026-03-08T04:00:00Z', '22:00', '07:00', NEW_YORK)).toBe('2026-03-08T11:00:00Z')
    expect(quietUntil('2026-11-01T04:00:00Z', '22:00', '07:00', NEW_YORK)).toBe('2026-11-01T12:00:00Z')
  })

  test('that end within the hour that is left out end when clocks are put forward', () => {
    for (const to of ['02:00', '02:30', '02:59'])
      expect(quietUntil('2026-03-08T06:00:00Z', '22:00', to, NEW_YORK)).toBe('2026-03-08T07:00:00Z')
    expect(quietUntil('2026-03-08T06:00:00Z', '22:00', '03:00', NEW_YORK)).toBe('2026-03-08T07:00:00Z')
  })

  test('that begin again within the hour that is left out go on', () => {
    expect(quietUntil('2026-03-08T06:00:00Z', '02:40', '02:30', NEW_YORK)).toBe('2026-03-09T06:30:00Z')
    expect(quietUntil('2026-03-08T06:00:00Z', '03:00', '02:59', NEW_YORK)).toBe('2026-03-09T06:59:00Z')
  })

  test('end for the minutes that putting clocks back takes out of them', () => {
    expect(quietUntil('2026-10-25T00:01:00Z', '01:01', '00:00', 'Europe/London')).toBe('2026-10-25T01:00:00Z')
  })

  test('that end within the hour that comes twice end each time', () => {
    expect(quietUntil('2026-11-01T05:10:00Z', '22:00', '01:30', NEW_YORK)).toBe('2026-11-01T05:30:00Z')
    expect(quietUntil('2026-11-01T06:10:00Z', '22:00', '01:30', NEW_YORK)).toBe('2026-11-01T06:30:00Z')
  })

  test('are those of UTC where a zone is missing or unknown', () => {
    for (const tz of [null, 'Mars/Olympus'])
      expect(quietUntil('2026-03-01T23:00:00Z', '22:00', '07:00', tz)).toBe('2026-03-02T07:00:00Z')
  })

  const zones = fc.constantFrom(NEW_YORK, 'Europe/London', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Sao_Paulo')
  const clock = fc.integer({ min: 0, max: 1439 }).map((minutes) => {
    const two = (value: number) => String(value).padStart(2, '0')
    return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  })
  // Around the nights on which one of the zones changes its clocks, and anywhere else.
  const days = fc.oneof(
    fc.constantFrom('2026-03-08', '2026-11-01', '2026-03-29', '2026-10-25', '2026-04-05', '2026-10-04', '2018-11-04'),
    fc
      .date({ min: at('2015-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z'), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10)),
  )
  const moments = fc
    .tuple(days, fc.integer({ min: -720, max: 2160 }))
    .map(([day, minutes]) => new Date(at(`${day}T00:00:00Z`).getTime() + minutes * MINUTE))

  test('hold back exactly until the first minute whose wall time is not quiet', () => {
    fc.assert(
      fc.property(moments, clock, clock, zones, (moment, from, to, tz) => {
        fc.pre(from !== to)
        const format = new Intl.DateTimeFormat('en-GB', { timeZone: tz, hour: '2-digit', minute: '2-digit' })
        const isQuiet = (time: number) => {
          const wall = format.format(time)
          return from < to ? from <= wall && wall < to : from <= wall || wall < to
        }
        let expected = moment.getTime()
        while (isQuiet(expected)) expected += MINUTE
        expect(afterQuietHours(moment, { from, to }, tz).getTime()).toBe(expected)
      }),
      { numRuns: 300 },
    )
  })

  test('a daily digest comes once for each day, whatever clocks do', () => {
    fc.assert(
      fc.property(moments, clock, zones, (moment, time, tz) => {
        const first = nextTimeOfDay(moment, time, tz)
        const second = nextTimeOfDay(first, time, tz)
        expect(first.getTime()).toBeGreaterThan(moment.getTime())
        expect(first.getTime() - moment.getTime()).toBeLessThanOrEqual(25 * HOUR)
        expect(Math.abs(second.getTime() - first.getTime() - 24 * HOUR)).toBeLessThanOrEqual(HOUR)
      }),
      { numRuns: 300 },
    )
  })
})

describe('what comes up is due', () => {
  const now = at('2026-01-15T04:20:00Z')
  const due = (choices: object, severity: 'critical' | 'warning' | 'info' = 'warning') =>
    dueTime(now, { ...DEFAULT_CHOICES, ...choices }, severity, NEW_YORK)
      .toISOString()
      .slice(0, 16)
  const quietHours = { from: '22:00', to: '07:00' }

  test.each([
    ['at once', {}, '2026-01-15T04:20'],
    ['at the next full hour', { digest: 'hourly' }, '2026-01-15T05:00'],
    ['at the time of the daily digest', { digest: 'daily' }, '2026-01-15T13:00'],
    ['at another time of the daily digest', { digest: 'daily', digestTime: '23:19' }, '2026-01-16T04:19'],
    ['a minute later when the digest is then', { digest: 'daily', digestTime: '23:21' }, '2026-01-15T04:21'],
    ['after quiet hours', { quietHours }, '2026-01-15T12:00'],
    ['after quiet hours, though the next digest is sooner', { quietHours, digest: 'hourly' }, '2026-01-15T12:00'],
  ] as const)('%s', (_, choices, expected) => expect(due(choices)).toBe(expected))

  test('at once when it is critical, unless the person wants it otherwise', () => {
    const choices = { quietHours, digest: 'daily' }
    expect(due(choices, 'critical')).toBe('2026-01-15T04:20')
    expect(due({ ...choices, criticalAtOnce: false }, 'critical')).toBe('2026-01-15T13:00')
    const timing = { ...DEFAULT_CHOICES, quietHours }
    expect(outsideQuietHours(now, timing, 'critical', NEW_YORK)).toEqual(now)
    expect(outsideQuietHours(now, timing, 'info', NEW_YORK)).toEqual(at('2026-01-15T12:00:00Z'))
  })

  test('at the next full hour of the wall, where that is half past in UTC', () => {
    const choices = { ...DEFAULT_CHOICES, digest: 'hourly' as const }
    expect(dueTime(now, choices, 'info', 'Asia/Kolkata')).toEqual(at('2026-01-15T04:30:00Z'))
  })
})
