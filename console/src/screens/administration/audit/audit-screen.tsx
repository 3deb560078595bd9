import type { AnswerTo } from '@almoner/client'
import { Badge, Button, Select, SimpleGrid, Table, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useOrganization } from '../../../frame/person.ts'
import { Screen } from '../../../frame/screen.tsx'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { Listed } from '../parts/listed.tsx'
import { useOperationName } from '../parts/operations.ts'
import { PAGE } from '../parts/pager.tsx'
import { PatientSelect, UserSelect } from '../parts/people-select.tsx'
import { TableRegion } from '../parts/table-region.tsx'
import { AuditDetails } from './audit-details.tsx'
import { useNames, useRecorded } from './in-words.ts'
import { audit } from './messages.ts'

export type AuditEvent = AnswerTo<'listAuditEvents'>['items'][number]
const OUTCOMES = ['success', 'refused'] as const

/** The moment that was typed, in the browser's time zone. */
const momentOf = (typed: string | undefined) => {
  const moment = new Date(typed ?? '')
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

export function AuditScreen() {
  const t = useMessages(audit)
  const formats = useFormats()
  const { id: organizationId } = useOrganization()
  const search = useSearch({ from: '/frame/administration/audit' })
  const navigate = useNavigate({ from: '/administration/audit' })
  const [offset, setOffset] = useState(0)
  const [opened, setOpened] = useState<AuditEvent | null>(null)
  const outcome = OUTCOMES.find((one) => one === search.outcome)
  const [gte, lte] = [momentOf(search.from), momentOf(search.to)]
  const asked = useQuery({
    ...ask('listAuditEvents', {
      organizationId,
      filter: {
        ...(search.user ? { userId: search.user } : {}),
        ...(search.individual ? { individualId: search.individual } : {}),
        ...(search.operation ? { operation: search.operation } : {}),
        ...(outcome ? { outcome } : {}),
        ...(gte || lte ? { cmpOccurredAt: { ...(gte ? { gte } : {}), ...(lte ? { lte } : {}) } } : {}),
      },
      page: { limit: PAGE, offset },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const recorded = useRecorded()
  const nameOf = useOperationName()
  const names = useNames(asked.data?.items ?? [])
  const filter = (change: Partial<typeof search>) => {
    setOffset(0)
    navigate({ search: { ...search, ...change }, replace: true })
  }
  const isFiltered = Object.values(search).some(Boolean)
  return (
    <Screen
      title={t.title}
      actions={
        isFiltered && (
          <Button
            variant="default"
            onClick={() =>
              filter({
                user: undefined,
                individual: undefined,
                operation: undefined,
                outcome: undefined,
                from: undefined,
                to: undefined,
              })
            }
          >
            {t.clear}
          </Button>
        )
      }
    >
      <SimpleGrid cols={{ base: 2, md: 3 }} spacing="xs" mb="sm">
        <UserSelect
          label={t.user}
          value={search.user ?? null}
          onChange={(value) => filter({ user: value ?? undefined })}
        />
        <PatientSelect
          label={t.individual}
          value={search.individual ?? null}
          onChange={(value) => filter({ individual: value ?? undefined })}
        />
        <Select
          label={t.operation}
          searchable
          clearable
          data={recorded}
          value={search.operation ?? null}
          onChange={(value) => filter({ operation: value ?? undefined })}
        />
        <Select
          label={t.outcome}
          clearable
          data={OUTCOMES.map((value) => ({ value, label: t.outcomes[value] }))}
          value={outcome ?? null}
          onChange={(value) => filter({ outcome: value ?? undefined })}
        />
        <TextInput
          type="datetime-local"
          label={t.from}
          value={search.from ?? ''}
          onChange={({ currentTarget }) => filter({ from: currentTarget.value || undefined })}
        />
        <TextInput
          type="datetime-local"
          label={t.to}
          value={search.to ?? ''}
          onChange={({ currentTarget }) => filter({ to: currentTarget.value || undefined })}
        />
      </SimpleGrid>
      <Listed of={asked} empty={t.none} paging={{ offset, onChange: setOffset }}>
        {(data) => (
          <TableRegion label={t.table} columns={[t.when, t.who, t.what, t.whom, t.outcome, '']} minWidth={860}>
            {data.items.map((event) => {
              const [what, when] = [nameOf(event.operation), formats.moment(event.occurredAt)]
              return (
                <Table.Tr key={event.id}>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>{when}</Table.Td>
                  <Table.Td>{names.who(event)}</Table.Td>
                  <Table.Td>{what}</Table.Td>
                  <Table.Td>{names.whom(event)}</Table.Td>
                  <Table.Td>
                    {event.outcome === 'refused' ? (
                      <Badge variant="light" color="red" tt="none">
                        {t.outcomes.refused}
                      </Badge>
                    ) : (
                      t.outcomes.success
                    )}
                  </Table.Td>
                  <Table.Td ta="right">
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={t.detailsOf(what, when)}
                      onClick={() => setOpened(event)}
                    >
                      {t.details}
                    </Button>
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </TableRegion>
        )}
      </Listed>
      {opened && <AuditDetails event={opened} onClose={() => setOpened(null)} />}
    </Screen>
  )
}
