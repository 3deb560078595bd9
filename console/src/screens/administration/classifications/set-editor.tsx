import {
  Alert,
  Button,
  Group,
  List,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { PlusIcon } from '@primer/octicons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Failure } from '../../../frame/failure.tsx'
import { faultsOf, placeOf } from '../../../frame/faults.ts'
import { useOrganization } from '../../../frame/person.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { almoner } from '../../../session/session.ts'
import { useMetrics } from '../../alerts/metric-names.ts'
import { useChange } from '../parts/changing.ts'
import classes from '../parts/parts.module.css'
import { sets } from './messages.ts'
import { RangeBars } from './range-bar.tsx'
import { RangeRows, type Row } from './range-rows.tsx'
import type { ClassificationSet } from './sets-screen.tsx'

type MetricType = Parameters<typeof almoner.createClassificationSet>[0]['body']['metricType']

interface Props {
  /** Null for a new one. */
  set: ClassificationSet | null
  /** What the form begins with. */
  start: ClassificationSet | undefined
  onMade?: (set: ClassificationSet) => void
}

const warningsKey = (id: string) => ['warningsOfSet', id]
const FIELDS = ['name', 'origin', 'metricType', 'field', 'ranges']
/** A range's own places too: `ranges.2.to`. */
const placeShown = (pointer: string) => {
  const place = placeOf(pointer)
  return FIELDS.includes(place[0] ?? '') ? place.join('.') : undefined
}
const FIRST: Row = { key: 0, label: '', from: null, to: null, context: null, tone: 'good' }

export function SetEditor({ set, start, onMade }: Props) {
  const t = useMessages(sets)
  const { id: organizationId } = useOrganization()
  const queries = useQueryClient()
  const metrics = useMetrics()
  const { data: warnings = [] } = useQuery<string[]>({ queryKey: warningsKey(set?.id ?? ''), enabled: false })
  const { data: types } = useQuery(ask('listMetricTypes', { page: { limit: 1000 } }))
  const [name, setName] = useState(start?.name ?? '')
  const [origin, setOrigin] = useState(start?.origin ?? '')
  const [metricType, setMetricType] = useState(start?.metricType ?? 'BloodPressure')
  const [field, setField] = useState(start?.field ?? 'systolic')
  const [isActive, setIsActive] = useState(set?.isActive ?? true)
  const [rows, setRows] = useState<Row[]>(start ? start.ranges.map((range, key) => ({ ...range, key })) : [FIRST])
  const numeric = (of: string) => {
    const fields = types?.items.find((one) => one.name === of)?.fields ?? []
    return fields.filter(({ kind }) => kind === 'integer' || kind === 'float')
  }
  const named = (one: string) => {
    const unit = metrics.unitOf(metricType, one)
    const fieldName = metrics.name(metricType, one)
    return unit ? `${fieldName} (${unit})` : fieldName
  }
  const contexts =
    types?.items.find((one) => one.name === metricType)?.fields.find((one) => one.name === 'context')?.values ?? []
  const saving = useChange(
    () => {
      const ranges = rows.map(({ key: _, label, ...range }) => ({ ...range, label: label.trim() }))
      const body = { name: name.trim(), origin: origin.trim(), ranges, isActive }
      return set
        ? almoner.modifyClassificationSet({ id: set.id, body })
        : almoner.createClassificationSet({
            body: { ...body, organizationId, metricType: metricType as MetricType, field },
          })
    },
    {
      refresh: ['listClassificationSets'],
      done: t.saved,
      onDone: (saved) => {
        // Kept beside the set: a new one is shown at another address.
        queries.setQueryData(warningsKey(saved.id), saved.meta.warnings)
        onMade?.(saved)
      },
    },
  )
  const { fields: at, rest } = faultsOf(saving.error, placeShown)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate(undefined)
  }
  const add = () => {
    const last = rows.at(-1)
    const key = Math.max(0, ...rows.map((row) => row.key)) + 1
    setRows([...rows, { ...FIRST, key, from: last?.to ?? null, context: last?.context ?? null, tone: 'watch' }])
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Stack gap="sm" className={classes.panel ?? ''}>
          <TextInput
            label={t.name}
            required
            maw={480}
            value={name}
            error={at.name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          {!set && (
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" maw={480}>
              <Select
                label={t.metricType}
                searchable
                allowDeselect={false}
                data={(types?.items ?? [])
                  .filter((one) => numeric(one.name).length > 0)
                  .map((one) => ({ value: one.name, label: metrics.typeName(one.name) }))}
                value={metricType}
                error={at.metricType}
                onChange={(value) => {
                  if (!value) return
                  setMetricType(value)
                  setField(numeric(value)[0]?.name ?? '')
                  setRows(rows.map((row) => ({ ...row, context: null })))
                }}
              />
              <Select
                label={t.field}
                allowDeselect={false}
                data={numeric(metricType).map((one) => ({
                  value: one.name,
                  label: named(one.name),
                }))}
                value={field}
                error={at.field}
                onChange={(value) => value && setField(value)}
              />
            </SimpleGrid>
          )}
          <Textarea
            label={t.origin}
            description={t.originHint}
            maw={640}
            autosize
            minRows={1}
            maxRows={6}
            value={origin}
            error={at.origin}
            onChange={({ currentTarget }) => setOrigin(currentTarget.value)}
          />
          <Switch
            label={t.active}
            description={t.activeHint}
            checked={isActive}
            onChange={({ currentTarget }) => setIsActive(currentTarget.checked)}
          />
        </Stack>
        <section className={classes.panel}>
          <Title order={2} mb="xs">
            {t.ranges}
          </Title>
          <RangeBars ranges={rows} />
          <RangeRows rows={rows} contexts={contexts} faults={at} onChange={setRows} />
          <Button size="xs" variant="default" mt="xs" leftSection={<PlusIcon />} onClick={add}>
            {t.add}
          </Button>
        </section>
        {warnings.length > 0 && (
          <Alert color="yellow" variant="light" role="status">
            <Text size="sm" fw={600} mb={4}>
              {t.warnings}
            </Text>
            <List size="sm">
              {warnings.map((warning) => (
                <List.Item key={warning}>{warning}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {at.ranges || rest ? <Failure error={rest ?? new Error(at.ranges)} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {t.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
