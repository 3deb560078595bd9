// A metric in the chart: its name, its sources, its ranges, and the drawing.

import { ActionIcon, Box, Button, Checkbox, Group, Loader, NativeSelect, Text, Title, Tooltip } from '@mantine/core'
import { XIcon } from '@primer/octicons-react'
import { useMemo, useRef, useState } from 'react'
import { Failure } from '../../../frame/failure.tsx'
import { useMessages } from '../../../language/language.ts'
import { type ClassificationSet, contextsOf, rangesOf, setFor } from '../classification.ts'
import { patient } from '../messages.ts'
import { fieldGroups, isInLanes, type MetricField, type MetricType, type SourceSummary } from '../metric-types.ts'
import { useMetricWords } from '../metric-words.ts'
import classes from './chart.module.css'
import { type AlertMark, drawAlerts, drawLanes, drawRangeNames, drawRanges, drawTraces } from './draw.ts'
import { moveByKey, useGestures } from './gestures.ts'
import { type Lane, lanesOf } from './lanes.ts'
import { type Content, Plot } from './plot.tsx'
import { Swatch } from './swatch.tsx'
import { spanOf, type TimeRange, type TimeView, useSettledRange } from './time-view.ts'
import { rangeOfTraces, type Trace, tracesOfReadings, tracesOfSummaries } from './traces.ts'
import { useReadings } from './use-readings.ts'
import { useWordsAt } from './words-at.ts'

interface Props {
  individualId: string
  type: MetricType
  sources: SourceSummary[]
  sets: ClassificationSet[]
  alerts: AlertMark[]
  view: TimeView
  zone: string
  describedBy: string
  onRemove: (() => void) | undefined
  onAdd: () => void
}

const HEIGHT = 190
const LANE_HEIGHT = 38
const AXIS_HEIGHT = 32

export function Panel({ individualId, type, sources, sets, alerts, view, zone, describedBy, onRemove, onAdd }: Props) {
  const t = useMessages(patient)
  const words = useMetricWords()
  const isLanes = isInLanes(type)
  const groups = fieldGroups(type)
  const [groupAt, chooseGroup] = useState(0)
  const fields = useMemo(() => fieldGroups(type)[groupAt] ?? [], [type, groupAt])
  const [hidden, hide] = useState<readonly string[]>([])
  const bands = useMemo(() => bandsOf(sets, type, fields), [sets, type, fields])
  const [bandKey, chooseBand] = useState<string | undefined>(undefined)
  const band = bandKey === '' ? undefined : (bands.find(({ key }) => key === bandKey) ?? bands[0])
  const origins = useMemo(() => sources.filter((one) => one.type === type.name), [sources, type])
  const names = useMemo(() => origins.map(({ source }) => source), [origins])
  const { loaded, isLoading, error } = useReadings({
    ...{ individualId, type: type.name, zone, view, origins },
    canSummarize: !isLanes,
    isAdded: fields.some(({ isAdditive }) => isAdditive),
  })
  const drawn = useMemo(() => {
    const isShown = ({ source }: { source: string }) => !hidden.includes(source)
    const readings = (loaded?.readings ?? []).filter(isShown)
    if (isLanes) return { lanes: lanesOf(type, readings, names, words.word), traces: [] }
    const traces =
      loaded?.resolution === 'readings'
        ? tracesOfReadings(readings, fields, names)
        : tracesOfSummaries((loaded?.bySource ?? []).filter(isShown), fields, names)
    return { lanes: [], traces }
  }, [loaded, hidden, fields, type, isLanes, names, words])
  const wordsAt = useWordsAt({ ...drawn, alerts, zone, resolution: loaded?.resolution ?? 'readings' })
  const content = useMemo((): Content => {
    const { lanes, traces } = drawn
    if (isLanes)
      return {
        range: [0, Math.max(1, lanes.length)],
        isLanes: true,
        draw: (u, colours, font) => {
          drawLanes(u, lanes, colours, font)
          drawAlerts(u, alerts, colours)
        },
        wordsAt,
      }
    // Where two fields share a panel, a name says which of them it is about.
    const whose = band && fields.length > 1 ? `${words.word(band.field)}: ` : ''
    const ranges = (band?.ranges ?? []).map((range) => ({ range, name: `${whose}${words.word(range.label)}` }))
    return {
      range: rangeOfTraces(traces),
      below: (u, colours) => drawRanges(u, ranges, colours),
      draw: (u, colours, font) => {
        drawTraces(u, traces, colours)
        drawRangeNames(u, ranges, colours, font)
        drawAlerts(u, alerts, colours)
      },
      wordsAt,
    }
  }, [drawn, isLanes, alerts, wordsAt, band, fields, words])
  const said = useRef<HTMLDivElement>(null)
  const area = useGestures(view)
  const title = words.type(type)
  const unit = words.unit(fields[0]?.unit ?? null)
  const hasUnit = !isLanes && unit !== '' && unit.toLowerCase() !== title.toLowerCase()
  const resolutions = fields.some(({ isAdditive }) => isAdditive) ? t.totals : t.resolutions
  const settled = useSettledRange(view)
  const isNoneHere =
    loaded !== null && !isLoading && origins.length > 0 && !loaded.isTooMany && !holdsAny(drawn, settled)
  const height = isLanes ? Math.max(1, drawn.lanes.length) * LANE_HEIGHT + AXIS_HEIGHT : HEIGHT
  return (
    <section className={classes.panel} aria-label={title} data-resolution={loaded?.resolution} data-type={type.name}>
      <Group gap="sm" mb={4} align="center">
        <Title order={3}>
          {title}
          {hasUnit && (
            <Text span size="sm" c="dimmed" fw={400}>
              {' '}
              {unit}
            </Text>
          )}
        </Title>
        <Text size="xs" c="dimmed">
          {[
            fields.length > 1 ? t.lines(fields.map((field) => words.field(field))) : '',
            isLanes || !loaded || origins.length === 0 ? '' : resolutions[loaded.resolution],
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <Group gap="sm" ml="auto" wrap="wrap">
          {groups.length > 1 && (
            <NativeSelect
              size="xs"
              aria-label={t.field(title)}
              value={groupAt}
              onChange={({ currentTarget }) => chooseGroup(Number(currentTarget.value))}
              data={groups.map((some, at) => ({
                value: String(at),
                label: some.map((field) => words.field(field)).join(', '),
              }))}
            />
          )}
          {bands.length > 0 && (
            <NativeSelect
              size="xs"
              aria-label={t.ranges(title)}
              value={band?.key ?? ''}
              onChange={({ currentTarget }) => chooseBand(currentTarget.value)}
              data={[
                ...bands.map(({ key, field, context }) => ({
                  value: key,
                  label: t.rangesOf(
                    [fields.length > 1 ? words.word(field) : '', context ? words.word(context) : '']
                      .filter(Boolean)
                      .join(', '),
                  ),
                })),
                { value: '', label: t.noRanges },
              ]}
            />
          )}
          {onRemove && (
            <Tooltip label={t.removeMetric(title)}>
              <ActionIcon variant="subtle" color="gray" onClick={onRemove} aria-label={t.removeMetric(title)}>
                <XIcon size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </Group>
      {error && <Failure error={error} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        ref={area}
        className={classes.area}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys that move through time work here
        tabIndex={0}
        aria-label={t.chartOf(title)}
        aria-describedby={describedBy}
        onKeyDown={(event) => moveByKey(view, event)}
      >
        <Plot
          view={view}
          zone={zone}
          height={height}
          content={content}
          onWords={(text, isLeft) => {
            if (!said.current) return
            if (said.current.textContent !== text) said.current.textContent = text
            const side = isLeft ? 'right' : 'left'
            if (said.current.dataset.side !== side) said.current.dataset.side = side
          }}
        />
        <div ref={said} className={classes.words} aria-hidden />
        {isLoading && <Loader size={14} className={classes.busy} aria-hidden />}
        {origins.length === 0 && (
          <div className={classes.veil}>
            <Box>
              <Text size="sm" c="dimmed" mb="xs">
                {t.noneOfType(title)}
              </Text>
              <Button size="xs" variant="default" onClick={onAdd}>
                {t.addReading}
              </Button>
            </Box>
          </div>
        )}
        {isNoneHere && (
          <div className={classes.veil}>
            <Box>
              <Text size="sm" c="dimmed" mb="xs">
                {t.noneHere}
              </Text>
              <Button size="xs" variant="default" onClick={() => showNewest(view, origins)}>
                {t.toNewest}
              </Button>
            </Box>
          </div>
        )}
        {loaded?.isTooMany && isLanes && (
          <div className={classes.veil}>
            <Text size="sm">{t.tooMany}</Text>
          </div>
        )}
      </div>
      {names.length > 0 && (
        <Group gap="md" mt={2} pl={58} role="group" aria-label={t.sourcesOf(title)}>
          {names.map((source) => (
            <Checkbox
              key={source}
              size="xs"
              checked={!hidden.includes(source)}
              onChange={({ currentTarget }) =>
                hide(currentTarget.checked ? hidden.filter((one) => one !== source) : [...hidden, source])
              }
              label={
                <Group gap={6} wrap="nowrap">
                  <Swatch sources={names} source={source} />
                  {source}
                </Group>
              }
            />
          ))}
        </Group>
      )}
    </section>
  )
}

interface Drawn {
  traces: Trace[]
  lanes: Lane[]
}

const holdsAny = ({ traces, lanes }: Drawn, { from, to }: TimeRange): boolean =>
  traces.some(({ times, ends }) => times.some((time, at) => time <= to && (ends?.[at] ?? time) >= from)) ||
  lanes.some(({ marks }) => marks.some((mark) => mark.from <= to && (mark.to ?? mark.from) >= from))

function showNewest(view: TimeView, origins: SourceSummary[]): void {
  const newest = Math.max(...origins.map(({ lastTime }) => lastTime.getTime() / 1000))
  const span = spanOf(view.range)
  view.glideTo({ from: newest - span * 0.9, to: newest + span * 0.1 })
}

/** Ranges overlap between fields and contexts: one of them is shown at a time. */
function bandsOf(sets: ClassificationSet[], type: MetricType, fields: MetricField[]) {
  return fields.flatMap(({ name: field }) => {
    const set = setFor(sets, type.name, field)
    if (!set) return []
    return [null, ...contextsOf(set)].map((context) => ({
      key: `${field} ${context ?? ''}`,
      field,
      context,
      ranges: rangesOf(set, context),
    }))
  })
}
