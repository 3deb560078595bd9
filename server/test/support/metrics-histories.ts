// Random histories of metrics, as data: what is pushed depends on what a model holds when the step is taken.

import fc from 'fast-check'
import { type Item, type MetricsModel, printLocal, printTime, type Said, type Series } from './metrics-model.ts'

const TYPES = [
  'Pulse',
  'Steps',
  'BodyMass',
  'BloodGlucose',
  'BloodPressure',
  'DailyActivity',
  'Medication',
  'PotassiumLevel',
  'Auscultation',
] as const
/** The first stands for points that name none. */
const SOURCES = ['api', 'Watch', 'watch', 'Pumpe é'] as const
const TAGS = ['before breakfast', 'a "quoted" {tag}', '🙂']
const OFFSETS = [0, 330, -300, 765, -30]
/** Changes of clocks, the day that Apia left out, ends of weeks, months and years. */
const MOMENTS = [
  '2024-03-10T06:00:00Z',
  '2024-11-03T05:00:00Z',
  '2024-04-06T14:00:00Z',
  '2024-10-05T15:00:00Z',
  '2011-12-29T20:00:00Z',
  '2024-12-31T12:00:00Z',
  '1969-12-31T23:00:00Z',
].map((moment) => Date.parse(moment) / 1000)

const at = <T>(all: readonly T[], index: number): T => all[index % all.length] as T

/** Numbers that look random and are the same for the same seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed | 0
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}
type Dice = ReturnType<typeof dice>

const FIELDS: Record<(typeof TYPES)[number], (roll: Dice) => Record<string, string | number | boolean>> = {
  Pulse: (roll) => ({ value: 60 + roll(4) }),
  Steps: (roll) => ({ value: roll(1000) }),
  BodyMass: (roll) => ({ value: 70 + roll(50) / 10 }),
  BloodGlucose: (roll) => ({
    value: 90 + roll(8) / 4,
    ...(roll(2) ? { context: at(['FASTING', 'BEDTIME'], roll(2)) } : {}),
  }),
  BloodPressure: (roll) => ({ systolic: 110 + roll(5), diastolic: 70 + roll(5) }),
  DailyActivity: (roll) => ({
    ...(roll(3) ? { steps: roll(5000) } : { calories: roll(900) }),
    ...(roll(2) ? { distance: roll(400) / 4 } : {}),
    ...(roll(4) ? {} : { active_high: roll(60) }),
  }),
  Medication: (roll) => ({
    name: at(['Aspirin', 'Ibuprofén "forte"', 'Ω\\3'], roll(3)),
    ...(roll(2) ? { value: roll(9) / 2, unit: at(['mg', 'Aspirin'], roll(2)) } : {}),
    ...(roll(3)
      ? {}
      : { code: at(['0198C5A0-7d2c-7a31-9c55-3f6f0f1b2c3d', '0198c5a0-7d2c-7a31-9c55-3f6f0f1b2c3e'], roll(2)) }),
  }),
  PotassiumLevel: (roll) => ({ state: at(['LOW', 'NORMAL', 'HIGH'], roll(3)) }),
  Auscultation: (roll) => ({
    ...(roll(2) ? { sound: at(['clear', 'crackles 🙂'], roll(2)), 'left-side': roll(2) === 0 } : {}),
    grade: roll(6) / 2,
  }),
}

interface Part {
  who: number
  type: number
  source: number
  where: 'end' | 'inside' | 'before' | 'moment' | 'again'
  /** Picks the place among those that are possible. */
  place: number
  count: number
  spacing: number
  order: 'ascending' | 'descending' | 'shuffled'
  /** Every so many points come twice, with the same values or with others. */
  twice: number
  /** Of points that are sent again, every so many say something else. */
  changed: number
  /** How rich points are: tags, offsets. */
  extras: number
  seed: number
}

const counts = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 3 }) },
  { weight: 3, arbitrary: fc.integer({ min: 4, max: 40 }) },
  { weight: 2, arbitrary: fc.integer({ min: 41, max: 300 }) },
)

const part: fc.Arbitrary<Part> = fc.record({
  who: fc.nat(1),
  type: fc.nat(TYPES.length - 1),
  source: fc.constantFrom(0, 0, 1, 1, 1, 2, 3),
  where: fc.constantFrom('end', 'end', 'inside', 'inside', 'before', 'moment', 'again', 'again'),
  place: fc.nat(),
  count: counts,
  spacing: fc.constantFrom(1, 1, 7, 60, 60, 300, 900, 3600, 30_000, 200_000),
  order: fc.constantFrom('ascending', 'ascending', 'ascending', 'descending', 'shuffled'),
  twice: fc.constantFrom(0, 0, 0, 2, 5),
  changed: fc.constantFrom(0, 0, 1, 2, 9),
  extras: fc.constantFrom(0, 0, 0, 1, 2, 3),
  seed: fc.integer(),
})
/** Histories of one series grow long, those of several grow wide. */
const push = fc.record({
  kind: fc.constant('push' as const),
  parts: fc.array(part, { minLength: 1, maxLength: 3 }),
  narrow: fc.integer({ min: 0, max: 3 }),
  /** Compactions that run meanwhile. */
  compactions: fc.constantFrom(0, 0, 1, 2),
})
export type Push = typeof push extends fc.Arbitrary<infer T> ? T : never

const timesOf = (series: Series | undefined) => (series ? [...series.points.keys()].sort((a, b) => a - b) : [])

export function bodyOf(model: MetricsModel, individualIds: string[], { parts, narrow }: Push): Item[] {
  return parts.map((one) => {
    const individualId = at(individualIds, one.who)
    const type = at(TYPES, narrow > 0 ? one.type % narrow : one.type)
    const source = at(SOURCES, one.source)
    const series = model.series.find(
      (some) => some.individualId === individualId && some.type === type && some.source === source,
    )
    const data = pointsOf(one, type, series)
    // Both places where a source can be named.
    const isNamedByPoints = one.seed % 2 === 0
    if (source !== SOURCES[0] && isNamedByPoints) for (const point of data) point.source = source
    return { individualId, type, ...(source === SOURCES[0] || isNamedByPoints ? {} : { source }), data }
  })
}

function pointsOf(chosen: Part, type: (typeof TYPES)[number], series: Series | undefined): Record<string, unknown>[] {
  const { where, place, count, spacing, order, twice, changed, extras, seed } = chosen
  const roll = dice(seed)
  const times = timesOf(series)
  // Long texts would make a body too long.
  const most = Math.min(count, type === 'Medication' || type === 'Auscultation' ? 150 : 300)
  const fresh = (time: number) => pointOf(type, time, FIELDS[type](roll), extras, roll)
  let points: Record<string, unknown>[]
  if (where === 'again' && series) {
    const first = place % times.length
    points = times
      .slice(first, first + most)
      .map((time, index) =>
        changed > 0 && index % changed === 0 ? fresh(time) : againOf(type, time, series.points.get(time) as Said),
      )
  } else {
    const start = startOf(where, times, place, most * spacing)
    points = Array.from({ length: most }, (_, index) => fresh(start + index * spacing))
  }
  if (twice > 0)
    points = points.flatMap((point, index) =>
      index % twice > 0
        ? [point]
        : [
            point,
            roll(2) ? { ...point } : { type, time: point.time, ...FIELDS[type](roll) },
            ...(roll(3) ? [] : [point]),
          ],
    )
  if (order === 'descending') return points.reverse()
  if (order === 'shuffled')
    return points
      .map((point) => ({ point, key: roll(1e9) }))
      .sort((a, b) => a.key - b.key)
      .map(({ point }) => point)
  return points
}

function startOf(where: Part['where'], times: number[], place: number, length: number): number {
  const [first, last] = [times[0], times.at(-1)]
  const isFar = place % 5 === 0
  if (first === undefined || last === undefined || where === 'moment') return at(MOMENTS, place) + (place % 97) * 60
  if (where === 'end') return last + 1 + (isFar ? 86_400 : 0) + (place % 600)
  if (where === 'before') return first - length - (isFar ? 86_400 : 0) - (place % 600)
  return at(times, place) - (place % 3) * Math.floor(length / 2) + (place % 7)
}

function pointOf(type: string, time: number, fields: object, extras: number, roll: Dice): Record<string, unknown> {
  const offset = extras > 1 && roll(2) ? at(OFFSETS, roll(5)) : null
  return {
    type,
    time:
      offset === null
        ? printTime(time)
        : offset === 0
          ? `${printTime(time).replace(' ', 'T')}.75Z`
          : printLocal(time, offset),
    ...fields,
    ...(extras % 2 === 1 && roll(3) === 0 ? { tags: at(TAGS, roll(3)) } : {}),
  }
}

function againOf(type: string, time: number, { fields, tag, offset }: Said): Record<string, unknown> {
  const printed = offset === null ? printTime(time) : printLocal(time, offset)
  return { type, time: printed, ...fields, ...(tag === null ? {} : { tags: tag }) }
}

export interface Range {
  series: number
  begin: number | null
  end: number | null
  jitter: number
  sources: number[] | null
}
const range = {
  series: fc.nat(),
  begin: fc.option(fc.nat()),
  end: fc.option(fc.nat()),
  jitter: fc.integer({ min: -2, max: 2 }),
  sources: fc.option(fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }), { freq: 3 }),
}

const read = fc.record({
  kind: fc.constant('read' as const),
  ...range,
  limit: fc.constantFrom(undefined, undefined, 1, 3, 17, 250, 1000),
  offset: fc.oneof(fc.constant(0), fc.nat(40), fc.nat(600)),
  descending: fc.boolean(),
  includeDeleted: fc.constantFrom(false, false, true),
  /** A compaction runs meanwhile. */
  compacts: fc.boolean(),
})
const summarize = fc.record({
  kind: fc.constant('summarize' as const),
  ...range,
  period: fc.constantFrom('hour', 'day', 'week', 'month'),
  timezone: fc.constantFrom(
    'UTC',
    'America/New_York',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Pacific/Apia',
  ),
})
const compact = fc.record({ kind: fc.constant('compact' as const), series: fc.nat() })
const erase = fc.record({ kind: fc.constant('erase' as const), who: fc.nat(1) })

export type Step =
  | Push
  | (typeof read extends fc.Arbitrary<infer T> ? T : never)
  | (typeof summarize extends fc.Arbitrary<infer T> ? T : never)
  | (typeof compact extends fc.Arbitrary<infer T> ? T : never)
  | (typeof erase extends fc.Arbitrary<infer T> ? T : never)

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof<fc.WeightedArbitrary<Step>[]>(
    { weight: 10, arbitrary: push },
    { weight: 8, arbitrary: read },
    { weight: 5, arbitrary: summarize },
    { weight: 4, arbitrary: compact },
    { weight: 1, arbitrary: fc.oneof({ weight: 4, arbitrary: compact }, { weight: 1, arbitrary: erase }) },
  ),
  { minLength: 15, maxLength: 50, size: 'max' },
)

/** Everything into one series, which grows over the length of a segment. */
const deepened = (step: Step): Step =>
  step.kind === 'push'
    ? { ...step, narrow: 1, parts: step.parts.map((one) => ({ ...one, who: 0, source: 1, count: one.count * 3 })) }
    : step

export const history: fc.Arbitrary<Step[]> = fc
  .tuple(steps, fc.integer({ min: 0, max: 3 }))
  .map(([all, kind]) => (kind === 0 ? all.map(deepened) : all))

/** The part of a series that a question is about. */
export function selectionOf(model: MetricsModel, individualIds: string[], asked: Range) {
  const all = model.series
  const series =
    all.length > 0 ? at(all, asked.series) : { individualId: at(individualIds, 0), type: 'Pulse', points: new Map() }
  const times = timesOf(series as Series)
  const timeAt = (place: number | null) =>
    place === null || times.length === 0 ? undefined : at(times, place) + asked.jitter
  return {
    individualId: series.individualId,
    type: series.type as (typeof TYPES)[number],
    from: timeAt(asked.begin),
    to: timeAt(asked.end),
    source: asked.sources?.map((place) => at(SOURCES, place)),
  }
}
