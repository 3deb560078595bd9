// For patients: what was measured last, and the way to all of it.

import { Button, Card, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Failure } from '../../frame/failure.tsx'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { useMetrics } from '../alerts/metric-names.ts'
import classes from './home.module.css'
import { home } from './messages.ts'

const FIELDS = [
  'lastBpSystolic',
  'lastBpDiastolic',
  'lastBpSystolicState',
  'lastBpTime',
  'lastBloodGlucose',
  'lastBloodGlucoseState',
  'lastBloodGlucoseTime',
  'lastHeartRate',
  'lastHeartRateTime',
  'lastO2Saturation',
  'lastO2SaturationTime',
  'lastBodyMass',
  'lastBodyMassTime',
] as const

interface Shown {
  name: string
  value: string
  state?: string | null | undefined
  time: Date | null | undefined
}

export function OwnReadings({ individualId }: { individualId: string }) {
  const t = useMessages(home)
  const formats = useFormats()
  const metrics = useMetrics()
  const { data, error, refetch } = useQuery(ask('getIndividual', { id: individualId, fields: [...FIELDS] }))
  if (error) return <Failure error={error} onRetry={() => refetch()} />
  if (!data) return <Skeleton height={200} />
  const one = (type: string, value: number | string | null | undefined, time: Shown['time'], state?: Shown['state']) =>
    value == null
      ? []
      : [{ name: metrics.typeName(type), value: metrics.value(type, 'value', Number(value)), state, time }]
  const { lastBpSystolic: systolic, lastBpDiastolic: diastolic } = data
  const shown: Shown[] = [
    ...(systolic == null
      ? []
      : [
          {
            name: metrics.typeName('BloodPressure'),
            value: `${systolic}/${diastolic ?? '–'} ${metrics.unitOf('BloodPressure', 'systolic')}`,
            state: data.lastBpSystolicState,
            time: data.lastBpTime,
          },
        ]),
    ...one('BloodGlucose', data.lastBloodGlucose, data.lastBloodGlucoseTime, data.lastBloodGlucoseState),
    ...one('Pulse', data.lastHeartRate, data.lastHeartRateTime),
    ...one('OxygenSaturation', data.lastO2Saturation, data.lastO2SaturationTime),
    ...one('BodyMass', data.lastBodyMass, data.lastBodyMassTime),
  ]
  return (
    <>
      {shown.length === 0 && <Text mb="md">{t.own.none}</Text>}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} mb="md">
        {shown.map(({ name, value, state, time }) => (
          <Card key={name} withBorder padding="sm">
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <span className={classes.number}>{value}</span>
            <Text size="sm">{state ? metrics.stateName(state) : ' '}</Text>
            {time && (
              <Text size="xs" c="dimmed" title={formats.moment(time)}>
                {formats.ago(time)}
              </Text>
            )}
          </Card>
        ))}
      </SimpleGrid>
      <Button component={Link} to={`/patients/${individualId}`} variant="default">
        {t.own.all}
      </Button>
    </>
  )
}
