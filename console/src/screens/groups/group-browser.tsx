import { Checkbox, Group as Line, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { SearchIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure, notifyFailure } from '../../frame/failure.tsx'
import { useMay, useOrganization } from '../../frame/person.ts'
import { useGroupName } from '../../language/group-names.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { useChange } from '../administration/parts/changing.ts'
import partClasses from '../administration/parts/parts.module.css'
import { Empty } from '../administration/parts/table-region.tsx'
import { useBrowsing } from './browsing.ts'
import { GroupTree } from './group-tree.tsx'
import classes from './groups.module.css'
import { groups } from './messages.ts'

/** Search and tree: what is typed is looked for at every depth. */
export function GroupBrowser({ current }: { current: string | null }) {
  const t = useMessages(groups)
  const browsing = useBrowsing()
  const navigate = useNavigate()
  const isAdministrator = useMay('org-admin')
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), 150)
  const moving = useChange(
    ({ id, to }: { id: string; to: string | null }) => almoner.moveGroup({ id, body: { toParentGroupId: to } }),
    { refresh: ['listGroups', 'getGroup'], done: t.moved, onError: notifyFailure },
  )
  const move = (id: string, to: string | null) => {
    if (to !== null) browsing.setOpen(new Set([...browsing.open, to]))
    moving.mutate({ id, to })
  }
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        placeholder={t.search}
        aria-label={t.search}
        leftSection={<SearchIcon />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {words ? (
        <Found words={words} />
      ) : (
        <GroupTree
          label={t.tree}
          browsing={browsing}
          current={current}
          onChoose={({ id }) => navigate({ to: '/groups/$id', params: { id } })}
          {...(isAdministrator ? { onMove: move } : {})}
        />
      )}
      <Line justify="space-between">
        <Checkbox
          size="xs"
          label={t.withInactive}
          checked={browsing.withInactive}
          onChange={({ currentTarget }) => browsing.setWithInactive(currentTarget.checked)}
        />
      </Line>
    </Stack>
  )
}

function Found({ words }: { words: string }) {
  const t = useMessages(groups)
  const nameOf = useGroupName()
  const { id: organizationId } = useOrganization()
  const { withInactive } = useBrowsing()
  const { data, error, refetch } = useQuery({
    ...ask('listGroups', {
      organizationId,
      filter: { text: words, includeInactive: withInactive },
      page: { limit: 50 },
    }),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failure error={error} onRetry={refetch} />
  if (!data) return null
  if (data.items.length === 0) return <Empty>{t.nothingFound}</Empty>
  return (
    <nav aria-label={t.foundGroups} className={partClasses.region}>
      <ul className={classes.found}>
        {data.items.map(({ id, name, type, parentGroup }) => (
          <li key={id}>
            <Link to="/groups/$id" params={{ id }}>
              {nameOf({ name, type })}
              {parentGroup && (
                <Text component="span" size="xs" c="dimmed">
                  {' '}
                  {t.in(parentGroup.name)}
                </Text>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
