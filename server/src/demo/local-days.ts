// Days as the clock on someone's wall has them.

const DAY_SECONDS = 86_400
/** About midnight in the east of America, and earlier elsewhere: clocks change there two hours after midnight. */
const NIGHT_SECONDS = 4.5 * 3600

export interface LocalDay {
  /** Days since 1970. */
  number: number
  /** Midnight, in seconds since 1970. */
  start: number
  /** 23 or 25 hours when the clocks change. */
  seconds: number
}

export class LocalDays {
  readonly #format: Intl.DateTimeFormat
  readonly #starts = new Map<number, number>()

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  }

  day(number: number): LocalDay {
    const start = this.#start(number)
    return { number, start, seconds: this.#start(number + 1) - start }
  }

  #start(number: number): number {
    let start = this.#starts.get(number)
    if (start === undefined) {
      start = number * DAY_SECONDS - this.#ahead(number * DAY_SECONDS + NIGHT_SECONDS)
      this.#starts.set(number, start)
    }
    return start
  }

  /** Seconds that the zone is ahead of UTC. */
  #ahead(seconds: number): number {
    const printed = this.#format.format(seconds * 1000)
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)$/.exec(printed) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60)
  }
}

const twoDigits = (value: number) => String(value).padStart(2, '0')
const MINUTES = Array.from({ length: 1440 }, (_, at) => `${twoDigits(Math.floor(at / 60))}:${twoDigits(at % 60)}`)
const SECONDS = Array.from({ length: 60 }, (_, at) => twoDigits(at))
const dates = new Map<number, string>()

/** Seconds since 1970 as the interface writes a moment. */
export function momentText(seconds: number): string {
  const day = Math.floor(seconds / DAY_SECONDS)
  let date = dates.get(day)
  if (date === undefined) {
    date = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10)
    dates.set(day, date)
  }
  const clock = seconds - day * DAY_SECONDS
  return `${date} ${MINUTES[Math.floor(clock / 60)]}:${SECONDS[clock % 60]}`
}
