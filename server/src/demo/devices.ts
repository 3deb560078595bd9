// What people measure at home, device by device and day by day. A day's readings come from the person's habits and the
// day itself and from no other day, so that a longer history holds the shorter one unchanged.

import type { Random } from './random.ts'

type Fields = Record<string, number | string>
/** Seconds since midnight by the person's clock; sleep begins before it. */
export type Add = (type: string, second: number, fields: Fields) => void

export interface Device {
  source: string
  /** How many days make a piece that is worth writing by itself. */
  daysAtOnce: number
  day(day: number, random: Random, add: Add): void
}

const [HOUR, MINUTE] = [3600, 60]
/** Longer than any history: written at once. */
const ALL = 100_000

/** From 0 to 1 and back by halves, without corners: a wave that every machine computes alike. */
const bump = (part: number) => {
  const rising = 1 - Math.abs(2 * part - 1)
  return rising * rising * (3 - 2 * rising)
}
const partOf = (value: number, period: number) => value / period - Math.floor(value / period)
const around = (random: Random, second: number, spread: number) => Math.round(second + random.between(-spread, spread))
const tenth = (value: number) => Math.round(value * 10) / 10
const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)

/** How far a treatment has come, from 0 to 1: better for most of a year, then a setback of some weeks. */
export function course(random: Random): (day: number) => number {
  const [period, phase] = [random.between(300, 480), random.between(0, 480)]
  return (day) => {
    const part = partOf(day + phase, period)
    return part < 0.85 ? bump(part / 1.7) : bump((1 - part) / 0.3)
  }
}

/** Pulse by the minute while it is worn, steps by the hour, and the night's sleep. */
export function watch(random: Random, source: string): Device {
  const resting = random.bell(66, 6)
  const [isWornAtNight, isActive] = [random.chance(0.6), random.between(0.1, 0.6)]
  const chargesAt = random.pick([7, 18, 20, 21]) * HOUR
  const walks = random.between(0.4, 1.6)
  return {
    source,
    daysAtOnce: 15,
    day(_, today, add) {
      if (today.chance(0.07)) return
      const rises = around(today, 6.6 * HOUR, 2400)
      const wearing = isWornAtNight ? [0, 24 * HOUR] : [rises + 900, around(today, 22.4 * HOUR, 3000)]
      const charging = around(today, chargesAt, 1800)
      const charged = charging + today.between(40, 110) * MINUTE
      const exercise = today.chance(isActive) ? around(today, today.pick([8, 12, 17.5]) * HOUR, 3600) : Number.NaN
      const exerciseSeconds = today.between(20, 55) * MINUTE
      const effort = today.between(30, 62)
      let drift = 0
      for (let second = 0; second < 24 * HOUR; second += MINUTE) {
        drift = 0.9 * drift + today.between(-2.2, 2.2)
        const isWorn = second >= (wearing[0] as number) && second < (wearing[1] as number)
        if (!isWorn || (second >= charging && second < charged) || today.chance(0.01)) continue
        const daily = 13 * bump(partOf(second - 4 * HOUR, 24 * HOUR)) - 6
        // It rises at once and falls again slowly.
        const since = (second - exercise) / exerciseSeconds
        const strain = since >= 0 && since < 1.3 ? effort * Math.min(since * 8, 1, (1.3 - since) * 3.3) : 0
        add('Pulse', second, { value: Math.round(within(resting + daily + drift + strain, 38, 190)) })
      }
      for (let hour = 6; hour < 23; hour++) {
        const isExercise = hour === Math.floor(exercise / HOUR)
        const value = Math.round(
          walks * today.between(40, 900) * bump((hour - 4) / 20) + (isExercise ? 45 * effort : 0),
        )
        if (value > 0) add('Steps', hour * HOUR, { value })
      }
      if (isWornAtNight) sleep(today, rises, add)
    },
  }
}

function sleep(random: Random, rises: number, add: Add): void {
  let second = around(random, -1.2 * HOUR, 3000)
  add('SleepAnalysis', second, { value: 'IN_BED' })
  second += Math.round(random.between(6, 40) * MINUTE)
  const nights = 1 + random.below(4)
  const each = (rises - second) / nights
  for (let part = 0; part < nights; part++) {
    const begins = Math.round(second + part * each)
    add('SleepAnalysis', begins, { value: 'ASLEEP' })
    if (part < nights - 1)
      add('SleepAnalysis', Math.round(begins + each - random.between(3, 18) * MINUTE), { value: 'AWAKE' })
  }
  add('SleepAnalysis', rises, { value: 'AWAKE' })
}

/** Counts the same steps as a watch, and misses some. */
export function phone(random: Random, source: string): Device {
  const walks = random.between(0.3, 1.2)
  return {
    source,
    daysAtOnce: ALL,
    day(_, today, add) {
      for (let hour = 7; hour < 22; hour++) {
        const value = Math.round(walks * today.between(20, 700) * bump((hour - 5) / 19))
        if (!today.chance(0.15) && value > 0) add('Steps', hour * HOUR, { value })
      }
    },
  }
}

/** In the morning and in the evening. High blood pressure comes down slowly, with spikes. */
export function cuff(random: Random, source: string, isHypertensive: boolean): Device {
  const [systolic, diastolic] = isHypertensive
    ? [random.bell(154, 8), random.bell(94, 5)]
    : [random.bell(121, 7), random.bell(76, 5)]
  const [treated, forgets, resting] = [course(random), random.between(0.03, 0.2), random.bell(70, 6)]
  return {
    source,
    daysAtOnce: ALL,
    day(day, today, add) {
      for (const hour of [7.3, 20]) {
        const second = around(today, hour * HOUR, 2700)
        const better = isHypertensive ? treated(day) : 0
        const spike = today.chance(isHypertensive ? 0.05 : 0.004) ? today.between(20, 42) : 0
        const mood = today.bell(0, 5)
        if (today.chance(forgets)) continue
        const upper = Math.round(within(systolic - 20 * better + spike + mood, 86, 228))
        const lower = Math.round(within(diastolic - 10 * better + spike / 2 + mood / 2 + today.bell(0, 3), 48, 130))
        add('BloodPressure', second, { systolic: upper, diastolic: Math.min(lower, upper - 18) })
        add('Pulse', second, { value: Math.round(within(resting + spike / 4 + today.bell(0, 4), 42, 150)) })
      }
    },
  }
}

const MEALS = [
  { context: 'FASTING', hour: 6.9, above: 0 },
  { context: 'AFTER_MEAL', hour: 9.4, above: 48 },
  { context: 'BEFORE_MEAL', hour: 12.1, above: 8 },
  { context: 'AFTER_MEAL', hour: 19.9, above: 62 },
  { context: 'BEDTIME', hour: 22.3, above: 22 },
]

/** Drops of blood before and after meals. */
export function glucoseMeter(random: Random, source: string): Device {
  const [fasting, treated, forgets] = [random.bell(148, 18), course(random), random.between(0.1, 0.45)]
  return {
    source,
    daysAtOnce: ALL,
    day(day, today, add) {
      for (const { context, hour, above } of MEALS) {
        const second = around(today, hour * HOUR, 1500)
        const usual = fasting - 28 * treated(day) + above * today.between(0.5, 1.5) + today.bell(0, 9)
        const value = Math.round(today.chance(0.008) ? today.between(54, 69) : within(usual, 70, 420))
        if (today.chance(forgets)) continue
        add('BloodGlucose', second, today.chance(0.06) ? { value } : { value, context })
      }
    },
  }
}

/** A value every five minutes: meals rise within an hour and fall within three. */
export function glucoseSensor(random: Random, source: string): Device {
  const [basal, treated] = [random.bell(138, 14), course(random)]
  return {
    source,
    daysAtOnce: 60,
    day(day, today, add) {
      const meals = [7.6, 12.5, 18.7].map((hour) => ({
        at: around(today, hour * HOUR, 2400),
        rise: today.between(30, 105),
      }))
      const isChanged = today.chance(0.1)
      const level = basal - 24 * treated(day)
      let drift = 0
      for (let second = 0; second < 24 * HOUR; second += 5 * MINUTE) {
        drift = 0.92 * drift + today.between(-3, 3)
        const eaten = meals.reduce((sum, { at, rise }) => {
          const hours = (second - at) / HOUR
          if (hours <= 0 || hours >= 4) return sum
          return sum + rise * (hours < 1 ? bump(hours / 2) : bump((hours + 2) / 6))
        }, 0)
        // A new sensor needs two hours before it shows anything.
        if (isChanged && second >= 9 * HOUR && second < 11 * HOUR) continue
        add('BloodGlucose', second, { value: Math.round(within(level + eaten + drift, 48, 390)) })
      }
    },
  }
}

/** Each morning. A failing heart keeps water now and then: three kilograms within a week. */
export function scale(random: Random, source: string, why: 'heart failure' | 'weight management'): Device {
  const [usual, treated] = [random.bell(why === 'heart failure' ? 82 : 101, 12), course(random)]
  const [period, phase, forgets] = [random.between(38, 70), random.between(0, 70), random.between(0.02, 0.15)]
  return {
    source,
    daysAtOnce: ALL,
    day(day, today, add) {
      const part = partOf(day + phase, period)
      const water = why === 'heart failure' && part < 0.3 ? 3 * bump(part / 0.3) : 0
      const lost = why === 'weight management' ? 9 * treated(day) : 0
      const second = around(today, 6.8 * HOUR, 1500)
      const value = tenth(within(usual + water - lost + today.bell(0, 0.3), 38, 220))
      if (!today.chance(forgets)) add('BodyMass', second, { value })
    },
  }
}

/** Oxygen some days, or every day where it matters. */
export function oximeter(random: Random, source: string, isDaily: boolean): Device {
  const [usual, share] = [isDaily ? random.bell(92.5, 1) : random.bell(97, 0.6), isDaily ? 0.93 : 0.4]
  return {
    source,
    daysAtOnce: ALL,
    day(_, today, add) {
      const second = around(today, 8.5 * HOUR, 2400)
      const value = Math.round(within(usual + today.bell(0, 0.8) - (today.chance(0.02) ? 4 : 0), 80, 100))
      if (today.chance(share)) add('OxygenSaturation', second, { value })
    },
  }
}

export interface Prescription {
  name: string
  value: number
  unit: string
  hours: number[]
}

/** What people say themselves: how they feel, and what they have taken. */
export function diary(random: Random, source: string, prescriptions: Prescription[]): Device {
  const [usual, treated] = [random.bell(52, 9), course(random)]
  const [writes, forgets] = [random.between(0.2, 0.8), random.between(0.02, 0.2)]
  return {
    source,
    daysAtOnce: ALL,
    day(day, today, add) {
      const value = 10 * Math.round(within(usual + 24 * treated(day) + today.bell(0, 12), 0, 100) / 10)
      const second = around(today, 19 * HOUR, 5400)
      if (today.chance(writes)) add('FeelingRating', second, { value })
      for (const [place, { name, value, unit, hours }] of prescriptions.entries())
        for (const hour of hours) {
          // A series has one point at a time, so what is taken together is a second apart.
          const taken = MINUTE * Math.floor(around(today, hour * HOUR, 1500) / MINUTE) + place
          if (!today.chance(forgets)) add('Medication', taken, { name, value, unit })
        }
    },
  }
}
