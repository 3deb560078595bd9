import { describe, expect, test } from 'vitest'
import { readSeries } from '../features/metrics/point-reader.ts'
import { LocalDays, momentText } from './local-days.ts'
import { type Monitored, type Monitoring, monitoredPatients, type Point, readings } from './metrics.ts'

const CLINIC: Monitoring = {
  seed: 1,
  until: new Date('2026-08-01T00:00:00Z'),
  patients: 1000,
  monitored: 0.2,
  monitoredPatients: 200,
}
const everyone = [...monitoredPatients(CLINIC)]
const allOf = (one: Monitored, days: number, clinic: Monitoring = CLINIC): Point[] =>
  [...readings(clinic, one, days)].flat()
const treatedWith = (source: RegExp) => everyone.filter(({ devices }) => devices.some((one) => source.test(one.source)))
const values = (points: Point[], type: string, field = 'value') =>
  points.filter((point) => point.type === type).map((point) => point[field] as number)
const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

describe('who is monitored', () => {
  test('is a share of the patients, and those who can sign in', () => {
    expect(everyone.length).toBeGreaterThan(130)
    expect(everyone.length).toBeLessThanOrEqual(200)
    expect(everyone.slice(0, 3).map(({ index }) => index)).toEqual([0, 1, 2])
    expect(everyone.some(({ patient }) => patient.state === 'archived')).toBe(false)
  })

  test('is limited in number, or nobody', () => {
    const few = [...monitoredPatients({ ...CLINIC, patients: 200_000, monitoredPatients: 10 })]
    expect(few.map(({ index }) => index)).toEqual(everyone.slice(0, 10).map(({ index }) => index))
    expect([...monitoredPatients({ ...CLINIC, monitored: 0 })]).toEqual([])
  })
})

describe('readings', () => {
  test('are those the interface takes, each time of a series once, and none outside of the time asked for', () => {
    const begin = momentText(CLINIC.until.getTime() / 1000 - 40 * 86_400)
    for (const one of everyone.slice(0, 20)) {
      const points = allOf(one, 40)
      if (points.length === 0) continue
      const item = { individualId: one.patient.individualId, type: points[0]?.type as string, data: points }
      const { series, faults } = readSeries([item], 'demo')
      expect(faults).toEqual([])
      for (const { points: some } of series) expect(new Set(some.times).size).toBe(some.times.length)
      const times = points.map(({ time }) => time)
      expect(times.every((time) => time >= begin && time < '2026-08-01 00:00:00')).toBe(true)
    }
  })

  test('are the same again, in a longer history and on a later day', () => {
    const later: Monitoring = { ...CLINIC, until: new Date('2026-08-04T00:00:00Z') }
    const afterwards = new Map([...monitoredPatients(later)].map((one) => [one.index, one]))
    const recent = everyone.filter(({ patient }) => patient.createdAt < new Date('2026-05-01')).slice(0, 8)
    for (const one of recent) {
      const short = allOf(one, 10)
      expect(allOf(one, 10)).toEqual(short)
      const long = new Set(allOf(one, 30).map((point) => JSON.stringify(point)))
      const next = new Set(
        allOf(afterwards.get(one.index) as Monitored, 13, later).map((point) => JSON.stringify(point)),
      )
      const missing = short
        .map((point) => JSON.stringify(point))
        .filter((point) => !long.has(point) || !next.has(point))
      expect(missing).toEqual([])
    }
  })

  test('do not begin before the patient came', () => {
    const late = everyone.filter(({ patient }) => patient.createdAt > new Date('2026-06-01'))
    expect(late.length).toBeGreaterThan(0)
    for (const one of late) {
      const came = momentText(one.patient.createdAt.getTime() / 1000)
      expect(allOf(one, 90).every(({ time }) => time >= came)).toBe(true)
    }
  })

  test('go by what people are treated for', () => {
    // Without what is measured all day, which is most of it.
    const sparse = everyone.map((one) => {
      const devices = one.devices.filter(({ source }) => !/Watch|Fitbit Charge|Garmin|Dexcom|Libre/.test(source))
      return allOf({ ...one, devices }, 60)
    })
    expect([...new Set(sparse.flat().map(({ type }) => type))].sort()).toEqual([
      'BloodGlucose',
      'BloodPressure',
      'BodyMass',
      'FeelingRating',
      'Medication',
      'OxygenSaturation',
      'Pulse',
      'Steps',
    ])
    const taking = (name: string) => sparse.filter((points) => points.some((point) => point.name === name))
    expect(taking('Metformin').length).toBeGreaterThan(10)
    for (const points of taking('Metformin')) expect(values(points, 'BloodGlucose').length).toBeGreaterThan(5)
    expect(taking('Furosemide').length).toBeGreaterThan(3)
    for (const points of taking('Furosemide')) expect(values(points, 'BodyMass').length).toBeGreaterThan(5)
    const pressure = (some: Point[][]) => mean(values(some.flat(), 'BloodPressure', 'systolic'))
    const treated = new Set(taking('Lisinopril'))
    const others = sparse.filter((points) => !treated.has(points))
    expect(pressure([...treated]) - pressure(others)).toBeGreaterThan(12)
  })

  test('of a watch follow the day, and some have two sources of the same', () => {
    const worn = treatedWith(/Watch|Fitbit Charge|Garmin/)
    const points = worn.slice(0, 10).flatMap((one) => {
      const start = new LocalDays(one.patient.tz ?? 'America/New_York').day(0).start
      return allOf(one, 14)
        .filter(({ type, source }) => type === 'Pulse' && /Watch|Fitbit|Garmin/.test(source))
        .map(({ time, value }) => ({
          hour: Math.floor((((Date.parse(`${time.replace(' ', 'T')}Z`) / 1000 - start) / 3600) % 24) + 24) % 24,
          value: value as number,
        }))
    })
    expect(points.length).toBeGreaterThan(50_000)
    const at = (from: number, to: number) =>
      mean(points.filter(({ hour }) => hour >= from && hour < to).map(({ value }) => value))
    expect(at(14, 18) - at(2, 5)).toBeGreaterThan(6)
    const sources = everyone.map(
      (one) =>
        new Set(
          allOf(one, 5)
            .filter(({ type }) => type === 'Pulse')
            .map(({ source }) => source),
        ),
    )
    expect(sources.filter(({ size }) => size > 1).length).toBeGreaterThan(10)
  })
})

test('a day of a change of clocks has 23 or 25 hours', () => {
  const days = new LocalDays('America/New_York')
  const number = (date: string) => Date.parse(date) / 86_400_000
  expect(days.day(number('2026-03-08'))).toMatchObject({
    start: Date.parse('2026-03-08T05:00Z') / 1000,
    seconds: 23 * 3600,
  })
  expect(days.day(number('2026-11-01'))).toMatchObject({
    start: Date.parse('2026-11-01T04:00Z') / 1000,
    seconds: 25 * 3600,
  })
  expect(days.day(number('2026-11-02'))).toMatchObject({
    start: Date.parse('2026-11-02T05:00Z') / 1000,
    seconds: 24 * 3600,
  })
})
