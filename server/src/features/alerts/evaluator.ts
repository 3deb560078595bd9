// What a rule makes of readings, one after the other. Pure: the same for what is pushed now and for a dry run.

/** What a rule fires on, in seconds. */
export type Terms =
  | {
      kind: 'watermark'
      direction: 'above' | 'below'
      threshold: number
      /** Back at this, or on its other side, the value is back. */
      clearThreshold: number
    }
  | { kind: 'range'; from: number; to: number; period: number }

/** Where a rule stands with a series. */
export interface Run {
  /** Since when every reading lies inside the range, or beyond the threshold. */
  since: number | null
  fired: boolean
}

export interface Change {
  kind: 'fire' | 'clear'
  time: number
  value: number
}

interface Readings {
  times: number[]
  values: number[]
  /** Those that came after all that were looked at before: from here to before there. */
  start: number
  end: number
}

interface Window {
  /** Readings before this do not count at all. */
  effectiveFrom: number
  /** Readings before this fire and clear nothing: they came too late. */
  oldest: number
}

export const NO_RUN: Run = { since: null, fired: false }

/** In the order of the readings' own times. */
export function evaluate(terms: Terms, run: Run, readings: Readings, window: Window): { run: Run; changes: Change[] } {
  const { times, values, start, end } = readings
  const { effectiveFrom, oldest } = window
  const changes: Change[] = []
  let { since, fired } = run
  for (let at = start; at < end; at++) {
    const [time, value] = [times[at] as number, values[at] as number]
    if (Number.isNaN(value) || time < effectiveFrom) continue
    if (terms.kind === 'watermark') {
      if (time < oldest) continue
      if (!fired && isBeyond(terms, value)) {
        fired = true
        since = time
        changes.push({ kind: 'fire', time, value })
      } else if (fired && isBack(terms, value)) {
        fired = false
        since = null
        changes.push({ kind: 'clear', time, value })
      }
    } else if (value >= terms.from && value < terms.to) {
      since ??= time
      if (fired || time < oldest || time - since < terms.period) continue
      fired = true
      changes.push({ kind: 'fire', time, value })
    } else {
      since = null
      if (!fired || time < oldest) continue
      fired = false
      changes.push({ kind: 'clear', time, value })
    }
  }
  return { run: { since, fired }, changes }
}

/** Of the same moment what fires is first: who is beyond by one source or another has one alert all the time. */
export const inOrder = <Some extends Change>(changes: Some[]): Some[] =>
  changes.toSorted((a, b) => a.time - b.time || Number(b.kind === 'fire') - Number(a.kind === 'fire'))

type Watermark = Extract<Terms, { kind: 'watermark' }>

const isBeyond = ({ direction, threshold }: Watermark, value: number): boolean =>
  direction === 'above' ? value > threshold : value < threshold

const isBack = ({ direction, clearThreshold }: Watermark, value: number): boolean =>
  direction === 'above' ? value <= clearThreshold : value >= clearThreshold
