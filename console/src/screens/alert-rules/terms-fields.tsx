// What a rule watches and when it fires.

import { Card, Group, Radio, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMay } from '../../frame/person.ts'
import { useMessages } from '../../language/language.ts'
import { SEVERITIES } from '../alerts/alert-search.ts'
import { METRIC_NAMES, useMetrics } from '../alerts/metric-names.ts'
import { PatientSelect } from '../alerts/patient-select.tsx'
import { signs } from '../alerts/sign-messages.ts'
import type { Draft, Target } from './draft.ts'
import { NumberField, Part, type PartProps } from './form-parts.tsx'
import { rules } from './messages.ts'
import { useGroups } from './rule-sentence.ts'

const KINDS = ['watermark', 'range', 'no-data'] as const

export function TermsFields(props: PartProps) {
  const t = useMessages(rules)
  const words = useMessages(signs)
  const { draft, onChange, fault } = props
  return (
    <Card withBorder>
      <Stack gap="lg">
        <TextInput
          label={t.name}
          description={t.nameHint}
          value={draft.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
          error={fault('name')}
          maxLength={255}
        />
        <Part legend={t.watches}>
          <Watched {...props} />
        </Part>
        <Part legend={t.when}>
          <Stack gap="sm">
            <Radio.Group
              label={t.kind}
              value={draft.kind}
              onChange={(kind) => onChange({ kind: kind as Draft['kind'] })}
            >
              <Group gap="md" mt={6}>
                {KINDS.map((kind) => (
                  <Radio key={kind} value={kind} label={t.kinds[kind]} />
                ))}
              </Group>
            </Radio.Group>
            <When {...props} />
          </Stack>
        </Part>
        <Radio.Group
          label={t.severity}
          value={draft.severity}
          onChange={(severity) => onChange({ severity: severity as Draft['severity'] })}
        >
          <Group gap="md" mt={6}>
            {SEVERITIES.map((severity) => (
              <Radio key={severity} value={severity} label={words.severity[severity]} />
            ))}
          </Group>
        </Radio.Group>
      </Stack>
    </Card>
  )
}

function Watched({ draft, onChange, fault }: PartProps) {
  const t = useMessages(rules)
  const metrics = useMetrics()
  const groups = useGroups().filter(({ type }) => type === 'regular')
  const isAdministrator = useMay('org-admin')
  const fields = metrics.numericFields(draft.metricType)
  const choose = (metricType: string) =>
    onChange({ metricType, field: metrics.numericFields(metricType)[0]?.name ?? null })
  const usable = METRIC_NAMES.filter((name) => draft.kind === 'no-data' || metrics.numericFields(name).length > 0)
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t.target}
        description={isAdministrator ? undefined : t.forEveryoneOnly}
        value={draft.target}
        onChange={(target) => onChange({ target: target as Target })}
      >
        <Group gap="md" mt={6}>
          <Radio value="everyone" label={t.everyone} disabled={!isAdministrator} />
          <Radio value="group" label={t.group} />
          <Radio value="patient" label={t.patient} />
        </Group>
      </Radio.Group>
      {draft.target === 'group' && (
        <Select
          label={t.chooseGroup}
          searchable
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.groupId}
          onChange={(groupId) => onChange({ groupId })}
          error={fault('group-id')}
        />
      )}
      {draft.target === 'patient' && (
        <PatientSelect
          label={t.choosePatient}
          placeholder={t.typeName}
          value={draft.individualId}
          onChange={(individualId) => onChange({ individualId })}
          error={fault('individual-id')}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t.metric}
          searchable
          allowDeselect={false}
          data={usable
            .map((name) => ({ value: name, label: metrics.typeName(name) }))
            .sort((a, b) => a.label.localeCompare(b.label))}
          value={draft.metricType}
          onChange={(name) => name && choose(name)}
          error={fault('metric-type')}
        />
        {draft.kind !== 'no-data' && fields.length > 1 && (
          <Select
            label={t.field}
            allowDeselect={false}
            data={fields.map(({ name }) => ({ value: name, label: metrics.fieldName(name) }))}
            value={draft.field}
            onChange={(field) => onChange({ field })}
            error={fault('field')}
          />
        )}
      </SimpleGrid>
    </Stack>
  )
}

function When({ draft, onChange, fault }: PartProps) {
  const t = useMessages(rules)
  const { unitOf } = useMetrics()
  const unit = unitOf(draft.metricType, draft.field)
  const withUnit = (label: string) => (unit ? `${label} (${unit})` : label)
  if (draft.kind === 'no-data')
    return (
      <NumberField
        label={t.hours}
        maw={220}
        allowDecimal={false}
        allowNegative={false}
        value={draft.hours}
        onChange={(hours) => onChange({ hours })}
        error={fault('hours')}
      />
    )
  if (draft.kind === 'range')
    return (
      <SimpleGrid cols={2} style={{ alignItems: 'start' }}>
        <NumberField
          label={withUnit(t.from)}
          value={draft.from}
          onChange={(from) => onChange({ from })}
          error={fault('from')}
        />
        <NumberField label={withUnit(t.to)} value={draft.to} onChange={(to) => onChange({ to })} error={fault('to')} />
        <NumberField
          label={t.period}
          allowDecimal={false}
          allowNegative={false}
          value={draft.period}
          onChange={(period) => onChange({ period })}
          error={fault('period')}
        />
      </SimpleGrid>
    )
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'start' }}>
      <Select
        label={t.direction}
        allowDeselect={false}
        data={[
          { value: 'above', label: t.above },
          { value: 'below', label: t.below },
        ]}
        value={draft.direction}
        onChange={(direction) => onChange({ direction: direction as Draft['direction'] })}
        error={fault('direction')}
      />
      <NumberField
        label={withUnit(t.threshold)}
        value={draft.threshold}
        onChange={(threshold) => onChange({ threshold })}
        error={fault('threshold')}
      />
      <NumberField
        label={withUnit(t.clearThreshold)}
        description={t.clearHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={draft.clearThreshold}
        onChange={(clearThreshold) => onChange({ clearThreshold })}
        error={fault('clear-threshold')}
      />
    </SimpleGrid>
  )
}
