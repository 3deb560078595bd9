// The newest of each metric, with what a care team calls it. Choosing one puts it into the chart.

import { Text, UnstyledButton } from '@mantine/core'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { type ClassificationSet, rangeOfReading } from './classification.ts'
import { patient as texts } from './messages.ts'
import { isInLanes, isNumeric, type MetricType, type SourceSummary } from './metric-types.ts'
import { useMetricWords } from './metric-words.ts'
import classes from './patient.module.css'
import { StateName } from './state-name.tsx'

interface Props {
  types: MetricType[]
  sources: SourceSummary[]
  sets: ClassificationSet[]
  shown: readonly string[]
  onChoose: (type: string) => void
}

export function LatestReadings({ types, sources, sets, shown, onChoose }: Props) {
  const t = useMessages(texts)
  const words = useMetricWords()
  const formats = useFormats()
  const newest = types.flatMap((type) => {
    const [last] = sources
      .filter((one) => one.type === type.name)
      .toSorted((one, other) => other.lastTime.getTime() - one.lastTime.getTime())
    return last ? [{ type, time: last.lastTime, values: last.lastPoint as Record<string, unknown> }] : []
  })
  if (newest.length === 0) return null
  return (
    <ul className={classes.strip} aria-label={t.latest}>
      {newest.map(({ type, time, values }) => {
        const numbers = type.fields.filter((field) => isNumeric(field) && typeof values[field.name] === 'number')
        const states = numbers.flatMap((field) => rangeOfReading(sets, type.name, field.name, values) ?? [])
        const worst = states.toSorted((one, other) => TONES.indexOf(other.tone) - TONES.indexOf(one.tone))[0]
        return (
          <li key={type.name}>
            <UnstyledButton
              className={classes.reading}
              aria-pressed={shown.includes(type.name)}
              onClick={() => onChoose(type.name)}
            >
              <Text size="xs" c="dimmed" component="span" display="block" truncate>
                {words.type(type)}
              </Text>
              <Text fw={600} component="span" display="block" truncate>
                {newestWords(type, values, formats.number, words)}
              </Text>
              <span className={classes.when}>
                {worst && <StateName range={worst} />}
                <Text size="xs" c="dimmed" component="span">
                  {formats.ago(time)}
                </Text>
              </span>
            </UnstyledButton>
          </li>
        )
      })}
    </ul>
  )
}

const TONES = ['good', 'watch', 'bad', 'danger']

function newestWords(
  type: MetricType,
  values: Record<string, unknown>,
  number: (value: number) => string,
  words: ReturnType<typeof useMetricWords>,
): string {
  if (type.name === 'BloodPressure') return `${values.systolic}/${values.diastolic} ${type.fields[0]?.unit}`
  const first = type.fields.find(({ name }) => values[name] !== undefined)
  const value = first && values[first.name]
  if (typeof value === 'number') return `${number(value)} ${words.unit(first?.unit ?? null)}`
  if (typeof value === 'string') return isInLanes(type) && first?.kind === 'enumeration' ? words.word(value) : value
  return Object.entries(values)
    .map(([name, one]) => `${name}: ${one}`)
    .join(', ')
}
