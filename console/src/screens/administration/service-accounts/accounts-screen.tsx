import type { AnswerTo } from '@almoner/client'
import { Anchor, Button, Table, Text } from '@mantine/core'
import { PlusIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useOrganization } from '../../../frame/person.ts'
import { Screen } from '../../../frame/screen.tsx'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { Listed } from '../parts/listed.tsx'
import { PAGE } from '../parts/pager.tsx'
import { TableRegion } from '../parts/table-region.tsx'
import { AccountForm } from './account-form.tsx'
import { accounts } from './messages.ts'

export type Account = AnswerTo<'listServiceAccounts'>['items'][number]

export function AccountsScreen() {
  const t = useMessages(accounts)
  const formats = useFormats()
  const navigate = useNavigate()
  const { id: organizationId } = useOrganization()
  const [offset, setOffset] = useState(0)
  const { patient } = useSearch({ from: '/frame/administration/service-accounts' })
  const [isMaking, setIsMaking] = useState(patient !== undefined)
  const asked = useQuery({
    ...ask('listServiceAccounts', { organizationId, page: { limit: PAGE, offset } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Screen
      title={t.title}
      actions={
        <Button leftSection={<PlusIcon />} onClick={() => setIsMaking(true)}>
          {t.newAccount}
        </Button>
      }
    >
      <Text size="sm" c="dimmed" mb="sm" maw={640}>
        {t.hint}
      </Text>
      <Listed of={asked} empty={t.none} paging={{ offset, onChange: setOffset }}>
        {(data) => (
          <TableRegion
            label={t.table}
            columns={[t.name, t.kind, t.patients, t.scopes, t.state, t.created]}
            minWidth={820}
          >
            {data.items.map((account) => (
              <Table.Tr key={account.id}>
                <Table.Td>
                  <Anchor component={Link} to={`/administration/service-accounts/${account.id}`} size="sm" fw={500}>
                    {account.name}
                  </Anchor>
                </Table.Td>
                <Table.Td>{t.kinds[account.kind]}</Table.Td>
                <Table.Td>
                  {account.kind === 'job' ? t.allPatients : t.patientCount(account.individualIds.length)}
                </Table.Td>
                <Table.Td>{t.scopeCount(account.scopes.length)}</Table.Td>
                <Table.Td>{account.isActive ? t.active : t.inactive}</Table.Td>
                <Table.Td>{formats.moment(account.createdAt)}</Table.Td>
              </Table.Tr>
            ))}
          </TableRegion>
        )}
      </Listed>
      {isMaking && (
        <AccountForm
          account={null}
          individualIds={patient ? [patient] : []}
          onClose={() => setIsMaking(false)}
          onSaved={({ id }) => navigate({ to: '/administration/service-accounts/$id', params: { id } })}
        />
      )}
    </Screen>
  )
}
