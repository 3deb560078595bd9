// How everyone is, for a care team.

import type { AnswerTo } from '@almoner/client'
import { Card, SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Failure } from '../../frame/failure.tsx'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { SEVERITIES } from '../alerts/alert-search.ts'
import { DayBars } from '../alerts/day-bars.tsx'
import { severityIcons } from '../alerts/severity.tsx'
import { FirstSteps } from './first-steps.tsx'
import classes from './home.module.css'
import { home } from './messages.ts'
import { OutOfRange } from './out-of-range.tsx'
import { States } from './states.tsx'

export type Summary = AnswerTo<'getPopulationSummary'>

const TREND_DAYS = 30

export function Population({ organizationId }: { organizationId: string }) {
  const t = useMessages(home)
  const { data, error, refetch } = useQuery({
    ...ask('getPopulationSummary', { organizationId }),
    placeholderData: keepPreviousData,
    refetchInterval: 5 * 60_000,
  })
  if (error && !data) return <Failure error={error} onRetry={() => refetch()} />
  if (!data) return <Skeleton height={420} />
  return (
    <>
      <FirstSteps summary={data} />
      <OpenAlerts summary={data} />
      <Today summary={data} />
      <div className={classes.columns}>
        <Card withBorder component="section" aria-labelledby="out-of-range">
          <Title order={2} mb="xs" id="out-of-range">
            {t.outOfRange}
          </Title>
          <OutOfRange readings={data.outOfRange} />
        </Card>
        <div className={classes.column}>
          <Card withBorder component="section" aria-labelledby="by-day">
            <Title order={2} mb="xs" id="by-day">
              {t.alertsByDay}
            </Title>
            <Trend summary={data} />
          </Card>
          <Card withBorder component="section" aria-labelledby="states">
            <Title order={2} mb="xs" id="states">
              {t.states}
            </Title>
            <States states={data.states} />
          </Card>
        </div>
      </div>
    </>
  )
}

function OpenAlerts({ summary }: { summary: Summary }) {
  const t = useMessages(home)
  const { number } = useFormats()
  return (
    <section aria-labelledby="open-alerts">
      <Title order={2} mb="xs" id="open-alerts">
        {t.openAlerts}
      </Title>
      <SimpleGrid cols={3} spacing={{ base: 'xs', sm: 'md' }} mb="md">
        {SEVERITIES.map((severity) => {
          const { open = 0, acknowledged = 0 } = summary.openAlerts.find((one) => one.severity === severity) ?? {}
          const Icon = severityIcons[severity]
          return (
            <Link
              key={severity}
              to="/alerts"
              preload={false}
              search={{ severity }}
              className={classes.tile}
              data-severity={open > 0 ? severity : undefined}
            >
              <span className={classes.label}>
                <Icon size={16} />
                {t.severity[severity]}
              </span>
              <span className={classes.number}>{number(open)}</span>
              {acknowledged > 0 && (
                <Text size="xs" c="dimmed">
                  {t.besides(number(acknowledged))}
                </Text>
              )}
            </Link>
          )
        })}
      </SimpleGrid>
    </section>
  )
}

function Today({ summary }: { summary: Summary }) {
  const t = useMessages(home)
  const { number } = useFormats()
  const { individuals, measuredToday, measuredThisWeek } = summary
  const share = (count: number) =>
    individuals === 0 ? '' : t.ofAll(`${number(Math.round((count / individuals) * 100))}%`)
  const figures = [
    { label: t.all, count: individuals, more: '' },
    { label: t.measuredToday, count: measuredToday, more: share(measuredToday) },
    { label: t.measuredThisWeek, count: measuredThisWeek, more: share(measuredThisWeek) },
  ]
  return (
    <section aria-labelledby="patients">
      <Title order={2} mb="xs" id="patients">
        {t.patients}
      </Title>
      <Card withBorder padding="sm" mb="md">
        <dl className={classes.figures}>
          {figures.map(({ label, count, more }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <span className={classes.figure}>{number(count)}</span> {more}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
    </section>
  )
}

function Trend({ summary }: { summary: Summary }) {
  const t = useMessages(home)
  const { number } = useFormats()
  const total = (severity: string) =>
    summary.alertsByDay.filter((one) => one.severity === severity).reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <DayBars label={t.alertsByDay} counts={summary.alertsByDay} until={new Date()} days={TREND_DAYS} />
      {summary.alertsByDay.length > 0 && (
        <ul className={classes.legend}>
          {SEVERITIES.map((severity) => (
            <li key={severity} data-severity={severity}>
              {t.severity[severity]} {number(total(severity))}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
