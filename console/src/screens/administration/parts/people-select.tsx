// Patients and users, chosen by typing part of a name.

import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { patientsNamed } from '../../../frame/patient-search.ts'
import { useOrganization } from '../../../frame/person.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { parts } from './messages.ts'

interface Option {
  value: string
  label: string
}

const nameOf = ({ id, firstName, lastName }: { id: string; firstName?: string; lastName?: string }): Option => ({
  value: id,
  label: `${lastName ?? ''}, ${firstName ?? ''}`,
})

/** The options found, and those chosen: a chosen one keeps its name when the words are others. */
function usePatients(chosen: string[]) {
  const t = useMessages(parts)
  const { id: organizationId } = useOrganization()
  const [typed, setTyped] = useState('')
  // A chosen name is put into the field with its comma.
  const [words] = useDebouncedValue(typed.trim(), 150)
  const { data, isFetching } = useQuery({
    ...patientsNamed(organizationId, words),
    enabled: words.length !== 1,
    placeholderData: keepPreviousData,
  })
  const found = data?.items ?? []
  const { data: known } = useQuery({
    ...ask('listIndividuals', {
      organizationId,
      filter: { individualIds: chosen },
      fields: ['firstName', 'lastName'],
      page: { limit: 1000 },
    }),
    enabled: chosen.length > 0,
    placeholderData: keepPreviousData,
  })
  const options = new Map(
    [...(known?.items ?? []), ...(words.length === 1 ? [] : found)].map((one) => [one.id, nameOf(one)]),
  )
  const empty = typed.trim().length === 1 ? t.typeName : isFetching || typed.trim() !== words ? t.searching : t.nobody
  return { typed, setTyped, options: [...options.values()], empty, isFound: new Set(found.map(({ id }) => id)) }
}

interface Shared {
  label: string
  description?: string
  error?: string | undefined
}

interface OneProps extends Shared {
  value: string | null
  onChange: (id: string | null) => void
}

export function PatientSelect({ value, onChange, ...shared }: OneProps) {
  const { typed, setTyped, options, empty } = usePatients(value ? [value] : [])
  return (
    <Select
      {...shared}
      searchable
      clearable
      data={options}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={empty}
      filter={({ options: all }) => all}
    />
  )
}

interface ManyProps extends Shared {
  value: string[]
  onChange: (ids: string[]) => void
}

export function PatientsSelect({ value, onChange, ...shared }: ManyProps) {
  const { typed, setTyped, options, empty, isFound } = usePatients(value)
  return (
    <MultiSelect
      {...shared}
      searchable
      hidePickedOptions
      data={options}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={empty}
      maxValues={1000}
      filter={({ options: all }) => all.filter((one) => 'value' in one && isFound.has(one.value))}
    />
  )
}

export function UserSelect({ value, onChange, ...shared }: OneProps) {
  const t = useMessages(parts)
  const { data, isPending } = useQuery(useStaff())
  const options = (data?.items ?? []).map((one) => nameOf(one))
  return (
    <Select
      {...shared}
      searchable
      clearable
      data={options}
      value={value}
      onChange={onChange}
      nothingFoundMessage={isPending ? t.searching : t.nobody}
    />
  )
}

/** Those who work here: who did what is told by their names. */
export function useStaff() {
  const { id: organizationId } = useOrganization()
  return {
    ...ask('listUsers', { organizationId, filter: { role: ['org-admin', 'provider'] }, page: { limit: 1000 } }),
    staleTime: 5 * 60_000,
  }
}
