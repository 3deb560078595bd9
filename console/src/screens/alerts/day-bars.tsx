// How many there were on each day: small bars, in words, and as a table.

import { Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useFormats } from '../../language/formats.ts'
import { LANGUAGE_TAGS, useLanguage, useMessages } from '../../language/language.ts'
import { SEVERITIES, type SeverityName } from './alert-search.ts'
import classes from './charts.module.css'
import { signs } from './sign-messages.ts'

interface DayCount {
  /** `YYYY-MM-DD` */
  day: string
  severity: SeverityName
  count: number
}

interface Props {
  label: string
  counts: DayCount[]
  /** The last one. */
  until: Date
  days: number
  height?: number
}

const DAY_MS = 86_400_000
const AXIS = 18
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

export function DayBars({ label, counts, until, days, height = 96 }: Props) {
  const t = useMessages(signs)
  const language = useLanguage()
  const formats = useFormats()
  const { ref, width } = useElementSize()
  const all = Array.from({ length: days }, (_, at) => dayOf(new Date(until.getTime() - (days - 1 - at) * DAY_MS)))
  const byDay = Map.groupBy(counts, ({ day }) => day)
  const totalOf = (day: string) => (byDay.get(day) ?? []).reduce((sum, { count }) => sum + count, 0)
  const total = all.reduce((sum, day) => sum + totalOf(day), 0)
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.perDay.none}
      </Text>
    )
  const most = Math.max(...all.map(totalOf))
  const step = width / days
  const scale = (height - AXIS - 4) / most
  const short = new Intl.DateTimeFormat(LANGUAGE_TAGS[language], { month: 'short', day: 'numeric', timeZone: 'UTC' })
  const summary = t.perDay.summary(total, days, most)
  return (
    <figure className={classes.figure} aria-label={label}>
      <div ref={ref}>
        <svg width="100%" height={height} role="img" aria-label={`${label}: ${summary}`} className={classes.chart}>
          {width > 0 && (
            <>
              <line className={classes.base} x1={0} x2={width} y1={height - AXIS} y2={height - AXIS} />
              {all.map((day, at) => {
                let below = 0
                return (
                  <g key={day}>
                    <title>{`${formats.day(day)}: ${totalOf(day)}`}</title>
                    <rect className={classes.column} x={at * step} y={0} width={step} height={height - AXIS} />
                    {SEVERITIES.map((severity) => {
                      const count = (byDay.get(day) ?? [])
                        .filter((one) => one.severity === severity)
                        .reduce((sum, one) => sum + one.count, 0)
                      below += count
                      return count === 0 ? null : (
                        <rect
                          key={severity}
                          className={classes.bar}
                          data-severity={severity}
                          x={at * step + Math.min(2, step / 6)}
                          width={Math.max(1, step - Math.min(4, step / 3))}
                          y={height - AXIS - below * scale}
                          height={Math.max(1, count * scale - 1)}
                        />
                      )
                    })}
                  </g>
                )
              })}
              <text className={classes.moment} x={0} y={height - 3}>
                {short.format(new Date(`${all[0]}T00:00:00Z`))}
              </text>
              <text className={classes.moment} x={width} y={height - 3} textAnchor="end">
                {short.format(new Date(`${all.at(-1)}T00:00:00Z`))}
              </text>
            </>
          )}
        </svg>
      </div>
      <details className={classes.details}>
        <summary>{t.perDay.table}</summary>
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th>{t.perDay.day}</th>
                <th>{t.perDay.alerts}</th>
              </tr>
            </thead>
            <tbody>
              {all
                .filter((day) => totalOf(day) > 0)
                .map((day) => (
                  <tr key={day}>
                    <td>{formats.day(day)}</td>
                    <td>{formats.number(totalOf(day))}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}
