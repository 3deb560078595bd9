// The theme's colours, for the canvas: CSS knows them by the names in chart.module.css.

import type { Tone } from '../classification.ts'

export interface Colours {
  text: string
  line: string
  surface: string
  traces: string[]
  tones: Record<Tone, string>
  alert: string
}

export function coloursOf(element: HTMLElement): Colours {
  const style = getComputedStyle(element)
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    text: of('chart-text'),
    line: of('chart-line'),
    surface: of('chart-surface'),
    traces: [1, 2, 3, 4, 5, 6].map((place) => of(`chart-trace-${place}`)),
    tones: { good: of('tone-good'), watch: of('tone-watch'), bad: of('tone-bad'), danger: of('tone-danger') },
    alert: of('tone-danger'),
  }
}
