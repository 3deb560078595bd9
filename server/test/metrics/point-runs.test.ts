// What is read straight from the bytes is what the usual way reads, whatever is sent.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PointRun, readSeries, type SeriesItem } from '../../src/features/metrics/point-reader.ts'
import { parsePush } from '../../src/features/metrics/point-runs.ts'
import { parseStrictJson } from '../../src/platform/http/strict-json.ts'

type Point = Record<string, unknown>
const ID = '0198c5a0-7d2c-7a31-9c55-3f6f0f1b2c3d'

/** What a push comes to, or why it does not. */
function outcome(parse: (bytes: Buffer) => unknown, bytes: Buffer): unknown {
  try {
    const { data } = parse(bytes) as { data: { attributes: SeriesItem }[] }
    const items = data.map(({ attributes }) => ({ ...attributes, individualId: ID }))
    const { series, faults } = readSeries(items, 'watch')
    return faults.length > 0 ? faults : series
  } catch (error) {
    return (error as Error).message
  }
}

const expectSame = (bytes: Buffer) => expect(outcome(parsePush, bytes)).toEqual(outcome(parseStrictJson, bytes))

const hasRun = (bytes: Buffer): boolean => {
  const { data } = parsePush(bytes) as { data: { attributes: SeriesItem }[] }
  return data.some(({ attributes }) => attributes.data[0] instanceof PointRun)
}

const printed = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
const START = Date.parse('2026-02-28T23:30:00Z') / 1000

const many = (count: number, of: (place: number) => Point): Point[] => Array.from({ length: count }, (_, at) => of(at))
const pulse = (place: number): Point => ({ type: 'Pulse', time: printed(START + 60 * place), value: 60 + (place % 40) })

const body = (lists: Point[][]) => ({
  data: lists.map((data) => ({ type: 'time-series', attributes: { type: data[0]?.type, data } })),
})
/** As JSON.stringify, Python and a patient writer would. */
const WRITERS: ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) =>
    JSON.stringify(value)
      .replaceAll(/(?<=[}\]"\d]),(?=[{"])/g, ', ')
      .replaceAll('":', '": '),
  (value) => JSON.stringify(value, null, 2),
]
const bytesOf = (lists: Point[][], write = WRITERS[0]) =>
  Buffer.from((write as (value: unknown) => string)(body(lists)))

test.each(WRITERS.map((write, place) => [place, write] as const))('points written alike are a run (%i)', (_, write) => {
  const bytes = bytesOf([many(300, pulse)], write)
  expect(hasRun(bytes)).toBe(true)
  expectSame(bytes)
})

const ordinary = many(300, pulse)
const with_ = (place: number, change: Point | null): Point[] =>
  ordinary.map((point, at) => (at === place ? { ...point, ...change } : point))

test.each([
  ['a type that comes last', ordinary.map(({ type, ...rest }) => ({ ...rest, type }))],
  ['a type between', ordinary.map(({ type, time, value }) => ({ value, type, time }))],
  [
    'two numbers',
    many(300, (at) => ({ ...pulse(at), type: 'BloodPressure', value: undefined, systolic: 120, diastolic: 80 })),
  ],
  ['fractions', many(300, (at) => ({ ...pulse(at), type: 'BodyMass', value: 70 + at / 100 }))],
  ['numbers below zero', many(300, (at) => ({ ...pulse(at), type: 'Dqv', value: -at / 8 }))],
  ['an optional field left out', many(300, (at) => ({ ...pulse(at), type: 'BloodGlucose' }))],
  ['times out of order', [...ordinary].reverse()],
])('%s are a run', (_, points) => {
  expect(hasRun(bytesOf([points]))).toBe(true)
  expectSame(bytesOf([points]))
})

test.each([
  ['a value out of bounds', with_(200, { value: 5000 })],
  ['a value that is a text', with_(200, { value: '61' })],
  ['a fraction of what is whole', with_(200, { value: 61.5 })],
  ['a day that is not', with_(200, { time: '2026-02-30 10:00:00' })],
  ['an hour that is not', with_(200, { time: '2026-02-28 24:00:00' })],
  ['a time with a zone', with_(200, { time: '2026-02-28T10:00:00Z' })],
  ['another field', with_(200, { colour: 'red' })],
  ['another type', with_(200, { type: 'Steps' })],
  ['no type at all', ordinary.map(({ time, value }) => ({ time, value }))],
  ['a source of its own', ordinary.map((point) => ({ ...point, source: 'ring' }))],
  [
    'a required field left out',
    many(300, (at) => ({ ...pulse(at), type: 'BloodPressure', value: undefined, systolic: 120 })),
  ],
  ['a list in a point', with_(0, { value: [1] })],
  ['few points', ordinary.slice(0, 3)],
])('%s is left to the usual way', (_, points) => {
  expect(hasRun(bytesOf([points]))).toBe(false)
  expectSame(bytesOf([points]))
})

test('a run and other lists stand beside each other', () => {
  const bytes = bytesOf([
    with_(7, { tags: 'after sport' }),
    ordinary,
    many(200, (at) => ({ ...pulse(at), type: 'Steps' })),
    ordinary,
  ])
  expect(hasRun(bytes)).toBe(true)
  expectSame(bytes)
})

test.each([
  ['a key that is empty', '{"":0}'],
  ['a list called data in a point', '{"type":"Pulse","data":[{"type":"Pulse"}]}'],
  ['a source that looks like a list', '{"type":"Pulse","source":"\\"data\\":[{"}'],
])('%s confuses nothing', (_, point) => {
  const run = bytesOf([ordinary]).toString()
  expectSame(
    Buffer.from(run.replace('"data":[{"type":"Pulse"', `"data":[${point}]}},{"attributes":{"data":[{"type":"Pulse"`)),
  )
  expectSame(Buffer.from(run.replace(/\]\}\}\]\}$/, `,${point}]}}]}`)))
})

const someNumber = fc.oneof(
  fc.integer({ min: -5, max: 600 }),
  fc.double({ min: -1, max: 600, noNaN: true }),
  fc.integer({ min: -500, max: 60_000 }).map((value) => value / 100),
)
const somePoint = fc.record({
  type: fc.constantFrom('Pulse', 'BodyMass', 'Dqv'),
  time: fc.integer({ min: START, max: START + 5_000_000 }).map(printed),
  value: someNumber,
})
const someList = fc.oneof(
  fc.array(somePoint, { minLength: 1, maxLength: 60 }),
  fc
    .tuple(fc.constantFrom('Pulse', 'BodyMass', 'Dqv'), fc.array(somePoint, { minLength: 1, maxLength: 60 }))
    .map(([type, points]) =>
      points.map((point) => ({ ...point, type, value: Math.abs(Math.round(point.value as number)) % 90 })),
    ),
)
const damage = fc.array(
  fc.record({
    at: fc.nat(),
    byte: fc.constantFrom(...Buffer.from('"{}[],: 019-.eE\\aZT\n\u00e9')),
    isInserted: fc.boolean(),
  }),
  { maxLength: 2 },
)

test('any lists, written in any way and damaged anywhere, are read as by the usual way', () => {
  let runs = 0
  fc.assert(
    fc.property(
      fc.array(someList, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...WRITERS),
      damage,
      (lists, write, wounds) => {
        let bytes = bytesOf(lists as Point[][], write)
        for (const { at, byte, isInserted } of wounds) {
          const place = at % bytes.length
          bytes = Buffer.concat([
            bytes.subarray(0, place),
            Buffer.from([byte]),
            bytes.subarray(place + (isInserted ? 0 : 1)),
          ])
        }
        expectSame(bytes)
        if (wounds.length === 0 && hasRun(bytes)) runs++
      },
    ),
    { numRuns: 2000 },
  )
  expect(runs).toBeGreaterThan(50)
})
