import { Select, SimpleGrid } from '@mantine/core'
import { useMessages } from '../../language/language.ts'
import { type AlertSearch, SEVERITIES, SHOWN_STATES, SINCE } from './alert-search.ts'
import { alerts } from './messages.ts'
import { METRIC_NAMES, useMetrics } from './metric-names.ts'
import { PatientSelect } from './patient-select.tsx'
import { signs } from './sign-messages.ts'

interface Props {
  search: AlertSearch
  onChange: (changed: Partial<AlertSearch>) => void
}

export function AlertFilters({ search, onChange }: Props) {
  const t = useMessages(alerts)
  const words = useMessages(signs)
  const metrics = useMetrics()
  const times = { day: t.lastDay, week: t.lastWeek, month: t.lastMonth }
  const metricNames = METRIC_NAMES.map((name) => ({ value: name, label: metrics.typeName(name) })).sort((a, b) =>
    a.label.localeCompare(b.label),
  )
  const clear = { 'aria-label': t.reset, tabIndex: -1 }
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="xs" role="group" aria-label={t.filters} mb="md">
      <Select
        label={words.state.label}
        size="xs"
        allowDeselect={false}
        data={SHOWN_STATES.map((value) => ({
          value,
          label: value === 'unfinished' ? t.unfinished : words.state[value],
        }))}
        value={search.state ?? 'open'}
        onChange={(state) => onChange({ state: state === 'open' ? undefined : (state as AlertSearch['state']) })}
      />
      <Select
        label={words.severity.label}
        size="xs"
        placeholder={t.anySeverity}
        clearable
        clearButtonProps={{ ...clear, 'aria-label': t.anySeverity }}
        data={SEVERITIES.map((value) => ({ value, label: words.severity[value] }))}
        value={search.severity ?? null}
        onChange={(severity) => onChange({ severity: (severity ?? undefined) as AlertSearch['severity'] })}
      />
      <Select
        label={t.metric}
        size="xs"
        placeholder={t.anyMetric}
        clearable
        clearButtonProps={{ ...clear, 'aria-label': t.anyMetric }}
        searchable
        data={metricNames}
        value={search.metric ?? null}
        onChange={(metric) => onChange({ metric: metric ?? undefined })}
      />
      <Select
        label={t.time}
        size="xs"
        placeholder={t.anyTime}
        clearable
        clearButtonProps={{ ...clear, 'aria-label': t.anyTime }}
        data={Object.keys(SINCE).map((value) => ({ value, label: times[value as keyof typeof SINCE] }))}
        value={search.since ?? null}
        onChange={(since) => onChange({ since: (since ?? undefined) as AlertSearch['since'] })}
      />
      <PatientSelect
        label={t.patient}
        size="xs"
        placeholder={t.anyPatient}
        clearable
        clearButtonProps={{ ...clear, 'aria-label': t.anyPatient }}
        value={search.patient ?? null}
        onChange={(patient) => onChange({ patient: patient ?? undefined })}
      />
    </SimpleGrid>
  )
}
