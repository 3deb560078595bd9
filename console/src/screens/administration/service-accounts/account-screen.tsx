import { Anchor, Badge, Button, Group, List, Loader, Stack, Text, Title } from '@mantine/core'
import { PencilIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../../../frame/failure.tsx'
import { useOrganization } from '../../../frame/person.ts'
import { Screen } from '../../../frame/screen.tsx'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { almoner } from '../../../session/session.ts'
import { useChange } from '../parts/changing.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { useOperationName } from '../parts/operations.ts'
import classes from '../parts/parts.module.css'
import { AccountForm } from './account-form.tsx'
import type { Account } from './accounts-screen.tsx'
import { accounts } from './messages.ts'
import { PushExample } from './push-example.tsx'
import { pushesFor, Tokens } from './tokens.tsx'

export function AccountScreen() {
  const t = useMessages(accounts)
  const { id } = useParams({ from: '/frame/administration/service-accounts/$id' })
  const { id: organizationId } = useOrganization()
  const { data, error, refetch } = useQuery(ask('listServiceAccounts', { organizationId, page: { limit: 1000 } }))
  const account = data?.items.find((one) => one.id === id)
  if (error || (data && !account))
    return (
      <Screen title={t.title}>{error ? <Failure error={error} onRetry={refetch} /> : <Text>{t.missing}</Text>}</Screen>
    )
  return account ? <OneAccount account={account} /> : <Loader size="sm" />
}

function OneAccount({ account }: { account: Account }) {
  const t = useMessages(accounts)
  const nameOf = useOperationName()
  const [dialog, setDialog] = useState<'change' | 'switch' | null>(null)
  const close = () => setDialog(null)
  const patient = pushesFor(account)
  return (
    <Screen
      title={account.name}
      actions={
        <>
          <Button variant="default" size="xs" leftSection={<PencilIcon />} onClick={() => setDialog('change')}>
            {t.change}
          </Button>
          <Button variant="default" size="xs" onClick={() => setDialog('switch')}>
            {account.isActive ? t.switchOff : t.switchOn}
          </Button>
        </>
      }
    >
      <Anchor component={Link} to="/administration/service-accounts" size="sm">
        {t.back}
      </Anchor>
      <Stack gap="lg" mt="sm">
        <Group gap="xs">
          <Badge variant="default" tt="none">
            {t.kinds[account.kind]}
          </Badge>
          <Badge variant="default" tt="none">
            {account.isActive ? t.active : t.inactive}
          </Badge>
        </Group>
        <Tokens account={account} />
        {patient && (
          <section className={classes.panel}>
            <Title order={2} mb={4}>
              {t.pushing}
            </Title>
            <PushExample individualId={patient} />
          </section>
        )}
        <section className={classes.panel}>
          <Title order={2} mb={4}>
            {t.scopes}
          </Title>
          <List size="sm">
            {account.scopes.map((scope) => (
              <List.Item key={scope}>
                {nameOf(scope)}{' '}
                <Text component="span" size="xs" c="dimmed">
                  {scope}
                </Text>
              </List.Item>
            ))}
          </List>
        </section>
        <section className={classes.panel}>
          <Title order={2} mb={4}>
            {t.patients}
          </Title>
          {account.kind === 'job' ? <Text size="sm">{t.allPatients}</Text> : <Patients ids={account.individualIds} />}
        </section>
      </Stack>
      {dialog === 'change' && <AccountForm account={account} onClose={close} />}
      {dialog === 'switch' && <Switch account={account} onClose={close} />}
    </Screen>
  )
}

const MOST_NAMES = 50

function Patients({ ids }: { ids: string[] }) {
  const t = useMessages(accounts)
  const { id: organizationId } = useOrganization()
  const { data } = useQuery({
    ...ask('listIndividuals', {
      organizationId,
      filter: { individualIds: ids },
      fields: ['firstName', 'lastName'],
      page: { limit: MOST_NAMES },
    }),
    enabled: ids.length > 0,
  })
  return (
    <>
      <Text size="sm">{ids.length === 0 ? t.noPatients : t.patientCount(ids.length)}</Text>
      <List size="sm" mt={4}>
        {data?.items.map(({ id, firstName, lastName }) => (
          <List.Item key={id}>
            <Anchor component={Link} to={`/patients/${id}`} size="sm">
              {lastName}, {firstName}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </>
  )
}

function Switch({ account, onClose }: { account: Account; onClose: () => void }) {
  const t = useMessages(accounts)
  const { id, name, isActive } = account
  const switching = useChange(() => almoner.modifyServiceAccount({ id, body: { isActive: !isActive } }), {
    refresh: ['listServiceAccounts'],
    done: t.saved,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={isActive ? t.switchOffOne(name) : t.switchOn}
      action={isActive ? t.switchOff : t.switchOn}
      isDestructive={isActive}
      isBusy={switching.isPending}
      error={switching.error}
      onSubmit={() => switching.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{isActive ? t.switchOffHint : name}</Text>
    </FormDialog>
  )
}
