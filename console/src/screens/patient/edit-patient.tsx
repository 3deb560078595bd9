// The form for what is known of a patient. Only what was changed is sent.

import type { Almoner } from '@almoner/client'
import { Button, Group, Modal, NativeSelect, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { Failure, notifyDone } from '../../frame/failure.tsx'
import { faultsOf } from '../../frame/faults.ts'
import { LANGUAGES, useMessages } from '../../language/language.ts'
import { almoner } from '../../session/session.ts'
import type { Patient } from './identity.tsx'
import { patient as texts } from './messages.ts'
import { individualOf, patientOf } from './questions.ts'

const GENDERS = ['female', 'male', 'other', 'pnta', 'unknown'] as const
const FIELDS = [
  'firstName',
  'lastName',
  'preferredName',
  'birthDate',
  'gender',
  'email',
  'mobilePhone',
  'locale',
  'tz',
] as const
type Field = (typeof FIELDS)[number]
type Form = Record<Field, string>
type Change = Parameters<Almoner['modifyPatient']>[0]['body']
/** An empty one is taken away; of the others one is required. */
const MAY_BE_NULL: Field[] = ['preferredName', 'email', 'mobilePhone', 'tz']

const formOf = (patient: Patient) => Object.fromEntries(FIELDS.map((name) => [name, patient[name] ?? ''])) as Form
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function changesOf(before: Form, now: Form): Change {
  const changed = FIELDS.filter((name) => now[name].trim() !== before[name])
  const sent = (name: Field) => (MAY_BE_NULL.includes(name) && now[name].trim() === '' ? null : now[name].trim())
  return Object.fromEntries(changed.map((name) => [name, sent(name)])) as Change
}

interface Props {
  patient: Patient
  onClose: () => void
}

export function EditPatient({ patient, onClose }: Props) {
  const t = useMessages(texts)
  const queries = useQueryClient()
  const before = useMemo(() => formOf(patient), [patient])
  const [form, setForm] = useState(before)
  const saving = useMutation({
    mutationFn: () => almoner.modifyPatient({ id: patient.id, body: changesOf(before, form) }),
    onSuccess: (changed) => {
      queries.setQueryData(patientOf(patient.id).queryKey, changed)
      queries.invalidateQueries({ queryKey: individualOf(patient.id).queryKey })
      notifyDone(t.saved)
      onClose()
    },
  })
  const faults = faultsOf(saving.error, (pointer) =>
    FIELDS.find((name) => pointer === `/data/attributes/${kebab(name)}` || pointer === `/${kebab(name)}`),
  )
  const field = (name: Field) => ({
    name,
    value: form[name],
    error: faults.fields[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setForm((now) => ({ ...now, [name]: value })),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(changesOf(before, form)).length === 0) onClose()
    else saving.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={t.editTitle} size="lg" closeButtonProps={{ 'aria-label': t.close }}>
      <form onSubmit={submit} noValidate>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput label={t.firstName} data-autofocus required {...field('firstName')} />
          <TextInput label={t.lastName} required {...field('lastName')} />
          <TextInput label={t.preferredName} {...field('preferredName')} />
          <TextInput label={t.birthDate} type="date" required {...field('birthDate')} />
          <NativeSelect
            label={t.gender}
            data={GENDERS.map((value) => ({ value, label: t.genders[value] }))}
            {...field('gender')}
          />
          <NativeSelect
            label={t.language}
            data={LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name }))}
            {...field('locale')}
          />
          <TextInput label={t.email} type="email" description={t.verifiedAnew} {...field('email')} />
          <TextInput label={t.phone} type="tel" description={t.verifiedAnew} {...field('mobilePhone')} />
          <Select
            label={t.timeZone}
            searchable
            clearable
            limit={60}
            clearButtonProps={{ 'aria-label': t.clear }}
            data={ZONES}
            value={form.tz || null}
            error={faults.fields.tz}
            onChange={(tz) => setForm((now) => ({ ...now, tz: tz ?? '' }))}
            nothingFoundMessage={t.noZone}
          />
        </SimpleGrid>
        {faults.rest != null && <Failure error={faults.rest} />}
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

const ZONES = Intl.supportedValuesOf('timeZone')
