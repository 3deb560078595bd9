// A patient with readings of many kinds, pushed as devices push them.

import { type Clinic, printed } from '../../../server/test/metrics/clinic.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
/** Fewer than what a request takes. */
const AT_ONCE = 1500

type Point = Record<string, unknown>

export async function pushAll({ admin }: Clinic, individualId: string, source: string, points: Point[]): Promise<void> {
  for (let start = 0; start < points.length; start += AT_ONCE) {
    const data = points.slice(start, start + AT_ONCE)
    await admin.almoner.pushTimeseries({ body: [{ individualId, type: String(data[0]?.type), source, data }] })
  }
}

/** A wave between 0 and 1, the same in every run. */
const wave = (place: number, length: number) => (Math.sin((place / length) * 2 * Math.PI) + 1) / 2

const every = (step: number, count: number, of: (time: number, place: number) => Point): Point[] => {
  const now = Math.floor(Date.now() / MINUTE) * MINUTE
  return Array.from({ length: count }, (_, place) => {
    const time = now - (count - place) * step
    return { time: printed(time), ...of(time, place) }
  })
}

export const pulseByMinute = (days: number): Point[] =>
  every(MINUTE, days * 1440, (_, place) => ({
    type: 'Pulse',
    value: Math.round(58 + 22 * wave(place, 1440) + 9 * wave(place, 97) + 6 * wave(place, 13)),
  }))

export async function pushDiary(clinic: Clinic, individualId: string): Promise<void> {
  const pressure = (step: number, count: number, high: number) =>
    every(step, count, (_, place) => ({
      type: 'BloodPressure',
      systolic: Math.round(high + 18 * wave(place, 11) + 10 * wave(place, 60)),
      diastolic: Math.round(high - 48 + 10 * wave(place, 9) + 6 * wave(place, 60)),
    }))
  await pushAll(clinic, individualId, 'cuff 17', pressure(12 * HOUR, 80, 116))
  await pushAll(clinic, individualId, 'clinic', pressure(9 * DAY, 10, 124))
  const contexts = ['FASTING', 'AFTER_MEAL', 'BEDTIME']
  const glucose = every(8 * HOUR, 90, (_, place) => ({
    type: 'BloodGlucose',
    value: Math.round(86 + 60 * wave(place, 3) + 30 * wave(place, 50)),
    context: contexts[place % 3],
  }))
  await pushAll(clinic, individualId, 'meter', glucose)
  const doses = ['Metformin', 'Lisinopril'].flatMap((name, at) =>
    every(12 * HOUR + at * MINUTE, 40, () => ({ type: 'Medication', name, value: at ? 10 : 500, unit: 'mg' })),
  )
  await pushAll(clinic, individualId, 'diary', doses)
  const states = ['IN_BED', 'ASLEEP', 'AWAKE', 'ASLEEP', 'AWAKE']
  const nights = every(DAY, 20, () => ({})).flatMap(({ time }) =>
    states.map((value, place) => ({
      type: 'SleepAnalysis',
      time: printed(Date.parse(`${String(time).replace(' ', 'T')}Z`) + place * 1.7 * HOUR),
      value,
    })),
  )
  await pushAll(clinic, individualId, 'watch', nights)
  const steps = every(HOUR, 30 * 24, (_, place) => ({ type: 'Steps', value: Math.round(700 * wave(place, 24)) }))
  await pushAll(clinic, individualId, 'watch', steps)
}
