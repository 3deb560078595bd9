// Readings over time with what a rule looks for drawn into them. Drawn in the page's own pixels, so that text keeps its
// size, and told in words and as a table to those who do not see it.

import { Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useFormats } from '../../language/formats.ts'
import { LANGUAGE_TAGS, useLanguage, useMessages } from '../../language/language.ts'
import classes from './charts.module.css'
import type { Reading } from './readings.ts'
import { signs } from './sign-messages.ts'

export interface Guides {
  threshold?: number | null
  clearThreshold?: number | null
  range?: { from: number; to: number } | null
}

interface Props {
  label: string
  readings: Reading[]
  from: Date
  to: Date
  /** A value with its unit. */
  print: (value: number) => string
  guides?: Guides
  /** When alerts fired. */
  marks?: Date[]
  height?: number
}

const LEFT = 44
const RIGHT = 12
const TOP = 16
const BOTTOM = 22
const HOUR_MS = 3_600_000
/** Dots for every reading only while they can be told apart. */
const MOST_DOTS = 150

export function ReadingsChart({ label, readings, from, to, print, guides = {}, marks = [], height = 200 }: Props) {
  const t = useMessages(signs)
  const language = useLanguage()
  const formats = useFormats()
  const { ref, width } = useElementSize()
  if (readings.length === 0 && marks.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.noReadings}
      </Text>
    )
  const values = readings.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const { threshold = null, clearThreshold = null, range = null } = guides
  const drawn = [...values, ...[threshold, clearThreshold, range?.from, range?.to].filter((one) => one != null)]
  const ticks = ticksBetween(Math.min(...drawn), Math.max(...drawn))
  const [bottom = 0, top = 1] = [ticks[0], ticks.at(-1)]
  const x = (time: Date) =>
    LEFT + ((time.getTime() - from.getTime()) / (to.getTime() - from.getTime())) * (width - LEFT - RIGHT)
  const y = (value: number) => TOP + ((top - value) / (top - bottom || 1)) * (height - TOP - BOTTOM)
  const isLong = to.getTime() - from.getTime() > 60 * HOUR_MS
  const clock = new Intl.DateTimeFormat(
    LANGUAGE_TAGS[language],
    isLong ? { month: 'short', day: 'numeric' } : { hour: 'numeric', minute: '2-digit' },
  )
  const path = readings.map(
    ({ time, value }, at) => `${at === 0 ? 'M' : 'L'}${x(time).toFixed(1)} ${y(value).toFixed(1)}`,
  )
  const summary =
    readings.length === 0 ? t.noReadings : t.chart.summary(readings.length, print(low), high === low ? '' : print(high))
  const lines = [
    ...(range ? [{ value: range.to, words: t.chart.range(print(range.from), print(range.to)), kind: 'range' }] : []),
    ...(threshold === null
      ? []
      : [{ value: threshold, words: t.chart.threshold(print(threshold)), kind: 'threshold' }]),
    ...(clearThreshold === null || clearThreshold === threshold
      ? []
      : [{ value: clearThreshold, words: t.chart.clears(print(clearThreshold)), kind: 'clear' }]),
  ]
  return (
    <figure className={classes.figure} aria-label={label}>
      <div ref={ref}>
        <svg width="100%" height={height} role="img" aria-label={`${label}: ${summary}`} className={classes.chart}>
          {width > 0 && (
            <>
              {ticks.map((tick) => (
                <g key={tick} className={classes.tick}>
                  <line x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
                  <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
                    {formats.number(tick)}
                  </text>
                </g>
              ))}
              {momentsBetween(from, to, width < 420 ? 3 : 6).map((moment) => (
                <text
                  key={moment.getTime()}
                  className={classes.moment}
                  x={x(moment)}
                  y={height - 5}
                  textAnchor="middle"
                >
                  {clock.format(moment)}
                </text>
              ))}
              {range && (
                <rect
                  className={classes.range}
                  x={LEFT}
                  width={width - LEFT - RIGHT}
                  y={y(range.to)}
                  height={y(range.from) - y(range.to)}
                />
              )}
              {lines.map(({ value, kind }) => (
                <g key={kind} className={classes.guide} data-kind={kind}>
                  <line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
                </g>
              ))}
              {marks.map((mark) => (
                <g key={mark.getTime()} className={classes.mark}>
                  <line x1={x(mark)} x2={x(mark)} y1={TOP} y2={height - BOTTOM} />
                  <path d={`M${x(mark)} ${TOP + 7} l-5 -9 h10 z`} />
                </g>
              ))}
              <path className={classes.line} d={path.join('')} />
              {readings.length <= MOST_DOTS &&
                readings.map(({ time, value }) => (
                  <circle key={time.getTime()} className={classes.dot} cx={x(time)} cy={y(value)} r={2.5} />
                ))}
              {lines.map(({ value, words, kind }) => (
                <g key={kind} className={classes.guide} data-kind={kind}>
                  <text
                    x={width - RIGHT}
                    y={y(value) + (kind === 'clear' && threshold !== null && value < threshold ? 13 : -4)}
                    textAnchor="end"
                  >
                    {words}
                  </text>
                </g>
              ))}
            </>
          )}
        </svg>
      </div>
      <details className={classes.details}>
        <summary>{t.chart.table}</summary>
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th>{t.chart.time}</th>
                <th>{t.chart.value}</th>
              </tr>
            </thead>
            <tbody>
              {readings.slice(-MOST_DOTS).map(({ time, value }) => (
                <tr key={time.getTime()}>
                  <td>{formats.moment(time)}</td>
                  <td>{print(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {readings.length > MOST_DOTS && (
            <Text size="xs" c="dimmed">
              {t.chart.newest(MOST_DOTS)}
            </Text>
          )}
        </div>
      </details>
    </figure>
  )
}

/** Round numbers around what is drawn, some four or five of them, with room above and below. */
function ticksBetween(low: number, high: number): number[] {
  const span = high - low || Math.abs(high) / 4 || 1
  const rough = (span * 1.2) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power
  const [first, last] = [Math.floor((low - span / 10) / step), Math.ceil((high + span / 10) / step)]
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

/** Whole hours, or midnights where there are many days; by the clock of whoever looks. */
function momentsBetween(from: Date, to: Date, most: number): Date[] {
  const hours = (to.getTime() - from.getTime()) / HOUR_MS
  const step = [1, 2, 3, 4, 6, 12, 24, 48, 24 * 7, 24 * 15, 24 * 30].find((one) => hours / one <= most) ?? 24 * 90
  const moment = new Date(from)
  moment.setHours(step < 24 ? Math.ceil((moment.getHours() + 1) / step) * step : 24, 0, 0, 0)
  const moments: Date[] = []
  for (; moment < to; moment.setHours(moment.getHours() + step)) moments.push(new Date(moment))
  return moments
}
