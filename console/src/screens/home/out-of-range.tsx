import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { useMetrics } from '../alerts/metric-names.ts'
import classes from './home.module.css'
import { home } from './messages.ts'
import type { Summary } from './population.tsx'
import { Tone } from './tone.tsx'

export function OutOfRange({ readings }: { readings: Summary['outOfRange'] }) {
  const t = useMessages(home)
  const formats = useFormats()
  const metrics = useMetrics()
  if (readings.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.outOfRangeNone}
      </Text>
    )
  return (
    <ul className={classes.readings}>
      {readings.map((one) => (
        <li key={`${one.individualId} ${one.metricType} ${one.field}`} className={classes.reading}>
          <div>
            <Link to={`/patients/${one.individualId}` as string} className={classes.name}>
              {one.lastName}, {one.firstName}
            </Link>
            <Text size="xs" c="dimmed">
              {metrics.name(one.metricType, one.field)}
            </Text>
          </div>
          <span className={classes.value}>{metrics.value(one.metricType, one.field, one.value)}</span>
          <Tone of={one.tone}>{metrics.stateName(one.state)}</Tone>
          <Text
            size="xs"
            c="dimmed"
            component="time"
            dateTime={one.time.toISOString()}
            title={formats.moment(one.time)}
          >
            {formats.ago(one.time)}
          </Text>
        </li>
      ))}
    </ul>
  )
}
