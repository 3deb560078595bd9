// A device: it measures, sends in bursts, is offline for a while, sends the last day again, and repeats what was lost.

import { setTimeout as pause } from 'node:timers/promises'
import { type Almoner, AlmonerError } from '../index.ts'
import { type DeviceKind, type Measured, Sensor } from './device-kinds.ts'
import type { Figures } from './simulation-figures.ts'

/** The time that devices measure in, faster than ours. */
export interface Clock {
  /** Seconds since 1970, never beyond the end of the measuring. */
  now(): number
  isOver(): boolean
  /** Until so many minutes of that time have passed, or until the end. */
  wait(minutes: number): Promise<void>
}

export interface DeviceSettings {
  almoner: Almoner
  individualId: string
  kind: DeviceKind
  source: string
  clock: Clock
  figures: Figures
  /** Whether everything is remembered, to be looked for afterwards. */
  isSampled: boolean
  /** Within which time after the end the last burst is sent. */
  lastBurstMs: number
}

const DAY = 1440
const CHANCES = { dayLateAtFirst: 0.1, offline: 0.03, resend: 0.05 }
/** Well below what a request may hold. */
const MOST_POINTS = 1000
const TRIES = 8
const RETRY_MS = { first: 100, longest: 5000 }

export class SimulatedDevice {
  readonly settings: DeviceSettings
  readonly #sensor: Sensor
  #unsent: Measured[] = []
  /** What the service took. */
  taken: Measured[] = []

  constructor(settings: DeviceSettings) {
    this.settings = settings
    const { kind, clock } = settings
    const late = Math.random() < CHANCES.dayLateAtFirst ? DAY * 60 : 0
    this.#sensor = new Sensor(kind, clock.now() - late)
  }

  /** Points that were measured and never taken. */
  get left(): number {
    return this.#unsent.length
  }

  async run(): Promise<void> {
    const { clock, kind } = this.settings
    const [least, most] = kind.bursts
    await clock.wait(Math.random() * most)
    while (!clock.isOver()) {
      this.#measure()
      await this.#send()
      if (Math.random() < CHANCES.resend) await this.#resendLastDay()
      await clock.wait(Math.random() < CHANCES.offline ? DAY : least + Math.random() * (most - least))
    }
    await pause(Math.random() * this.settings.lastBurstMs)
    this.#measure()
    await this.#send()
  }

  #measure(): void {
    const { clock, figures } = this.settings
    const points = this.#sensor.until(clock.now())
    figures.measured += points.length
    this.#unsent.push(...points)
  }

  async #send(): Promise<void> {
    const { isSampled, figures } = this.settings
    const waiting = this.#unsent
    this.#unsent = []
    for (let from = 0; from < waiting.length; from += MOST_POINTS) {
      const some = waiting.slice(from, from + MOST_POINTS)
      const became = await this.#push(some)
      if (became === 'taken') {
        figures.taken += some.length
        this.taken.push(...some)
      } else if (became === 'not reached') this.#unsent.push(...some)
    }
    if (!isSampled) this.taken = this.#lastDay()
  }

  async #resendLastDay(): Promise<void> {
    const day = this.#lastDay()
    for (let from = 0; from < day.length; from += MOST_POINTS) {
      const some = day.slice(from, from + MOST_POINTS)
      if ((await this.#push(some)) === 'taken') this.settings.figures.resent += some.length
    }
  }

  #lastDay(): Measured[] {
    const since = new Date((this.settings.clock.now() - DAY * 60) * 1000).toISOString().replace('T', ' ')
    return this.taken.filter(({ time }) => time >= since)
  }

  /** With one key for as long as it takes: a request whose answer was lost is not carried out twice. */
  async #push(data: Measured[]): Promise<'taken' | 'refused' | 'not reached'> {
    const { almoner, individualId, source, figures } = this.settings
    const [first] = data
    if (!first) return 'taken'
    const idempotencyKey = crypto.randomUUID()
    const body = [{ individualId, type: first.type, source, data }]
    for (let attempt = 0, wait = RETRY_MS.first; attempt < TRIES; attempt++) {
      try {
        for (const line of await almoner.pushTimeseries({ body }, { idempotencyKey })) figures.answered(line)
        return 'taken'
      } catch (error) {
        figures.failed(error)
        if (!isPassing(error)) return 'refused'
        await pause(wait * (0.5 + Math.random()))
        wait = Math.min(wait * 2, RETRY_MS.longest)
      }
    }
    return 'not reached'
  }
}

/** Whether it may go better another time. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof AlmonerError) || error.status >= 500 || error.status === 429 || error.code === 'RequestInProgress'
