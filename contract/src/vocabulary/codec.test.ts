import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { decoder, encoder, wireSchema } from './codec.ts'
import { objectOf } from './fields.ts'
import { boolean, datetime, defaulted, listOf, nullable, optional, shapedBy, text } from './formats.ts'
import { camel, kebab } from './naming.ts'
import { printer } from './printer.ts'

const schema = objectOf({
  firstName: text(),
  lastO2Saturation: optional(text()),
  isActive: defaulted(boolean(), true),
  seenAt: nullable(datetime()),
  visits: listOf(Type.Object({ startTime: datetime() })),
  settings: Type.Unsafe<object>({ type: 'object' }),
})

const code = {
  firstName: 'Ada',
  isActive: false,
  seenAt: new Date('2024-05-01T12:00:00Z'),
  visits: [{ startTime: new Date('2024-01-02T03:04:05Z') }],
  settings: { someKey: { deepKey: 1 } },
}
const wire = {
  'first-name': 'Ada',
  'is-active': false,
  'seen-at': '2024-05-01 12:00:00',
  visits: [{ 'start-time': '2024-01-02 03:04:05' }],
  settings: { someKey: { deepKey: 1 } },
}

test('names and moments are changed on the way out and back on the way in', () => {
  expect(encoder(schema)(code)).toEqual(wire)
  expect(decoder(schema)(wire)).toEqual(code)
})

test('null stays null, and what is absent stays absent', () => {
  expect(encoder(schema)({ ...code, seenAt: null })).toEqual({ ...wire, 'seen-at': null })
  expect(decoder(schema)({ 'first-name': 'Ada' })).toEqual({ firstName: 'Ada' })
})

test('only what is declared leaves the house', () => {
  expect(encoder(schema)({ ...code, passwordHash: 'secret' })).toEqual(wire)
})

test('the schema has wire names, and what has a default is not required', () => {
  expect(wireSchema(schema)).toMatchObject({
    required: ['first-name', 'seen-at', 'visits', 'settings'],
    properties: { 'last-o2-saturation': { type: 'string' }, visits: { items: { required: ['start-time'] } } },
    additionalProperties: false,
  })
})

test.each(['last-o2-saturation', 'contents-base64', 'location-x', 'id', 'is-active'])(
  '%s survives both namings',
  (name) => {
    expect(kebab(camel(name))).toBe(name)
  },
)

test.each([
  code,
  { ...code, seenAt: null, passwordHash: 'secret' },
  { ...code, firstName: 'Zoë "\\\n\u2028 Ω 👩‍⚕️', visits: [], settings: { a: [1, null, 'x'] } },
  { ...code, firstName: null },
])('what is printed is what is encoded, in letters', (value) => {
  expect(printer(schema)(value)).toBe(JSON.stringify(encoder(schema)(value)))
})

test('a default is filled in by the names of the wire', () => {
  const ways = defaulted(objectOf({ byEmail: boolean() }), { byEmail: true })
  expect(wireSchema(objectOf({ ways }))).toMatchObject({ properties: { ways: { default: { 'by-email': true } } } })
})

test('an attribute beside it says how an object is shaped', () => {
  const shapes = { visit: objectOf({ startTime: datetime() }), note: objectOf({ firstLine: text() }) }
  const told = objectOf({ eventKind: text(), data: shapedBy<object>('eventKind', shapes) })
  const moment = new Date('2024-01-02T03:04:05Z')
  const pairs = [
    [
      { eventKind: 'visit', data: { startTime: moment } },
      { 'event-kind': 'visit', data: { 'start-time': '2024-01-02 03:04:05' } },
    ],
    [
      { eventKind: 'note', data: { firstLine: 'x' } },
      { 'event-kind': 'note', data: { 'first-line': 'x' } },
    ],
  ]
  for (const [inCode, onWire] of pairs) {
    expect(encoder(told)(inCode)).toEqual(onWire)
    expect(JSON.parse(printer(told)(inCode))).toEqual(onWire)
    expect(decoder(told)(onWire)).toEqual(inCode)
  }
  // Kept as JSON a moment is text, and what is not declared stays.
  const kept = { eventKind: 'visit', data: { startTime: moment.toISOString(), secret: 1 } }
  expect(encoder(told)(kept)).toEqual(pairs[0]?.[1])
  // A kind of a newer service is handed out as it came; one that is not declared here is not told.
  const unknown = { 'event-kind': 'other', data: { 'some-key': 1 } }
  expect(decoder(told)(unknown)).toEqual({ eventKind: 'other', data: { 'some-key': 1 } })
  expect(encoder(told)({ eventKind: 'other', data: { someKey: 1 } })).toEqual({ 'event-kind': 'other', data: {} })
  expect(wireSchema(told)).toMatchObject({
    properties: { data: { anyOf: [{ required: ['start-time'] }, { required: ['first-line'] }] } },
  })
})
