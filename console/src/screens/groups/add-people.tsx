// Whoever could be added to a group, found by name and ticked.

import { Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { SearchIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../frame/failure.tsx'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { useChange } from '../administration/parts/changing.ts'
import { FormDialog } from '../administration/parts/form-dialog.tsx'
import type { Group } from './browsing.ts'
import classes from './groups.module.css'
import { groups } from './messages.ts'

const MOST = 20

interface Props {
  group: Group
  memberType: 'individual' | 'leader' | 'member'
  add: (ids: string[]) => Promise<unknown>
  onClose: () => void
}

export function AddPeople({ group, memberType, add, onClose }: Props) {
  const t = useMessages(groups)
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), 150)
  const [chosen, setChosen] = useState<{ id: string; name: string }[]>([])
  const { data, error } = useQuery({
    ...ask('getEligibleMembers', {
      id: group.id,
      memberType,
      filter: words ? { text: words } : {},
      page: { limit: MOST },
    }),
    placeholderData: keepPreviousData,
  })
  const adding = useChange(() => add(chosen.map(({ id }) => id)), {
    refresh: ['listGroups', 'getGroup', 'listIndividuals', 'getEligibleMembers'],
    done: t.added,
    onDone: onClose,
  })
  const found = (data?.items ?? []).map((one) => ({
    // Patients are added by the id of their record, and staff by that of their user.
    id: memberType === 'individual' ? one.individualId : one.id,
    name: `${one.lastName}, ${one.firstName}`,
    email: one.email,
  }))
  const isChosen = (id: string) => chosen.some((one) => one.id === id)
  const tick = (one: { id: string; name: string }) =>
    setChosen(isChosen(one.id) ? chosen.filter(({ id }) => id !== one.id) : [...chosen, one])
  return (
    <FormDialog
      title={memberType === 'individual' ? t.addPatients : t.staff[memberType].add}
      action={t.addCount(chosen.length)}
      isBusy={adding.isPending}
      isDisabled={chosen.length === 0}
      error={adding.error}
      onSubmit={() => adding.mutate(undefined)}
      onClose={onClose}
    >
      <TextInput
        type="search"
        label={t.findPeople}
        data-autofocus
        leftSection={<SearchIcon />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        // Enter would add whom one has not ticked yet.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {error ? (
        <Failure error={error} />
      ) : (
        data && (
          <>
            <Stack gap={10} className={classes.scroll ?? ''} role="group" aria-label={t.foundPeople}>
              {chosen
                .filter(({ id }) => !found.some((one) => one.id === id))
                .map((one) => (
                  <Checkbox key={one.id} label={one.name} checked onChange={() => tick(one)} />
                ))}
              {found.map((one) => (
                <Checkbox
                  key={one.id}
                  label={one.name}
                  description={one.email}
                  checked={isChosen(one.id)}
                  onChange={() => tick(one)}
                />
              ))}
            </Stack>
            <Text size="sm" c="dimmed" aria-live="polite">
              {data.total === 0 ? t.nobodyEligible : data.total > MOST ? t.moreEligible(data.total - MOST) : ''}
            </Text>
          </>
        )
      )}
    </FormDialog>
  )
}
