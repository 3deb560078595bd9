import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Points } from './points.ts'
import { fromSegment, type StoredSegment, toSegment } from './segments.ts'

const pointsOf = (steps: number[], columns: number[][]): Points => {
  let time = 1_700_000_000
  return { times: [time, ...steps.map((step) => (time += step))], columns, texts: [], tags: null, offsets: null }
}
const segmentOf = (points: Points) =>
  toSegment(
    points,
    0,
    points.times.length,
    points.columns.map(() => false),
    points.columns.map((_, column) => column),
  )

test.each([
  ['the same between all', [60, 60, 60], [60]],
  ['of two points', [60], [60]],
  ['of one point', [], [0]],
  ['one of which is another', [60, 60, 61], [0, 60, 60, 61]],
  ['the first of which is another', [59, 60, 60], [0, 59, 60, 60]],
])('steps %s', (_, steps, expected) => {
  const points = pointsOf(steps, [[1, ...steps]])
  expect(segmentOf(points).steps).toEqual(expected)
})

test.each([
  ['32767', [0, 32_767], true],
  ['32768', [0, 32_768], false],
  ['-32768', [0, -32_768], true],
  ['-32769', [0, -32_769], false],
  ['a fraction', [0, 0.5], false],
  ['no value', [0, Number.NaN], false],
])('%s is a small whole number or not', (_, values, isSmall) => {
  const { wholes, numbers } = segmentOf(pointsOf([60], [values]))
  expect(wholes).toEqual(isSmall ? values : null)
  expect(numbers).toEqual(isSmall ? null : values)
})

const value = fc.oneof(
  fc.integer({ min: -40_000, max: 40_000 }),
  fc.constantFrom(32_767, 32_768, -32_768, -32_769, 0.5, Number.NaN),
)
const step = fc.oneof({ weight: 8, arbitrary: fc.constant(60) }, fc.integer({ min: 1, max: 2 ** 31 - 1 }))
const anyPoints = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 3 }))
  .chain(([count, width]) =>
    fc
      .tuple(
        fc.array(step, { minLength: count - 1, maxLength: count - 1 }),
        fc.array(fc.array(value, { minLength: count, maxLength: count }), { minLength: width, maxLength: width }),
      )
      .map(([steps, columns]) => pointsOf(steps, columns)),
  )

test('what a segment was made of comes out of it again', () => {
  fc.assert(
    fc.property(anyPoints, (points) => {
      expect(fromSegment(segmentOf(points))).toEqual(points)
    }),
  )
})

test('so it does of one with every step and every number written out', () => {
  fc.assert(
    fc.property(anyPoints, (points) => {
      const { times, columns } = points
      const steps = times.map((time, at) => (at === 0 ? 0 : time - (times[at - 1] as number)))
      const whole: StoredSegment = { ...segmentOf(points), steps, wholes: null, numbers: columns.flat() }
      expect(fromSegment(whole)).toEqual(points)
    }),
  )
})
