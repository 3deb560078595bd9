import classes from './chart.module.css'
import { lookOf, type Shape } from './traces.ts'

const PATHS: Record<Shape, string> = {
  circle: 'M11 3.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7',
  square: 'M7.5 3.5h7v7h-7z',
  triangle: 'M11 2.5l4 7.5h-8z',
  diamond: 'M11 2l4 5l-4 5l-4-5z',
  cross: 'M7.5 3.5l7 7M14.5 3.5l-7 7',
  plus: 'M11 2.5v9M6.5 7h9',
}

/** The line and the mark that a source is drawn with. */
export function Swatch({ sources, source }: { sources: readonly string[]; source: string }) {
  const { shape, colour } = lookOf(sources, source)
  const paint = `var(--chart-trace-${colour + 1})`
  return (
    <svg className={classes.swatch} width={22} height={14} viewBox="0 0 22 14" aria-hidden="true">
      <path d="M0 7h22" stroke={paint} strokeWidth={1.5} />
      <path d={PATHS[shape]} fill={paint} stroke={paint} strokeWidth={1.5} />
    </svg>
  )
}
