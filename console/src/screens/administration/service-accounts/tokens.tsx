import { Button, Group, NumberInput, Table, Text, TextInput, Title } from '@mantine/core'
import { KeyIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { faultsOf } from '../../../frame/faults.ts'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { almoner } from '../../../session/session.ts'
import { useChange } from '../parts/changing.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Listed } from '../parts/listed.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { TableRegion } from '../parts/table-region.tsx'
import type { Account } from './accounts-screen.tsx'
import { accounts } from './messages.ts'
import { PushExample } from './push-example.tsx'

type Opened = { kind: 'new' } | { kind: 'shown'; token: string } | { kind: 'revoke'; id: string; name: string }

/** The first patient it may push readings of; undefined where there is none. */
export const pushesFor = ({ kind, scopes, individualIds }: Account): string | undefined =>
  kind === 'device' && scopes.includes('push-timeseries') ? individualIds[0] : undefined

export function Tokens({ account }: { account: Account }) {
  const t = useMessages(accounts)
  const formats = useFormats()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const patient = pushesFor(account)
  const asked = useQuery(ask('listServiceAccountTokens', { serviceAccountId: account.id }))
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t.tokens}</Title>
        <Button size="xs" leftSection={<KeyIcon />} onClick={() => setOpened({ kind: 'new' })}>
          {t.newToken}
        </Button>
      </Group>
      <Listed of={asked} empty={t.noTokens}>
        {(data) => (
          <TableRegion label={t.tokens} columns={[t.name, t.created, t.expires, '']} minWidth={520}>
            {data.items.map(({ id, name, createdAt, expiresAt }) => (
              <Table.Tr key={id}>
                <Table.Td>{name}</Table.Td>
                <Table.Td>{formats.moment(createdAt)}</Table.Td>
                <Table.Td>{expiresAt ? formats.moment(expiresAt) : t.never}</Table.Td>
                <Table.Td ta="right">
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t.revokeOne(name)}
                    onClick={() => setOpened({ kind: 'revoke', id, name })}
                  >
                    {t.revoke}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </TableRegion>
        )}
      </Listed>
      {opened?.kind === 'new' && (
        <NewToken account={account} onClose={close} onMade={(token) => setOpened({ kind: 'shown', token })} />
      )}
      {opened?.kind === 'shown' && (
        <ShownOnce title={t.tokenTitle(account.name)} label={t.token} value={opened.token} onClose={close}>
          {patient && <PushExample individualId={patient} token={opened.token} />}
        </ShownOnce>
      )}
      {opened?.kind === 'revoke' && <Revoke {...opened} onClose={close} />}
    </div>
  )
}

interface NewProps {
  account: Account
  onClose: () => void
  onMade: (token: string) => void
}

function NewToken({ account, onClose, onMade }: NewProps) {
  const t = useMessages(accounts)
  const [name, setName] = useState('')
  const [days, setDays] = useState<number | string>('')
  const making = useChange(
    () =>
      almoner.createServiceAccountToken({
        id: account.id,
        body: { name: name.trim(), ...(days === '' ? {} : { expiresInDays: Number(days) }) },
      }),
    { refresh: ['listServiceAccountTokens'], onDone: ({ token }) => onMade(token) },
  )
  const { fields: at, rest } = faultsOf(making.error, ['name', 'expiresInDays'])
  return (
    <FormDialog
      title={t.newToken}
      action={t.create}
      isBusy={making.isPending}
      error={rest}
      onSubmit={() => making.mutate(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t.tokenName}
        description={t.tokenNameHint}
        required
        data-autofocus
        value={name}
        error={at.name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <NumberInput
        label={t.expiresInDays}
        description={t.expiresHint}
        hideControls
        allowDecimal={false}
        value={days}
        error={at.expiresInDays}
        onChange={setDays}
      />
    </FormDialog>
  )
}

function Revoke({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const t = useMessages(accounts)
  const revoking = useChange(() => almoner.revokeServiceAccountToken({ id }), {
    refresh: ['listServiceAccountTokens'],
    done: t.revoked,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t.revokeTitle(name)}
      action={t.revoke}
      isDestructive
      isBusy={revoking.isPending}
      error={revoking.error}
      onSubmit={() => revoking.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{t.revokeHint}</Text>
    </FormDialog>
  )
}
