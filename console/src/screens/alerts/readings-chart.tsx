// Readings over time with what a rule looks for drawn into them. Drawn in the page's own pixels, so that text keeps its
// size, and told in words and as a table to those who do not see it.

import { Table, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useFormats } from '../../language/formats.ts'
import { useLanguage, useMessages } from '../../language/language.ts'
import classes from './charts.module.css'
import { alerts } from './messages.ts'
import type { Reading } from './readings.ts'

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
const TOP = 12
const BOTTOM = 22
const DAY_MS = 86_400_000
/** Dots for every reading only while they can be told apart. */
const MOST_DOTS = 150

export function ReadingsChart({ label, readings, from, to, print, guides = {}, marks = [], height = 200 }: Props) {
  const t = useMessages(alerts)
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
  const isLong = to.getTime() - from.getTime() > 2.5 * DAY_MS
  const clock = new Intl.DateTimeFormat(
    language,
    isLong ? { month: 'short', day: 'numeric' } : { hour: 'numeric', minute: '2-digit' },
  )
  const path = readings.map(
    ({ time, value }, at) => `${at === 0 ? 'M' : 'L'}${x(time).toFixed(1)} ${y(value).toFixed(1)}`,
  )
  const summary =
    readings.length === 0 ? t.noReadings : t.chart.summary(readings.length, print(low), high === low ? '' : print(high))
  const guide = (value: number, words: string, kind: string) => (
    <g className={classes.guide} data-kind={kind}>
      <line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
      <text x={width - RIGHT} y={y(value) - 4} textAnchor="end">
        {words}
      </text>
    </g>
  )
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
              {range && guide(range.to, t.chart.range(print(range.from), print(range.to)), 'range')}
              {threshold !== null && guide(threshold, t.chart.threshold(print(threshold)), 'threshold')}
              {clearThreshold !== null &&
                clearThreshold !== threshold &&
                guide(clearThreshold, t.chart.clears(print(clearThreshold)), 'clear')}
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
            </>
          )}
        </svg>
      </div>
      <details className={classes.details}>
        <summary>{t.chart.table}</summary>
        <div className={classes.scroll}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t.chart.time}</Table.Th>
                <Table.Th>{t.chart.value}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {readings.slice(-MOST_DOTS).map(({ time, value }) => (
                <Table.Tr key={time.getTime()}>
                  <Table.Td>{formats.moment(time)}</Table.Td>
                  <Table.Td>{print(value)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
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

/** Round numbers around what is drawn, some four or five of them. */
function ticksBetween(low: number, high: number): number[] {
  const span = high - low || Math.abs(high) || 1
  const rough = span / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power
  const ticks: number[] = []
  for (let at = Math.floor(low / step); at * step < high + step; at++) ticks.push(Number((at * step).toPrecision(12)))
  return ticks
}

function momentsBetween(from: Date, to: Date, count: number): Date[] {
  const step = (to.getTime() - from.getTime()) / count
  return Array.from({ length: count }, (_, at) => new Date(from.getTime() + (at + 0.5) * step))
}
