import { Button, Checkbox, Divider, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { notifyFailure } from '../../../frame/failure.tsx'
import { faultsOf } from '../../../frame/faults.ts'
import { useMessages } from '../../../language/language.ts'
import { almoner } from '../../../session/session.ts'
import { useChange } from '../parts/changing.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { users } from './messages.ts'
import type { User } from './users-screen.tsx'

const ROLES = ['org-admin', 'provider', 'patient'] as const
type Move = 'active' | 'disabled' | 'force_reset_password' | 'archived'

/** What may become of a user, by the state they are in. */
const MOVES: Record<User['state'], Move[]> = {
  init: ['disabled', 'archived'],
  confirmed: ['disabled', 'archived'],
  registered: ['force_reset_password', 'disabled', 'archived'],
  force_reset_password: ['archived'],
  disabled: ['active', 'archived'],
  registered_disabled: ['active', 'archived'],
  archived: [],
}
const REFRESH = ['listUsers', 'listOutboundMessages'] as const

interface Props {
  user: User
  onClose: () => void
}

export function ChangeUser({ user, onClose }: Props) {
  const t = useMessages(users)
  const [firstName, setFirstName] = useState(user.firstName)
  const [lastName, setLastName] = useState(user.lastName)
  const [roles, setRoles] = useState(user.roles)
  const [move, setMove] = useState<Move | null>(null)
  const name = `${user.firstName} ${user.lastName}`
  const saving = useChange(
    () =>
      almoner.modifyUser({
        id: user.id,
        body: {
          ...(firstName === user.firstName ? {} : { firstName: firstName.trim() }),
          ...(lastName === user.lastName ? {} : { lastName: lastName.trim() }),
          ...(roles.toSorted().join() === user.roles.toSorted().join() ? {} : { roles }),
        },
      }),
    { refresh: [...REFRESH], done: t.saved, onDone: onClose },
  )
  const { fields: at, rest } = faultsOf(saving.error, ['firstName', 'lastName', 'roles'])
  if (move) return <ChangeState user={user} move={move} onBack={() => setMove(null)} onDone={onClose} />
  const words = { active: t.active, disabled: t.disable, force_reset_password: t.force, archived: t.archive }
  return (
    <FormDialog
      title={t.changeOne(name)}
      isBusy={saving.isPending}
      error={rest}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {user.username} · {t.states[user.state]}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={t.firstName}
          required
          data-autofocus
          value={firstName}
          error={at.firstName}
          onChange={({ currentTarget }) => setFirstName(currentTarget.value)}
        />
        <TextInput
          label={t.lastName}
          required
          value={lastName}
          error={at.lastName}
          onChange={({ currentTarget }) => setLastName(currentTarget.value)}
        />
      </SimpleGrid>
      <Checkbox.Group
        label={t.rolesLabel}
        value={roles}
        error={at.roles}
        onChange={(value) => setRoles(value as User['roles'])}
      >
        <Group mt={6}>
          {ROLES.map((role) => (
            <Checkbox key={role} value={role} label={t.roles[role]} />
          ))}
        </Group>
      </Checkbox.Group>
      {MOVES[user.state].length > 0 && (
        <>
          <Divider />
          <Stack gap="xs">
            <Title order={3}>{t.account}</Title>
            <Group gap="xs">
              {user.registrationInvite !== 'accepted' && (user.state === 'init' || user.state === 'confirmed') && (
                <Resend user={user} />
              )}
              {MOVES[user.state].map((one) => (
                <Button key={one} size="xs" variant="default" onClick={() => setMove(one)}>
                  {words[one]}
                </Button>
              ))}
            </Group>
          </Stack>
        </>
      )}
    </FormDialog>
  )
}

function Resend({ user }: { user: User }) {
  const t = useMessages(users)
  const notifications: ('email' | 'sms')[] = user.email ? ['email'] : ['sms']
  const resending = useChange(() => almoner.resendInvitation({ body: { username: user.username, notifications } }), {
    refresh: [...REFRESH],
    done: t.resent,
    onError: notifyFailure,
  })
  return (
    <Button
      size="xs"
      variant="default"
      title={t.resendHint}
      loading={resending.isPending}
      onClick={() => resending.mutate(undefined)}
    >
      {t.resend}
    </Button>
  )
}

function ChangeState({
  user,
  move,
  onBack,
  onDone,
}: {
  user: User
  move: Move
  onBack: () => void
  onDone: () => void
}) {
  const t = useMessages(users)
  const [action, hint] = {
    active: [t.active, t.activeHint],
    disabled: [t.disable, t.disableHint],
    force_reset_password: [t.force, t.forceHint],
    archived: [t.archive, t.archiveHint],
  }[move] as [string, string]
  const changing = useChange(() => almoner.modifyUser({ id: user.id, body: { state: move } }), {
    refresh: [...REFRESH],
    done: t.stateChanged,
    onDone,
  })
  return (
    <FormDialog
      title={t.sure(action, `${user.firstName} ${user.lastName}`)}
      action={action}
      isDestructive={move !== 'active'}
      isBusy={changing.isPending}
      error={changing.error}
      onSubmit={() => changing.mutate(undefined)}
      onClose={onBack}
    >
      <Text size="sm">{hint}</Text>
    </FormDialog>
  )
}
