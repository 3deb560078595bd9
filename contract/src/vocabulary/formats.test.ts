import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formats, parseDatetime, printDatetime } from './formats.ts'

const accepts = (format: string, value: string) => formats[format]?.check(value)

test.each([
  ['2024-02-29', true],
  ['2023-02-29', false],
  ['1900-02-29', false],
  ['2000-02-29', true],
  ['2024-13-01', false],
  ['2024-00-10', false],
  ['2024-04-31', false],
  ['0000-01-01', false],
  ['0001-01-01', true],
  ['9999-12-31', true],
  ['24-01-01', false],
  ['2024-1-1', false],
  ['2024-01-01 ', false],
])('the date %s: %s', (value, valid) => expect(accepts('date', value)).toBe(valid))

test.each([
  ['2024-05-01 12:30:45', '2024-05-01 12:30:45'],
  ['2024-05-01T12:30:45Z', '2024-05-01 12:30:45'],
  ['2024-05-01t12:30:45z', '2024-05-01 12:30:45'],
  ['2024-05-01T12:30:45.678Z', '2024-05-01 12:30:45'],
  ['2024-05-01T12:30:45.123456789Z', '2024-05-01 12:30:45'],
  ['2024-05-01T12:30:45+02:00', '2024-05-01 10:30:45'],
  ['2024-01-01T00:30:00-05:30', '2024-01-01 06:00:00'],
  ['2024-05-01T12:30:45', null],
  ['2024-05-01 12:30:45Z', null],
  ['2024-05-01 12:30:45.5', null],
  ['2024-05-01 24:00:00', null],
  ['2024-05-01 12:60:00', null],
  ['2024-05-01 12:30:60', null],
  ['2024-05-01T12:30:45+24:00', null],
  ['2024-02-30 12:30:45', null],
  ['0001-01-01T00:00:00+01:00', null],
  ['9999-12-31T23:59:59-01:00', null],
  ['2024-05-01', null],
  ['', null],
])('the datetime %s is read as %s', (value, printed) => {
  const moment = parseDatetime(value)
  expect(moment && printDatetime(moment)).toBe(printed)
  expect(accepts('datetime', value)).toBe(printed !== null)
})

test('every moment survives being printed and read', () => {
  const moments = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(
      moments,
      (moment) => Math.floor(moment.getTime() / 1000) * 1000 === parseDatetime(printDatetime(moment))?.getTime(),
    ),
  )
})

test.each([
  ['name@example.org', true],
  ['first.last+tag@mail.example.org', true],
  ['name@example', false],
  ['name@@example.org', false],
  ['na me@example.org', false],
  ['@example.org', false],
  ['name@-example.org', false],
  [`${'a'.repeat(243)}@example.org`, true],
  [`${'a'.repeat(244)}@example.org`, false],
])('the email %s: %s', (value, valid) => expect(accepts('email', value)).toBe(valid))

test('a hostile email address is refused quickly', () => {
  const started = performance.now()
  expect(accepts('email', `a@${'a-'.repeat(500_000)}`)).toBe(false)
  expect(performance.now() - started).toBeLessThan(100)
})

test.each([
  ['+12025550123', true],
  ['+1', false],
  ['+012345678', false],
  ['12025550123', false],
  ['+123456789012345', true],
  ['+1234567890123456', false],
])('the phone number %s: %s', (value, valid) => expect(accepts('phonenumberE164', value)).toBe(valid))

test.each([
  ['0198c5a0-7d2c-7a31-9c55-3f6f0f1b2c3d', true],
  ['0198C5A0-7D2C-7A31-9C55-3F6F0F1B2C3D', true],
  ['0198c5a07d2c7a319c553f6f0f1b2c3d', false],
  ['{0198c5a0-7d2c-7a31-9c55-3f6f0f1b2c3d}', false],
])('the uuid %s: %s', (value, valid) => expect(accepts('uuid', value)).toBe(valid))

test.each([
  ['00:00', true],
  ['23:59', true],
  ['24:00', false],
  ['12:60', false],
  ['7:30', false],
  ['07:30:00', false],
])('the time of day %s: %s', (value, valid) => expect(accepts('timeOfDay', value)).toBe(valid))

test.each([
  ['America/New_York', true],
  ['UTC', true],
  ['+02:00', false],
  ['Mars/Olympus', false],
  ['', false],
])('the time zone %s: %s', (value, valid) => expect(accepts('timeZone', value)).toBe(valid))
