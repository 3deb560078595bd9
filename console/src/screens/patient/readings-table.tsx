// The readings of what the chart shows, as a table: the same time, page by page, the newest first.

import { ActionIcon, Badge, Button, Group, NativeSelect, Switch, Table, Text } from '@mantine/core'
import { ChevronLeftIcon, ChevronRightIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Failure } from '../../frame/failure.tsx'
import { useMay } from '../../frame/person.ts'
import { useFormats } from '../../language/formats.ts'
import { LANGUAGE_TAGS, useLanguage, useMessages } from '../../language/language.ts'
import type { Reading } from './chart/tiles.ts'
import type { TimeRange } from './chart/time-view.ts'
import { type ClassificationSet, rangeOfReading } from './classification.ts'
import { patient as texts } from './messages.ts'
import type { MetricType } from './metric-types.ts'
import { useMetricWords } from './metric-words.ts'
import type { Alert } from './open-alerts.tsx'
import classes from './patient.module.css'
import { readingsPage } from './questions.ts'
import { ChangedBy } from './reading-history.tsx'
import { StateName } from './state-name.tsx'

interface Props {
  individualId: string
  types: MetricType[]
  sets: ClassificationSet[]
  alerts: Alert[]
  range: TimeRange
  zone: string
  onCorrect: (type: string, reading: Reading) => void
}

const ROWS = 50

export function ReadingsTable({ individualId, types, sets, alerts, range, zone, onCorrect }: Props) {
  const t = useMessages(texts)
  const words = useMetricWords()
  const formats = useFormats()
  const language = useLanguage()
  const isStaff = useMay('org-admin', 'provider')
  const isAdministrator = useMay('org-admin')
  const [chosen, choose] = useState(types[0]?.name)
  const type = types.find(({ name }) => name === chosen) ?? types[0]
  const [withFormer, setWithFormer] = useState(false)
  const [page, setPage] = useState(0)
  const [from, to] = [Math.floor(range.from), Math.ceil(range.to)]
  // biome-ignore lint/correctness/useExhaustiveDependencies: something else begins with its first page
  useEffect(() => setPage(0), [from, to, type?.name, withFormer])
  const { data, error, refetch } = useQuery({
    ...readingsPage({
      ...{ individualId, type: type?.name ?? '', from, to, withFormer },
      page: { limit: ROWS, offset: page * ROWS },
    }),
    enabled: type !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
  if (!type) return null
  const moment = new Intl.DateTimeFormat(LANGUAGE_TAGS[language], {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: zone,
  })
  const rows = data?.readings ?? []
  const total = data?.total ?? 0
  const shown = type.isOpen ? openFields(rows) : type.fields
  const firedAt = Map.groupBy(
    alerts.filter(({ metricType }) => metricType === type.name),
    ({ firedAt: at }) => at.getTime() / 1000,
  )
  const label = (name: string, unit: string | null) =>
    [name === 'value' ? words.type(type) : words.word(name), unit ? `(${words.unit(unit)})` : '']
      .filter(Boolean)
      .join(' ')
  return (
    <>
      <Group justify="space-between" mb="xs" gap="sm">
        <NativeSelect
          aria-label={t.metricOfTable}
          value={type.name}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={types.map((one) => ({ value: one.name, label: words.type(one) }))}
        />
        {isAdministrator && (
          <Switch
            size="sm"
            label={t.showFormer}
            checked={withFormer}
            onChange={({ currentTarget }) => setWithFormer(currentTarget.checked)}
          />
        )}
      </Group>
      {error && <Failure error={error} onRetry={refetch} />}
      {/* The focus is what lets a keyboard scroll it sideways. */}
      <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table striped highlightOnHover aria-label={words.type(type)}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.timeIn(zone.replaceAll('_', ' '))}</Table.Th>
              {shown.map(({ name, unit }) => (
                <Table.Th key={name}>{label(name, unit)}</Table.Th>
              ))}
              <Table.Th>{t.stateOfReading}</Table.Th>
              <Table.Th>{t.source}</Table.Th>
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((reading) => {
              const { time, source, values } = reading
              const isFormer = values['deleted-at'] !== undefined
              const when = moment.format(time * 1000)
              return (
                <Table.Tr
                  key={`${time} ${source} ${values['deleted-at'] ?? ''}`}
                  className={isFormer ? classes.former : undefined}
                >
                  <Table.Td>
                    {when}
                    {typeof values['utc-offset'] === 'string' && (
                      <Text span size="xs" c="dimmed">
                        {' '}
                        UTC{values['utc-offset']}
                      </Text>
                    )}
                  </Table.Td>
                  {shown.map(({ name, values: choices }) => (
                    <Table.Td key={name}>
                      {printed(values[name], formats.number, choices ? words.word : undefined)}
                    </Table.Td>
                  ))}
                  <Table.Td>
                    <div className={classes.states}>
                      {type.fields.map(({ name }) => {
                        const found = rangeOfReading(sets, type.name, name, values)
                        return found && <StateName key={name} range={found} />
                      })}
                      {!isFormer &&
                        firedAt.get(time)?.map(({ id, message }) => (
                          <Badge
                            key={id}
                            size="sm"
                            color="red"
                            variant="outline"
                            tt="none"
                            title={message}
                            className={classes.badge}
                          >
                            {t.alert}
                          </Badge>
                        ))}
                    </div>
                  </Table.Td>
                  <Table.Td>{source}</Table.Td>
                  <Table.Td>
                    {isFormer ? (
                      <Text size="xs">
                        <ChangedBy values={values} />
                      </Text>
                    ) : (
                      !type.isOpen &&
                      isStaff && (
                        <Button
                          size="compact-xs"
                          variant="default"
                          aria-label={t.correctThat(when)}
                          onClick={() => onCorrect(type.name, reading)}
                        >
                          {t.correct}
                        </Button>
                      )
                    )}
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {data && total === 0 && (
        <Text c="dimmed" size="sm" my="sm">
          {t.noneHere}
        </Text>
      )}
      {total > 0 && (
        <Group justify="flex-end" gap="xs" mt="xs" component="nav" aria-label={t.pages}>
          <Text size="sm" role="status">
            {t.rows(page * ROWS + 1, Math.min(total, (page + 1) * ROWS), formats.number(total))}
          </Text>
          <ActionIcon variant="default" aria-label={t.previous} disabled={page === 0} onClick={() => setPage(page - 1)}>
            <ChevronLeftIcon />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={t.next}
            disabled={(page + 1) * ROWS >= total}
            onClick={() => setPage(page + 1)}
          >
            <ChevronRightIcon />
          </ActionIcon>
        </Group>
      )}
    </>
  )
}

function printed(value: unknown, number: (value: number) => string, word?: (value: string) => string): string {
  if (typeof value === 'number') return number(value)
  if (typeof value === 'string') return word ? word(value) : value
  return value === undefined ? '' : String(value)
}

const OF_EVERY_POINT = ['tags', 'utc-offset', 'deleted-at', 'deleted-by']

/** A type that takes any fields has those that its readings have. */
const openFields = (rows: Reading[]) =>
  [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
    .filter((name) => !OF_EVERY_POINT.includes(name))
    .map((name) => ({ name, unit: null, values: null }))
