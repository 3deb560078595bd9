import type { Locale } from '@almoner/client'
import { Checkbox, Group, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { faultsOf } from '../../../frame/faults.ts'
import { useOrganization } from '../../../frame/person.ts'
import { LANGUAGES, useMessages } from '../../../language/language.ts'
import { almoner } from '../../../session/session.ts'
import { useChange } from '../parts/changing.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { users } from './messages.ts'

const FIELDS = ['firstName', 'lastName', 'email', 'mobilePhone', 'role', 'locale', 'notifications']
const ROLES = ['provider', 'org-admin', 'patient'] as const
type Role = (typeof ROLES)[number]

export function NewUser({ onClose }: { onClose: () => void }) {
  const t = useMessages(users)
  const { id: organizationId } = useOrganization()
  const [typed, setTyped] = useState({ firstName: '', lastName: '', email: '', mobilePhone: '' })
  const [role, setRole] = useState<Role>('provider')
  const [locale, setLocale] = useState<Locale>('en_US')
  const [ways, setWays] = useState<('email' | 'sms')[]>(['email'])
  const { firstName, lastName, email, mobilePhone } = typed
  const notifications = ways.filter((way) => (way === 'email' ? email.trim() : mobilePhone.trim()))
  const name = `${firstName} ${lastName}`.trim()
  const making = useChange(
    () =>
      almoner.createUser({
        body: {
          organizationId,
          firstName: firstName.trim(),
          lastName: lastName.trim(),
          ...(email.trim() ? { email: email.trim() } : {}),
          ...(mobilePhone.trim() ? { mobilePhone: mobilePhone.trim() } : {}),
          role,
          locale,
          notifications,
        },
      }),
    {
      refresh: ['listUsers', 'listOutboundMessages'],
      done: notifications.length > 0 ? t.createdInvited(name) : t.created(name),
      onDone: onClose,
    },
  )
  const { fields: at, rest } = faultsOf(making.error, FIELDS)
  const field = (key: keyof typeof typed) => ({
    label: t[key],
    value: typed[key],
    error: at[key],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setTyped((before) => ({ ...before, [key]: value })),
  })
  return (
    <FormDialog
      title={t.invite}
      action={t.create}
      isBusy={making.isPending}
      error={rest}
      onSubmit={() => making.mutate(undefined)}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput {...field('firstName')} required data-autofocus />
        <TextInput {...field('lastName')} required />
      </SimpleGrid>
      <TextInput {...field('email')} type="email" description={t.contactHint} />
      <TextInput {...field('mobilePhone')} type="tel" description={t.phoneHint} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label={t.role}
          allowDeselect={false}
          data={ROLES.map((value) => ({ value, label: t.roles[value] }))}
          value={role}
          error={at.role}
          onChange={(value) => value && setRole(value as Role)}
        />
        <Select
          label={t.language}
          allowDeselect={false}
          data={LANGUAGES.map((one) => ({ value: one.locale, label: one.name }))}
          value={locale}
          error={at.locale}
          onChange={(value) => value && setLocale(value as Locale)}
        />
      </SimpleGrid>
      <Checkbox.Group
        label={t.sendBy}
        value={ways}
        error={at.notifications}
        onChange={(value) => setWays(value as ('email' | 'sms')[])}
      >
        <Group mt={6}>
          <Checkbox value="email" label={t.byEmail} />
          <Checkbox value="sms" label={t.bySms} />
        </Group>
      </Checkbox.Group>
      {ways.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.notNow}
        </Text>
      )}
    </FormDialog>
  )
}
