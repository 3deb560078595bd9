// What has a name and no number, in lanes: medication, sleep, states. One lane for each name.

import type { MetricType } from '../metric-types.ts'
import type { Reading } from './tiles.ts'
import { type Look, lookOf } from './traces.ts'

interface LaneMark {
  from: number
  /** A state lasts; what happened at a moment has none. */
  to?: number
  source: string
  look: Look
  text: string
}

export interface Lane {
  name: string
  marks: LaneMark[]
}

/** A state lasts until the next, but no longer than that: the last of a night is followed by the next evening. */
const LONGEST: Record<string, Record<string, number>> = {
  SleepAnalysis: { IN_BED: 12 * 3600, ASLEEP: 12 * 3600, AWAKE: 3600 },
}
/** More lanes than that would be a wall. */
const MOST_LANES = 8

export function lanesOf(
  type: MetricType,
  readings: Reading[],
  sources: readonly string[],
  nameOf: (value: string) => string,
): Lane[] {
  const lanes = new Map<string, LaneMark[]>()
  const field =
    type.fields.find(({ kind }) => kind === 'enumeration') ?? type.fields.find(({ kind }) => kind === 'text')
  // Lanes of an enumeration stand in its own order, also those that nothing is in.
  for (const value of field?.values ?? []) lanes.set(nameOf(value), [])
  for (const [source, some] of Map.groupBy(readings, (one) => one.source)) {
    const look = lookOf(sources, source)
    for (const [place, { time, values }] of some.entries()) {
      const name = laneName(type, field?.name, values, nameOf)
      const longest = LONGEST[type.name]?.[String(values.value)]
      const to = longest && Math.min(some[place + 1]?.time ?? Infinity, time + longest)
      const mark: LaneMark = { from: time, source, look, text: textOf(values) || name, ...(to ? { to } : {}) }
      const lane = lanes.get(name)
      if (lane) lane.push(mark)
      else lanes.set(name, [mark])
    }
  }
  // Of several sources, in one order.
  return [...lanes]
    .slice(0, MOST_LANES)
    .map(([name, marks]) => ({ name, marks: marks.sort((one, other) => one.from - other.from) }))
}

function laneName(
  type: MetricType,
  field: string | undefined,
  values: Record<string, unknown>,
  nameOf: (value: string) => string,
): string {
  const value = field === undefined ? undefined : values[field]
  if (typeof value !== 'string') return nameOf(type.name)
  return type.fields.find(({ name }) => name === field)?.kind === 'enumeration' ? nameOf(value) : value
}

/** What else it says: how much of a medication, or the fields of a type that takes any. */
function textOf(values: Record<string, unknown>): string {
  const { name, value, unit, code: _, tags: _tags, 'utc-offset': _offset, ...rest } = values
  if (typeof name === 'string') return [name, value, unit].filter((one) => one !== undefined).join(' ')
  const others = Object.entries(rest).filter(([, one]) => typeof one !== 'object')
  return others.length > 1 ? others.map(([key, one]) => `${key}: ${one}`).join(', ') : ''
}
