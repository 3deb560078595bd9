// Ctrl-K: a patient by name, or a screen.

import { Spotlight, spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { useDebouncedValue } from '@mantine/hooks'
import { SearchIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { useFormats } from '../language/formats.ts'
import { useLanguage, useMessages } from '../language/language.ts'
import { isOpenTo, navigation } from '../navigation.ts'
import { frame } from './messages.ts'
import { isNamed, patientsNamed } from './patient-search.ts'
import { useMay, usePerson } from './person.ts'

export const openPalette = (): void => spotlight.open()

/** Enter takes the first of what was found, unless the arrow keys chose another. */
function chooseFirst({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void {
  const dialog = currentTarget.closest('[role=dialog]')
  if (key !== 'Enter' || dialog?.querySelector('[data-action][data-selected]')) return
  dialog?.querySelector<HTMLElement>('[data-action]')?.click()
}

export function Palette() {
  const t = useMessages(frame)
  const language = useLanguage()
  const formats = useFormats()
  const navigate = useNavigate()
  const { roles, organization } = usePerson()
  const seesPatients = useMay('org-admin', 'provider')
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), 150)
  const { data, isFetching } = useQuery({
    ...patientsNamed(organization?.id ?? '', words),
    enabled: seesPatients && organization !== undefined && words.length > 1,
    placeholderData: keepPreviousData,
  })
  const isPart = (title: string) => title.toLowerCase().includes(typed.trim().toLowerCase())
  const screens = navigation.filter((one) => isOpenTo(one, roles) && isPart(one.title[language]))
  // What was found for the words before may no longer fit the words now.
  const found = words.length > 1 ? (data?.items ?? []).filter((one) => isNamed(one, typed)) : []
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': t.searchHint } }}
    >
      <Spotlight.Search
        placeholder={t.searchHint}
        aria-label={t.searchHint}
        leftSection={<SearchIcon />}
        onKeyDown={chooseFirst}
      />
      <Spotlight.ActionsList>
        {found.length > 0 && (
          <Spotlight.ActionsGroup label={t.patients}>
            {found.map(({ id, firstName, lastName, birthDate }) => (
              <Spotlight.Action
                key={id}
                label={`${lastName}, ${firstName}`}
                description={birthDate ? formats.day(birthDate) : ''}
                onClick={() => navigate({ to: `/patients/${id}` })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {screens.length > 0 && (
          <Spotlight.ActionsGroup label={t.screens}>
            {screens.map(({ path, icon: Icon, title }) => (
              <Spotlight.Action
                key={path}
                label={title[language]}
                leftSection={<Icon size={16} />}
                onClick={() => navigate({ to: path })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {found.length === 0 && screens.length === 0 && (
          <Spotlight.Empty>{isFetching || typed.trim() !== words ? t.searching : t.nothingFound}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
