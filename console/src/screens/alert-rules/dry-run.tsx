// What a rule would have found in the readings that are stored, drawn while it is being written.

import type { AnswerTo } from '@almoner/client'
import { Button, Card, Loader, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../frame/failure.tsx'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { almoner } from '../../session/session.ts'
import { DayBars, dayOf } from '../alerts/day-bars.tsx'
import { useMetrics } from '../alerts/metric-names.ts'
import { PatientSelect } from '../alerts/patient-select.tsx'
import { readingsBetween } from '../alerts/readings.ts'
import { ReadingsChart } from '../alerts/readings-chart.tsx'
import type { Draft, Watched } from './draft.ts'
import { rules } from './messages.ts'
import classes from './rules.module.css'

type Found = AnswerTo<'dryRunAlertRule'>

const DAYS = 90
const PAUSE_MS = 600

interface Props {
  /** Null while the rule cannot be tried. */
  watched: Watched | null
  severity: Draft['severity']
}

export function DryRun({ watched, severity }: Props) {
  const t = useMessages(rules).try
  const [asked] = useDebouncedValue(JSON.stringify(watched), PAUSE_MS)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['dryRunAlertRule', asked],
    queryFn: ({ signal }) =>
      almoner.dryRunAlertRule({ body: { ...(JSON.parse(asked) as Watched), days: DAYS } }, { signal }),
    enabled: asked !== 'null',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
  const isCurrent = asked === JSON.stringify(watched)
  return (
    <Card withBorder component="section" aria-labelledby="dry-run" className={classes.try}>
      <Title order={2} id="dry-run" mb="xs">
        {t.title}
      </Title>
      <div role="status">
        {watched === null ? (
          <Text size="sm" c="dimmed">
            {t.incomplete}
          </Text>
        ) : isFetching || !isCurrent ? (
          <Text size="sm" c="dimmed">
            <Loader size={12} mr={8} aria-hidden />
            {t.running}
          </Text>
        ) : (
          data && <Figures found={data} />
        )}
      </div>
      {watched !== null && error && isCurrent && <Failure error={error} onRetry={() => refetch()} />}
      {watched !== null && data && !error && <Drawn found={data} watched={watched} severity={severity} />}
      {watched !== null && data && (
        <Button variant="default" size="xs" mt="md" w="fit-content" onClick={() => refetch()}>
          {t.again}
        </Button>
      )}
    </Card>
  )
}

function Figures({ found }: { found: Found }) {
  const t = useMessages(rules).try
  const { number } = useFormats()
  if (found.total === 0)
    return (
      <>
        <Text className={classes.number}>{t.none}</Text>
        <Text size="sm" c="dimmed">
          {found.individualsInScope === 0 ? t.nobody : t.noneOf(number(found.individualsInScope))}
        </Text>
      </>
    )
  const perDay = Math.round((found.total / DAYS) * 10) / 10
  return (
    <div className={classes.figures}>
      <span className={classes.number}>{t.alerts(number(found.total))}</span>
      <Text component="span">{t.people(number(found.individualsWithAlerts), number(found.individualsInScope))}</Text>
      {perDay >= 0.1 && (
        <Text component="span" size="sm" c="dimmed">
          {t.perDay(number(perDay))}
        </Text>
      )}
    </div>
  )
}

function Drawn({ found, watched, severity }: { found: Found; watched: Watched; severity: Draft['severity'] }) {
  const t = useMessages(rules).try
  const { number } = useFormats()
  const counts = [...Map.groupBy(found.alerts, ({ firedAt }) => dayOf(firedAt))].map(([day, some]) => ({
    day,
    severity,
    count: some.length,
  }))
  return (
    <Stack gap="md" mt="md">
      {!found.isComplete && <Text size="sm">{t.partly(number(found.individualsLookedAt))}</Text>}
      {found.total > 0 && (
        <div>
          <Title order={3} mb={4}>
            {t.byDay}
          </Title>
          <DayBars label={t.byDay} counts={counts} until={found.to} days={DAYS} />
          {found.alerts.length < found.total && (
            <Text size="xs" c="dimmed">
              {t.onlyNewest}
            </Text>
          )}
        </div>
      )}
      <OnePatient found={found} watched={watched} />
    </Stack>
  )
}

function OnePatient({ found, watched }: { found: Found; watched: Watched }) {
  const t = useMessages(rules).try
  const metrics = useMetrics()
  const { number } = useFormats()
  const [chosen, setChosen] = useState<string | null>(null)
  const { metricType: type } = watched
  const field = watched.field ?? metrics.numericFields(type)[0]?.name
  const individualId = watched.individualId ?? chosen ?? mostAlerts(found)
  const { data } = useQuery({
    ...readingsBetween({ individualId: individualId ?? '', type, field: field ?? '', from: found.from, to: found.to }),
    enabled: individualId !== null && field !== undefined,
    placeholderData: keepPreviousData,
  })
  if (field === undefined) return null
  const marks = found.alerts.filter((one) => one.individualId === individualId).map(({ firedAt }) => firedAt)
  const { threshold = null, clearThreshold = null, from = null, to = null } = watched
  return (
    <div>
      {!watched.individualId && (
        <PatientSelect label={t.patient} size="xs" maw={320} mb="xs" value={individualId} onChange={setChosen} />
      )}
      {individualId && data && (
        <>
          <ReadingsChart
            label={t.readings(metrics.name(type, watched.field ?? null))}
            readings={data.readings}
            from={found.from}
            to={found.to}
            print={(value) => metrics.value(type, field, value)}
            guides={{ threshold, clearThreshold, range: from !== null && to !== null ? { from, to } : null }}
            marks={marks}
          />
          <Text size="xs" c="dimmed">
            {t.found(number(marks.length))}
          </Text>
        </>
      )}
    </div>
  )
}

function mostAlerts({ alerts }: Found): string | null {
  const groups = [...Map.groupBy(alerts, ({ individualId }) => individualId)]
  return groups.sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null
}
