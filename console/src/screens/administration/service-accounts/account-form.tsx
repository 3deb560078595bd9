import { catalogue } from '@almoner/client'
import { MultiSelect, Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { faultsOf } from '../../../frame/faults.ts'
import { useOrganization } from '../../../frame/person.ts'
import { useMessages } from '../../../language/language.ts'
import { almoner } from '../../../session/session.ts'
import { useChange } from '../parts/changing.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { useOperationName } from '../parts/operations.ts'
import { PatientsSelect } from '../parts/people-select.tsx'
import type { Account } from './accounts-screen.tsx'
import { accounts } from './messages.ts'

type Kind = Account['kind']
const KINDS: Kind[] = ['device', 'job']

/** What an account of this kind can be let call at all. */
function scopesFor(kind: Kind): string[] {
  const open = Object.values(catalogue).filter(({ access }) => {
    const roles: readonly string[] = access.kind === 'roles' ? access.roles : []
    return roles.includes(kind)
  })
  return open.map(({ id }) => id)
}

interface Props {
  /** Null for a new one. */
  account: Account | null
  /** The patients a new one is for. */
  individualIds?: string[]
  onClose: () => void
  onSaved?: (account: Account) => void
}

export function AccountForm({ account, individualIds: named = [], onClose, onSaved }: Props) {
  const t = useMessages(accounts)
  const { id: organizationId } = useOrganization()
  const [name, setName] = useState(account?.name ?? '')
  const [kind, setKind] = useState<Kind>(account?.kind ?? 'device')
  const [scopes, setScopes] = useState(account?.scopes ?? ['push-timeseries'])
  const [individualIds, setIndividualIds] = useState(account?.individualIds ?? named)
  const nameOf = useOperationName()
  const options = scopesFor(kind).map((id) => ({ value: id, label: `${nameOf(id)} (${id})` }))
  const saving = useChange(
    () => {
      const patients = kind === 'device' ? individualIds : []
      const body = { name: name.trim(), scopes, individualIds: patients }
      return account
        ? almoner.modifyServiceAccount({ id: account.id, body })
        : almoner.createServiceAccount({ body: { ...body, organizationId, kind } })
    },
    {
      refresh: ['listServiceAccounts'],
      done: t.saved,
      onDone: (saved) => {
        onClose()
        onSaved?.(saved)
      },
    },
  )
  const { fields: at, rest } = faultsOf(saving.error, ['name', 'scopes', 'individualIds'])
  const choose = (next: Kind) => {
    setKind(next)
    const allowed = scopesFor(next)
    setScopes(scopes.filter((one) => allowed.includes(one)))
  }
  return (
    <FormDialog
      title={account ? t.changeOne(account.name) : t.newAccount}
      {...(account ? {} : { action: t.create })}
      size="lg"
      isBusy={saving.isPending}
      error={rest}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t.name}
        required
        data-autofocus
        value={name}
        error={at.name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {!account && (
        <Radio.Group label={t.kind} value={kind} onChange={(value) => choose(value as Kind)}>
          <Stack gap={6} mt={4}>
            {KINDS.map((one) => (
              <Radio key={one} value={one} label={t.kinds[one]} description={t.kindHints[one]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <MultiSelect
        label={t.scopes}
        required
        searchable
        data={[...options, ...scopes.filter((one) => !options.some(({ value }) => value === one))]}
        value={scopes}
        error={at.scopes}
        onChange={setScopes}
      />
      {kind === 'device' && (
        <PatientsSelect
          label={t.patients}
          description={t.patientsHint}
          value={individualIds}
          error={Object.entries(at).find(([place]) => place.startsWith('individualIds'))?.[1]}
          onChange={setIndividualIds}
        />
      )}
    </FormDialog>
  )
}
