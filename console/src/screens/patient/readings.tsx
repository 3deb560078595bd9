// The readings of a patient, as a chart and as a table of the same time.

import { Group, MultiSelect, NativeSelect, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useId, useMemo, useState } from 'react'
import { useMessages } from '../../language/language.ts'
import { useWhatHappened } from '../alerts/what-happened.ts'
import type { AlertMark } from './chart/draw.ts'
import { Panel } from './chart/panel.tsx'
import type { Reading } from './chart/tiles.ts'
import { DAY, TimeView, useSettledRange } from './chart/time-view.ts'
import { Toolbar } from './chart/toolbar.tsx'
import { browserZone } from './chart/zoned-time.ts'
import type { ClassificationSet } from './classification.ts'
import { LatestReadings } from './latest-readings.tsx'
import { patient as texts } from './messages.ts'
import { type MetricType, type SourceSummary, typesInOrder } from './metric-types.ts'
import { useMetricWords } from './metric-words.ts'
import { NoReadings } from './no-readings.tsx'
import type { Alert } from './open-alerts.tsx'
import { ReadingForm } from './reading-form.tsx'
import { ReadingsTable } from './readings-table.tsx'
import type { PatientSearch } from './route.ts'

interface Props {
  individualId: string
  /** The patient's time zone, if it is known. */
  tz: string | null
  types: MetricType[]
  sources: SourceSummary[]
  sets: ClassificationSet[]
  alerts: Alert[]
  /** Whether a reading is being added; the button for it is beside the heading. */
  isAdding: boolean
  onAdding: (isAdding: boolean) => void
}

const route = getRouteApi('/frame/patients/$id')
/** So many metrics are shown to someone who has chosen none. */
const AT_FIRST = 2
const MOST_PANELS = 8

export function Readings({ individualId, tz, types, sources, sets, alerts, isAdding, onAdding }: Props) {
  const t = useMessages(texts)
  const words = useMetricWords()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const hint = useId()
  const [view] = useState(() => viewOf(search, sources))
  const range = useSettledRange(view)
  const [corrected, correct] = useState<{ type: string; reading: Reading } | null>(null)
  const { held, rest } = useMemo(() => typesInOrder(types, sources), [types, sources])
  const change = (changes: PatientSearch) =>
    navigate({ search: (now: PatientSearch) => ({ ...now, ...changes }), replace: true, resetScroll: false })

  useEffect(() => {
    const now = Date.now() / 1000
    const first = Math.min(...sources.map(({ firstTime }) => firstTime.getTime() / 1000), now - DAY)
    view.limit({ from: first, to: Math.max(now, ...sources.map(({ lastTime }) => lastTime.getTime() / 1000)) })
  }, [view, sources])

  const [start] = useState(range)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows what is seen
  useEffect(() => {
    if (range !== start) change({ from: Math.round(range.from), to: Math.round(range.to) })
  }, [range])

  const ordered = [...held, ...rest]
  const names = search.metrics?.split(',') ?? held.slice(0, AT_FIRST).map(({ name }) => name)
  const shown = ordered.filter(({ name }) => names.includes(name)).slice(0, MOST_PANELS)
  const setNames = (next: string[]) => change({ metrics: next.slice(-MOST_PANELS).join(',') || undefined })
  const zone = search.clock === 'mine' ? browserZone() : (tz ?? browserZone())
  const isOtherClock = tz !== null && tz !== browserZone()
  const happened = useWhatHappened()
  // The same marks for the same alerts, so that nothing is drawn anew.
  const marks = useMemo(() => marksOf(alerts, happened), [alerts, happened])
  const optionOf = (type: MetricType) => ({ value: type.name, label: words.type(type) })
  const add = () => onAdding(true)
  const done = (type: string, time: number) => {
    onAdding(false)
    correct(null)
    if (!shown.some(({ name }) => name === type)) setNames([...names, type])
    const { from, to } = view.range
    if (time < from || time > to) view.show({ from: time - (to - from) * 0.9, to: time + (to - from) * 0.1 })
  }
  return (
    <>
      <LatestReadings
        types={ordered}
        sources={sources}
        sets={sets}
        shown={shown.map(({ name }) => name)}
        onChoose={(type) => setNames(names.includes(type) ? names.filter((one) => one !== type) : [...names, type])}
      />
      <Paper withBorder p="md" mt="md" component="section" aria-labelledby={`${hint}-title`}>
        <Group justify="space-between" mb="sm" gap="sm">
          <Title order={2} id={`${hint}-title`}>
            {t.readings}
          </Title>
          <SegmentedControl
            size="xs"
            aria-label={t.shownAs}
            transitionDuration={0}
            value={search.view ?? 'chart'}
            onChange={(value) => change({ view: value === 'table' ? 'table' : undefined })}
            data={[
              { value: 'chart', label: t.chart },
              { value: 'table', label: t.table },
            ]}
          />
        </Group>
        <MultiSelect
          aria-label={t.metrics}
          placeholder={t.metricsHint}
          mb="sm"
          searchable
          hidePickedOptions
          maxValues={MOST_PANELS}
          value={shown.map(({ name }) => name)}
          onChange={setNames}
          nothingFoundMessage={t.nothingFound}
          data={[
            ...(held.length > 0 ? [{ group: t.withReadings, items: held.map(optionOf) }] : []),
            { group: t.withoutReadings, items: rest.map(optionOf) },
          ]}
        />
        {sources.length === 0 && shown.length === 0 ? (
          <NoReadings individualId={individualId} />
        ) : (
          <Stack gap="sm">
            <Toolbar view={view} range={range} zone={zone} />
            {search.view === 'table' ? (
              <ReadingsTable
                {...{ individualId, sets, alerts, range, zone }}
                types={shown.length > 0 ? shown : held}
                onCorrect={(type, reading) => correct({ type, reading })}
              />
            ) : (
              <div>
                {shown.map((type) => (
                  <Panel
                    key={type.name}
                    {...{ individualId, type, sources, sets, view, zone }}
                    alerts={marks.get(type.name) ?? none}
                    describedBy={hint}
                    onRemove={shown.length > 1 ? () => setNames(names.filter((one) => one !== type.name)) : undefined}
                    onAdd={add}
                  />
                ))}
              </div>
            )}
            <Group justify="space-between" align="flex-end" gap="sm">
              <Text size="xs" c="dimmed" id={hint} flex="1 1 320px">
                {search.view === 'table' ? '' : isTouched() ? t.fingers : t.keys}
              </Text>
              {isOtherClock ? (
                <NativeSelect
                  size="xs"
                  aria-label={t.clock}
                  value={search.clock ?? 'patient'}
                  onChange={({ currentTarget }) =>
                    change({ clock: currentTarget.value === 'mine' ? 'mine' : undefined })
                  }
                  data={[
                    { value: 'patient', label: `${t.clockOf.patient} (${tz.replaceAll('_', ' ')})` },
                    { value: 'mine', label: `${t.clockOf.mine} (${browserZone().replaceAll('_', ' ')})` },
                  ]}
                />
              ) : (
                <Text size="xs" c="dimmed">
                  {t.timesIn(zone.replaceAll('_', ' '))}
                </Text>
              )}
            </Group>
          </Stack>
        )}
      </Paper>
      {(isAdding || corrected) && (
        <ReadingForm
          {...{ individualId, zone }}
          types={[...shown, ...ordered.filter((one) => !shown.includes(one))]}
          type={corrected?.type ?? shown[0]?.name ?? ''}
          corrected={corrected?.reading}
          onDone={done}
          onClose={() => {
            onAdding(false)
            correct(null)
          }}
        />
      )}
    </>
  )
}

/** What the address says, else the last month; of someone with older readings only, the month up to the newest. */
function viewOf({ from, to }: PatientSearch, sources: SourceSummary[]): TimeView {
  if (from !== undefined && to !== undefined) return new TimeView({ from, to })
  const now = Date.now() / 1000
  const newest = Math.max(...sources.map(({ lastTime }) => lastTime.getTime() / 1000))
  const end = sources.length > 0 && newest < now - 30 * DAY ? newest + DAY : now
  return new TimeView({ from: end - 30 * DAY, to: end + DAY })
}

const isTouched = () => matchMedia('(pointer: coarse)').matches

const none: AlertMark[] = []

/** By metric type. */
function marksOf(alerts: Alert[], happened: (alert: Alert) => string): Map<string, AlertMark[]> {
  const marks = new Map<string, AlertMark[]>()
  for (const alert of alerts) {
    const { id, firedAt, ruleName, metricType } = alert
    const mark = { id, time: firedAt.getTime() / 1000, text: `${ruleName}: ${happened(alert)}` }
    const others = marks.get(metricType)
    if (others) others.push(mark)
    else marks.set(metricType, [mark])
  }
  return marks
}
