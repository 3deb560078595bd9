import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isNamed, patientsNamed } from '../../frame/patient-search.ts'
import { useOrganization } from '../../frame/person.ts'
import { useFormats } from '../../language/formats.ts'
import { ask } from '../../session/asking.ts'

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchable'> {
  value: string | null
  onChange: (id: string | null) => void
}

/** One patient, found by typing part of the name. */
export function PatientSelect({ value, onChange, ...rest }: Props) {
  const { id: organizationId } = useOrganization()
  const formats = useFormats()
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), 150)
  const chosen = useQuery({
    ...ask('getIndividual', { id: value ?? '', fields: ['firstName', 'lastName', 'birthDate'] }),
    enabled: value !== null,
  })
  const nameOf = (one: { firstName?: string; lastName?: string }) => `${one.lastName}, ${one.firstName}`
  const isSearching = words.length > 0 && words !== (chosen.data ? nameOf(chosen.data) : '')
  const found = useQuery({
    ...patientsNamed(organizationId, words),
    enabled: isSearching,
    placeholderData: keepPreviousData,
  })
  const people = new Map(
    (isSearching ? (found.data?.items ?? []) : []).filter((one) => isNamed(one, words)).map((one) => [one.id, one]),
  )
  if (chosen.data && value) people.set(value, chosen.data)
  const data = [...people.values()].map((one) => ({ value: one.id, label: nameOf(one), birthDate: one.birthDate }))
  return (
    <Select
      {...rest}
      value={value}
      onChange={onChange}
      data={data}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The service has looked already, for words in any order.
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const born = people.get(option.value)?.birthDate
        return born ? `${option.label} · ${formats.day(born)}` : option.label
      }}
    />
  )
}
