import { Anchor, Button, Card, Group, SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../../frame/failure.tsx'
import { Screen } from '../../frame/screen.tsx'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { useRuleSentence } from '../alert-rules/rule-sentence.ts'
import { AlertHistory } from './alert-history.tsx'
import type { Alert } from './alert-search.ts'
import { alerts } from './messages.ts'
import { useMetrics } from './metric-names.ts'
import { readingsBetween } from './readings.ts'
import { type Guides, ReadingsChart } from './readings-chart.tsx'
import { SettleDialog, type Settling } from './settle-dialog.tsx'
import { Severity, State } from './severity.tsx'
import { useWhatHappened } from './what-happened.ts'

const HOUR_MS = 3_600_000
const AROUND_MS = 12 * HOUR_MS
/** What matters of a silence is what came before it. */
const BEFORE_SILENCE_MS = 7 * 24 * HOUR_MS

export function AlertScreen() {
  const t = useMessages(alerts)
  const { id } = useParams({ from: '/frame/alerts/$id' })
  const { data, error, refetch } = useQuery(ask('getAlert', { id }))
  if (data) return <Shown alert={data} />
  return (
    <Screen title={t.title}>
      {error ? <Failure error={error} onRetry={() => refetch()} /> : <Skeleton height={300} />}
    </Screen>
  )
}

function Shown({ alert }: { alert: Alert }) {
  const t = useMessages(alerts)
  const formats = useFormats()
  const words = useWhatHappened()
  const metrics = useMetrics()
  const sentence = useRuleSentence()
  const [settling, setSettling] = useState<Settling | null>(null)
  const { individual, individualId, ruleId, ruleName, severity, state, firedAt, source } = alert
  const rule = useQuery(ask('getAlertRule', { id: ruleId }))
  const name = `${individual.firstName} ${individual.lastName}`
  const settle = (how: Settling['how']) => setSettling({ how, alerts: [alert] })
  const actions = (
    <>
      {state === 'open' && <Button onClick={() => settle('acknowledge')}>{t.acknowledge}</Button>}
      {state !== 'cleared' && (
        <Button variant="default" onClick={() => settle('clear')}>
          {t.clear}
        </Button>
      )}
    </>
  )
  return (
    <Screen title={`${name}: ${ruleName}`} actions={actions}>
      <Group gap="lg" mb="md">
        <Severity of={severity} />
        <State of={state} />
        <Anchor component={Link} to="/alerts" size="sm">
          {t.back}
        </Anchor>
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }} mb="md">
        <Card withBorder component="section" aria-label={t.what}>
          <Title order={2} mb={6}>
            {t.what}
          </Title>
          <Text fw={600}>{words(alert)}</Text>
          <Text size="sm" c="dimmed">
            {formats.moment(firedAt)} · {formats.ago(firedAt)}
          </Text>
          {source && (
            <Text size="sm" c="dimmed">
              {t.source}: {source}
            </Text>
          )}
          <Anchor component={Link} to={`/patients/${individualId}`} size="sm" mt="sm">
            {t.openPatient(name)}
          </Anchor>
        </Card>
        <Card withBorder component="section" aria-label={t.rule}>
          <Title order={2} mb={6}>
            {t.ruleNow}
          </Title>
          {rule.data ? (
            <>
              <Text fw={600}>{rule.data.name}</Text>
              <Text size="sm">{sentence(rule.data)}</Text>
              <Anchor component={Link} to={`/alert-rules/${ruleId}`} size="sm" mt="sm">
                {t.openRule}
              </Anchor>
            </>
          ) : (
            rule.error && <Text size="sm">{t.ruleGone}</Text>
          )}
        </Card>
      </SimpleGrid>
      <Card withBorder component="section" mb="md" aria-label={t.readings}>
        <Title order={2} mb="xs">
          {t.readings}
        </Title>
        <Around alert={alert} rule={rule.data} metrics={metrics} />
      </Card>
      <Card withBorder component="section" aria-label={t.history}>
        <Title order={2} mb="xs">
          {t.history}
        </Title>
        <AlertHistory alert={alert} />
      </Card>
      <SettleDialog settling={settling} onClose={() => setSettling(null)} />
    </Screen>
  )
}

interface AroundProps {
  alert: Alert
  rule: RuleTerms | undefined
  metrics: ReturnType<typeof useMetrics>
}
type RuleTerms = { threshold: number | null; clearThreshold: number | null; from: number | null; to: number | null }

function Around({ alert, rule, metrics }: AroundProps) {
  const t = useMessages(alerts)
  const { kind, metricType, individualId, firedAt } = alert
  const field = alert.field ?? metrics.numericFields(metricType)[0]?.name ?? 'value'
  const from = new Date(firedAt.getTime() - (kind === 'no-data' ? BEFORE_SILENCE_MS : AROUND_MS))
  const to = new Date(firedAt.getTime() + AROUND_MS)
  const { data, error, refetch } = useQuery(readingsBetween({ individualId, type: metricType, field, from, to }))
  if (error) return <Failure error={error} onRetry={() => refetch()} />
  if (!data) return <Skeleton height={200} />
  const guides: Guides = rule
    ? {
        threshold: rule.threshold,
        clearThreshold: rule.clearThreshold,
        range: rule.from !== null && rule.to !== null ? { from: rule.from, to: rule.to } : null,
      }
    : {}
  return (
    <ReadingsChart
      label={t.readingsOf(metrics.name(metricType, alert.field))}
      readings={data.readings}
      from={from}
      to={to}
      print={(value) => metrics.value(metricType, field, value)}
      guides={guides}
      marks={[firedAt]}
    />
  )
}
