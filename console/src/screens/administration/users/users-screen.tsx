import type { AnswerTo } from '@almoner/client'
import { Badge, Button, Group, Select, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { AlertIcon, PersonAddIcon, SearchIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useOrganization, usePerson } from '../../../frame/person.ts'
import { Screen } from '../../../frame/screen.tsx'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { Listed } from '../parts/listed.tsx'
import { PAGE } from '../parts/pager.tsx'
import { TableRegion } from '../parts/table-region.tsx'
import { ChangeUser } from './change-user.tsx'
import { users } from './messages.ts'
import { NewUser } from './new-user.tsx'

export type User = AnswerTo<'listUsers'>['items'][number]

const ROLES = ['org-admin', 'provider', 'patient'] as const
const INVITATIONS = ['none', 'sent', 'accepted', 'failed'] as const
/** The two ways of being disabled are one to whoever looks for it. */
const STATES = {
  init: ['init'],
  confirmed: ['confirmed'],
  registered: ['registered'],
  force_reset_password: ['force_reset_password'],
  disabled: ['disabled', 'registered_disabled'],
  archived: ['archived'],
} as const satisfies Partial<Record<User['state'], User['state'][]>>

const keyOf = <T extends object>(among: T, key: string | undefined): keyof T | undefined =>
  key !== undefined && key in among ? (key as keyof T) : undefined

export function UsersScreen() {
  const t = useMessages(users)
  const formats = useFormats()
  const { id: organizationId } = useOrganization()
  const { profile } = usePerson()
  const search = useSearch({ from: '/frame/administration/users' })
  const navigate = useNavigate({ from: '/administration/users' })
  const [offset, setOffset] = useState(0)
  const [dialog, setDialog] = useState<'new' | string | null>(null)
  const role = ROLES.find((one) => one === search.role)
  const state = keyOf(STATES, search.state)
  const invite = INVITATIONS.find((one) => one === search.invite)
  const asked = useQuery({
    ...ask('listUsers', {
      organizationId,
      filter: {
        ...(search.text ? { text: search.text } : {}),
        ...(role ? { role } : {}),
        ...(state ? { state: STATES[state] } : {}),
        ...(invite ? { registrationInvite: invite } : {}),
      },
      page: { limit: PAGE, offset },
    }),
    placeholderData: keepPreviousData,
  })
  const filter = (change: Partial<typeof search>) => {
    setOffset(0)
    navigate({ search: { ...search, ...change }, replace: true })
  }
  const find = useDebouncedCallback((text: string) => filter({ text: text || undefined }), 200)
  const chosen = asked.data?.items.find(({ id }) => id === dialog)
  return (
    <Screen
      title={t.title}
      actions={
        <Button leftSection={<PersonAddIcon />} onClick={() => setDialog('new')}>
          {t.invite}
        </Button>
      }
    >
      <Group gap="xs" mb="sm">
        <TextInput
          type="search"
          aria-label={t.find}
          placeholder={t.find}
          leftSection={<SearchIcon />}
          w={{ base: '100%', sm: 280 }}
          defaultValue={search.text ?? ''}
          onChange={({ currentTarget }) => find(currentTarget.value.trim())}
        />
        <Choice
          label={t.role}
          any={t.anyRole}
          names={t.roles}
          keys={ROLES}
          value={role}
          onChange={(value) => filter({ role: value })}
        />
        <Choice
          label={t.state}
          any={t.anyState}
          names={t.states}
          keys={Object.keys(STATES) as (keyof typeof STATES)[]}
          value={state}
          onChange={(value) => filter({ state: value })}
        />
        <Choice
          label={t.invitation}
          any={t.anyInvitation}
          names={t.invitations}
          keys={INVITATIONS}
          value={invite}
          onChange={(value) => filter({ invite: value })}
        />
      </Group>
      <Listed of={asked} empty={t.noneFound} paging={{ offset, onChange: setOffset }}>
        {(data) => (
          <TableRegion
            label={t.table}
            columns={[t.name, t.role, t.state, t.invitation, t.lastSignIn, '']}
            minWidth={820}
          >
            {data.items.map((user) => (
              <Table.Tr key={user.id}>
                <Table.Td>
                  <Text size="sm" fw={500}>
                    {user.lastName}, {user.firstName} {user.username === profile.username && `(${t.you})`}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {user.username}
                  </Text>
                </Table.Td>
                <Table.Td>{user.roles.map((one) => t.roles[one]).join(', ')}</Table.Td>
                <Table.Td>{t.states[user.state]}</Table.Td>
                <Table.Td>
                  <Invitation invitation={user.registrationInvite} />
                </Table.Td>
                <Table.Td>{user.lastLoginTime ? formats.moment(user.lastLoginTime) : t.never}</Table.Td>
                <Table.Td ta="right">
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t.changeOne(`${user.firstName} ${user.lastName}`)}
                    onClick={() => setDialog(user.id)}
                  >
                    {t.change}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </TableRegion>
        )}
      </Listed>
      {dialog === 'new' && <NewUser onClose={() => setDialog(null)} />}
      {chosen && <ChangeUser key={chosen.id} user={chosen} onClose={() => setDialog(null)} />}
    </Screen>
  )
}

function Invitation({ invitation }: { invitation: User['registrationInvite'] }) {
  const t = useMessages(users)
  if (invitation !== 'failed') return t.invitations[invitation]
  return (
    <Badge variant="light" color="red" tt="none" leftSection={<AlertIcon size={12} />}>
      {t.invitations.failed}
    </Badge>
  )
}

interface ChoiceProps<Key extends string> {
  label: string
  any: string
  names: Record<string, string>
  keys: readonly Key[]
  value: Key | undefined
  onChange: (value: Key | undefined) => void
}

function Choice<Key extends string>({ label, any, names, keys, value, onChange }: ChoiceProps<Key>) {
  return (
    <Select
      aria-label={label}
      placeholder={any}
      clearable
      w={{ base: '100%', xs: 200 }}
      data={keys.map((key) => ({ value: key, label: names[key] ?? key }))}
      value={value ?? null}
      onChange={(key) => onChange((key as Key | null) ?? undefined)}
    />
  )
}
