// How many patients are in each state: one bar for each metric, with every part named and counted below it.

import { Text } from '@mantine/core'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { useMetrics } from '../alerts/metric-names.ts'
import classes from './home.module.css'
import { home } from './messages.ts'
import type { Summary } from './population.tsx'
import { Tone } from './tone.tsx'

type State = Summary['states'][number]

/** From low to high, as the scales themselves are read; an organization's own words come after these. */
const ORDER = [
  'very-low',
  'low',
  'normal',
  'in-range',
  'elevated',
  'prediabetes',
  'stage-1',
  'stage-2',
  'high',
  'very-high',
  'crisis',
]
const place = ({ state }: State) => (ORDER.includes(state) ? ORDER.indexOf(state) : ORDER.length)

export function States({ states }: { states: State[] }) {
  const t = useMessages(home)
  const { number } = useFormats()
  const metrics = useMetrics()
  if (states.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.statesNone}
      </Text>
    )
  const scales = Map.groupBy(states, ({ metricType, field }) => `${metricType} ${field}`)
  return (
    <div className={classes.scales}>
      {[...scales].map(([key, some]) => {
        const total = some.reduce((sum, { count }) => sum + count, 0)
        const parts = some.toSorted((a, b) => place(a) - place(b))
        const [{ metricType, field } = { metricType: '', field: '' }] = some
        return (
          <div key={key}>
            <div className={classes.scaleHead}>
              <h3 className={classes.scaleName}>{metrics.name(metricType, field)}</h3>
              <Text size="xs" c="dimmed">
                {t.readingOf(number(total))}
              </Text>
            </div>
            <svg className={classes.stack} height={14} width="100%" aria-hidden>
              {parts.map(({ state, tone, count }, at) => {
                const before = parts.slice(0, at).reduce((sum, one) => sum + one.count, 0)
                return (
                  <rect
                    key={state}
                    data-tone={tone ?? undefined}
                    x={`${(before / total) * 100}%`}
                    width={`${(count / total) * 100}%`}
                    height={14}
                  />
                )
              })}
            </svg>
            <ul className={classes.parts}>
              {parts.map(({ state, tone, count }) => (
                <li key={state}>
                  <Tone of={tone}>{metrics.stateName(state)}</Tone> {number(count)}
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </div>
  )
}
