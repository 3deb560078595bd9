// A reading by hand, or a correction of one: the same time and source with other values.

import { Button, Group, Modal, NativeSelect, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Failure, notifyDone } from '../../frame/failure.tsx'
import { faultsOf } from '../../frame/faults.ts'
import { useMay } from '../../frame/person.ts'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { almoner } from '../../session/session.ts'
import type { Reading } from './chart/tiles.ts'
import { fromInput, printOffset, toInput } from './chart/zoned-time.ts'
import { patient as texts } from './messages.ts'
import { isNumeric, type MetricField, type MetricType } from './metric-types.ts'
import { useMetricWords } from './metric-words.ts'
import { useReadingsChanged } from './questions.ts'
import { ReadingHistory } from './reading-history.tsx'

const BY_HAND = 'manual'
const PLACE = '/data/0/attributes/data/0/'

interface Props {
  individualId: string
  zone: string
  /** Those to choose from, the likeliest first. */
  types: MetricType[]
  type: string
  /** The reading to correct; a new one when left out. */
  corrected?: Reading | undefined
  onDone: (type: string, time: number) => void
  onClose: () => void
}

const written = (reading: Reading | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(reading?.values ?? {}).map(([name, value]) => [name, String(value)]))

export function ReadingForm({ individualId, zone, types, type: first, corrected, onDone, onClose }: Props) {
  const t = useMessages(texts)
  const words = useMetricWords()
  const isAdministrator = useMay('org-admin')
  const readingsChanged = useReadingsChanged(individualId)
  const offered = types.filter(({ isOpen }) => !isOpen)
  const [name, choose] = useState(offered.some((one) => one.name === first) ? first : (offered[0]?.name ?? ''))
  const type = offered.find((one) => one.name === name)
  const fields = type?.fields ?? []
  const [time, setTime] = useState(() =>
    toInput(zone, corrected?.time ?? Date.now() / 1000).slice(0, corrected ? 19 : 16),
  )
  const [values, setValues] = useState(() => written(corrected))
  const [own, setOwn] = useState<Record<string, string>>({})
  const source = corrected?.source ?? BY_HAND
  const seconds = corrected?.time ?? fromInput(zone, time)
  const saving = useMutation({
    mutationFn: () =>
      almoner.pushTimeseries({
        body: [
          {
            individualId,
            type: name,
            source,
            data: [pointOf(name, fields, values, momentOf(seconds, zone, corrected), corrected)],
          },
        ],
      }),
    onSuccess: async ([result]) => {
      await readingsChanged(name)
      notifyDone(result?.unchanged ? t.unchanged : corrected ? t.corrected : t.added)
      onDone(name, seconds)
    },
  })
  const faults = faultsOf(saving.error, (pointer) => {
    const place = pointer.startsWith(PLACE) ? pointer.slice(PLACE.length) : ''
    return place === 'time' || fields.some((field) => field.name === place) ? place : undefined
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found: Record<string, string> = {}
    if (Number.isNaN(seconds)) found.time = t.notTime
    for (const field of fields) {
      const value = (values[field.name] ?? '').trim()
      if (value === '' && !field.isOptional) found[field.name] = t.needed
      else if (value !== '' && isNumeric(field) && numberOf(value) === null) found[field.name] = t.notNumber
    }
    setOwn(found)
    if (Object.keys(found).length === 0) saving.mutate()
  }
  const errorOf = (field: string) => own[field] ?? faults.fields[field]
  return (
    <Modal
      opened
      onClose={onClose}
      title={corrected ? t.correctTitle : t.addTitle}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <form onSubmit={submit} noValidate>
        {corrected ? (
          <Text size="sm" mb="sm">
            {t.correctMeans}
          </Text>
        ) : (
          <NativeSelect
            label={t.metric}
            mb="sm"
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => {
              choose(currentTarget.value)
              setValues({})
              setOwn({})
              saving.reset()
            }}
            data={offered.map((one) => ({ value: one.name, label: words.type(one) }))}
          />
        )}
        <TextInput
          label={t.time}
          type="datetime-local"
          mb="sm"
          required
          step={corrected ? 1 : 60}
          disabled={corrected !== undefined}
          description={t.timeHint(zone.replaceAll('_', ' '))}
          value={time}
          error={errorOf('time')}
          onChange={({ currentTarget }) => setTime(currentTarget.value)}
        />
        {fields.map((field, place) => (
          <Field
            key={`${name} ${field.name}`}
            field={field}
            label={field.name === 'value' && type ? words.type(type) : words.field(field)}
            value={values[field.name] ?? ''}
            error={errorOf(field.name)}
            isFocused={corrected !== undefined && place === 0}
            onChange={(value) => setValues((now) => ({ ...now, [field.name]: value }))}
          />
        ))}
        <Text size="sm" c="dimmed">
          {t.sourceIs(source)}
        </Text>
        {faults.rest != null && <Failure error={faults.rest} />}
        {corrected && isAdministrator && type && (
          <ReadingHistory individualId={individualId} type={type} reading={corrected} />
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {t.save}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

interface FieldProps {
  field: MetricField
  label: string
  value: string
  error: string | undefined
  isFocused: boolean
  onChange: (value: string) => void
}

function Field({ field, label, value, error, isFocused, onChange }: FieldProps) {
  const t = useMessages(texts)
  const words = useMetricWords()
  const formats = useFormats()
  const { minimum, maximum, unit } = field
  const bounds =
    minimum === null || maximum === null
      ? words.unit(unit)
      : t.bounds(formats.number(minimum), formats.number(maximum), words.unit(unit))
  const common = {
    label,
    mb: 'sm',
    required: !field.isOptional,
    error,
    value,
    ...(isFocused ? { 'data-autofocus': true } : {}),
    description: [bounds, field.isOptional ? t.optional : ''].filter(Boolean).join(' · ') || undefined,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  } as const
  if (field.values)
    return (
      <NativeSelect
        {...common}
        data={[{ value: '', label: '' }, ...field.values.map((one) => ({ value: one, label: words.word(one) }))]}
      />
    )
  return <TextInput {...common} inputMode={isNumeric(field) ? 'decimal' : 'text'} />
}

/** A comma is the point of many languages. */
function numberOf(value: string): number | null {
  const number = Number(value.replace(',', '.'))
  return Number.isFinite(number) ? number : null
}

function pointOf(
  type: string,
  fields: MetricField[],
  values: Record<string, string>,
  time: string,
  corrected: Reading | undefined,
): Record<string, unknown> {
  const tags = corrected?.values.tags
  const given = fields.flatMap((field): [string, unknown][] => {
    const value = (values[field.name] ?? '').trim()
    return value === '' ? [] : [[field.name, isNumeric(field) ? numberOf(value) : value]]
  })
  return { type, time, ...Object.fromEntries(given), ...(tags === undefined ? {} : { tags }) }
}

/** A reading keeps the offset of the clock that it was taken by. */
function momentOf(seconds: number, zone: string, corrected: Reading | undefined): string {
  if (!corrected) return `${toInput(zone, seconds)}${printOffset(zone, seconds)}`
  const offset = corrected.values['utc-offset']
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d+):(\d+)$/.exec(String(offset ?? '')) ?? []
  const shift = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
  const shown = new Date((seconds + shift) * 1000).toISOString().slice(0, 19)
  return typeof offset === 'string' ? `${shown}${offset}` : shown.replace('T', ' ')
}
