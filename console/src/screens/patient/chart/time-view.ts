// The time that all panels of a chart show. It changes in every frame of a movement, so it lives outside React: panels
// follow it by themselves, and React is told when what has to be loaded changes or the movement is over.

import { useEffect, useState, useSyncExternalStore } from 'react'

/** In seconds since 1970. */
export interface TimeRange {
  from: number
  to: number
}

export const MINUTE = 60
export const HOUR = 3600
export const DAY = 86_400
export const YEAR = 365.25 * DAY
const LEAST_SPAN = 2 * MINUTE
const MOST_SPAN = 80 * YEAR
const GLIDE_MS = 180
const SETTLED_MS = 250

export const spanOf = ({ from, to }: TimeRange): number => to - from

export class TimeView {
  #range: TimeRange
  /** Where a movement will end: the next step begins there. */
  #target: TimeRange
  #limits: TimeRange
  #glide = 0
  readonly #listeners = new Set<() => void>()

  constructor(range: TimeRange) {
    this.#range = range
    this.#target = range
    this.#limits = range
  }

  get range(): TimeRange {
    return this.#range
  }

  /** From the first reading to now. Nobody gets lost far away from it. */
  limit(limits: TimeRange): void {
    this.#limits = limits
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Follows a finger or the mouse: at once. */
  show(range: TimeRange): void {
    cancelAnimationFrame(this.#glide)
    this.#target = this.#allowed(range)
    this.#become(this.#target)
  }

  /** A step by a key or a button: glides, unless the person wants no motion. */
  glideTo(range: TimeRange): void {
    cancelAnimationFrame(this.#glide)
    this.#target = this.#allowed(range)
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.#become(this.#target)
      return
    }
    const [start, since] = [this.#range, performance.now()]
    const step = (now: number) => {
      const part = Math.min(1, Math.max(0, (now - since) / GLIDE_MS))
      const eased = 1 - (1 - part) ** 3
      const between = (a: number, b: number) => a + (b - a) * eased
      this.#become({ from: between(start.from, this.#target.from), to: between(start.to, this.#target.to) })
      if (part < 1) this.#glide = requestAnimationFrame(step)
    }
    this.#glide = requestAnimationFrame(step)
  }

  /** By a part of what is seen; less than 0 goes back. */
  pan(part: number): void {
    const by = part * spanOf(this.#target)
    this.glideTo({ from: this.#target.from + by, to: this.#target.to + by })
  }

  /** Less than 1 shows more detail. `at` stays where it is; the middle when left out. */
  zoom(factor: number, at?: number): void {
    this.glideTo(zoomed(this.#target, factor, at))
  }

  /** So many seconds up to now, as far as there is any. */
  latest(span: number): void {
    // The newest reading stands a little away from the edge.
    const to = this.#limits.to + span * 0.03
    this.glideTo({ from: to - span, to })
  }

  all(): void {
    const margin = Math.max(HOUR, spanOf(this.#limits) * 0.02)
    this.glideTo({ from: this.#limits.from - margin, to: this.#limits.to + margin })
  }

  start(): void {
    this.glideTo({ from: this.#limits.from, to: this.#limits.from + spanOf(this.#target) })
  }

  #allowed({ from, to }: TimeRange): TimeRange {
    const span = Math.min(Math.max(to - from, LEAST_SPAN), MOST_SPAN)
    const middle = Math.min(Math.max((from + to) / 2, this.#limits.from - YEAR), this.#limits.to + span * 0.4)
    return { from: middle - span / 2, to: middle + span / 2 }
  }

  #become(range: TimeRange): void {
    if (range.from === this.#range.from && range.to === this.#range.to) return
    this.#range = range
    for (const listener of this.#listeners) listener()
  }
}

export function zoomed({ from, to }: TimeRange, factor: number, at = (from + to) / 2): TimeRange {
  // At the ends of what is possible nothing moves sideways either.
  const limited = Math.min(Math.max((to - from) * factor, LEAST_SPAN), MOST_SPAN) / (to - from)
  return { from: at - (at - from) * limited, to: at + (to - at) * limited }
}

/** Something computed of the range; React is told when it is another. */
export const useOfView = <T extends string | number>(view: TimeView, of: (range: TimeRange) => T): T =>
  useSyncExternalStore(view.subscribe, () => of(view.range))

/** The range, once it has been still for a moment. */
export function useSettledRange(view: TimeView): TimeRange {
  const [settled, settle] = useState(view.range)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = view.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(() => settle(view.range), SETTLED_MS)
    })
    settle(view.range)
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [view])
  return settled
}
