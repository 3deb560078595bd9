// What simulated devices measure. Values wander as a body's do; nobody looks at them but whoever tries a chart.

export interface Measured extends Record<string, string | number> {
  type: string
  /** `YYYY-MM-DD hh:mm:ss` in UTC. */
  time: string
}

interface Measure {
  type: string
  /** Minutes between two. */
  every: number
  fields(level: number): Record<string, string | number>
}

export interface DeviceKind {
  name: string
  /** Minutes between two bursts, least and most. */
  bursts: [least: number, most: number]
  measures: Measure[]
}

const whole = Math.round
const pulse = (level: number) => ({ value: whole(64 + 30 * level) })
const CONTEXTS = ['FASTING', 'BEFORE_MEAL', 'AFTER_MEAL', 'BEDTIME', 'UNSPECIFIED']

const watch: DeviceKind = {
  name: 'watch',
  bursts: [15, 60],
  measures: [
    { type: 'Pulse', every: 1, fields: pulse },
    { type: 'Steps', every: 60, fields: (level) => ({ value: whole(900 * level) }) },
  ],
}
const cuff: DeviceKind = {
  name: 'cuff',
  bursts: [30, 60],
  measures: [
    {
      type: 'BloodPressure',
      every: 60,
      fields: (level) => ({ systolic: whole(112 + 50 * level), diastolic: whole(70 + 28 * level) }),
    },
    { type: 'Pulse', every: 60, fields: pulse },
  ],
}
const meter: DeviceKind = {
  name: 'glucose meter',
  bursts: [60, 120],
  measures: [
    {
      type: 'BloodGlucose',
      every: 90,
      fields: (level) => ({ value: whole(85 + 130 * level), context: CONTEXTS[whole(4 * level)] as string }),
    },
  ],
}
const sensor: DeviceKind = {
  name: 'glucose sensor',
  bursts: [30, 120],
  measures: [{ type: 'BloodGlucose', every: 5, fields: (level) => ({ value: whole(80 + 140 * level) }) }],
}
const scale: DeviceKind = {
  name: 'scale',
  bursts: [60, 180],
  measures: [{ type: 'BodyMass', every: 360, fields: (level) => ({ value: whole(800 + 40 * level) / 10 }) }],
}
const oximeter: DeviceKind = {
  name: 'oximeter',
  bursts: [30, 90],
  measures: [{ type: 'OxygenSaturation', every: 30, fields: (level) => ({ value: whole(93 + 6 * level) }) }],
}

/** In the order in which devices are made, over and over. */
const IN_TURN = [watch, cuff, watch, meter, watch, sensor, cuff, watch, scale, oximeter]
export const kindOf = (index: number): DeviceKind => IN_TURN[index % IN_TURN.length] as DeviceKind

/** Measures one after the other, from a moment on. */
export class Sensor {
  readonly #kind: DeviceKind
  readonly #next: number[]
  #level = 0.5

  /** Seconds since 1970. */
  constructor(kind: DeviceKind, from: number) {
    this.#kind = kind
    // Whole minutes, and not all devices at the same.
    const begin = Math.ceil(from / 60) * 60
    const shift = Math.random()
    this.#next = kind.measures.map(({ every }) => begin + Math.floor(shift * every) * 60)
  }

  /** All that was measured before a moment and after the last time it was asked. */
  until(moment: number): Measured[] {
    const points: Measured[] = []
    for (const [place, { type, every, fields }] of this.#kind.measures.entries()) {
      let at = this.#next[place] as number
      for (; at < moment; at += every * 60) {
        this.#level = Math.min(Math.max(this.#level + (Math.random() - 0.5) / 10, 0), 1)
        points.push({ type, time: momentText(at), ...fields(this.#level) })
      }
      this.#next[place] = at
    }
    return points
  }
}

const momentText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
