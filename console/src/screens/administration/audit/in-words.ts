// Who did what to whose record, by their names.

import { catalogue } from '@almoner/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOrganization } from '../../../frame/person.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { useOperationName } from '../parts/operations.ts'
import { useStaff } from '../parts/people-select.tsx'
import type { AuditEvent } from './audit-screen.tsx'
import { audit } from './messages.ts'

const operations: { id: string; recorded?: true }[] = Object.values(catalogue)

/** What the log tells of, to choose from. */
export function useRecorded() {
  const nameOf = useOperationName()
  return useMemo(() => {
    const recorded = operations.filter((one) => one.recorded).map(({ id }) => ({ value: id, label: nameOf(id) }))
    return recorded.toSorted((one, other) => one.label.localeCompare(other.label))
  }, [nameOf])
}

type Named = { firstName?: string; lastName?: string }
const nameOf = ({ firstName, lastName }: Named) => `${firstName ?? ''} ${lastName ?? ''}`.trim()

export function useNames(events: AuditEvent[]) {
  const t = useMessages(audit)
  const { id: organizationId } = useOrganization()
  const { data: staff } = useQuery(useStaff())
  const { data: accounts } = useQuery({
    ...ask('listServiceAccounts', { organizationId, page: { limit: 1000 } }),
    enabled: events.some(({ serviceAccountId }) => serviceAccountId),
  })
  // Of a long list the first is named, and the others are counted.
  const firsts = [...new Set(events.flatMap(({ individualIds: [first] }) => first ?? []))].toSorted()
  const { data: people } = useQuery({
    ...ask('listIndividuals', {
      organizationId,
      filter: { individualIds: firsts },
      fields: ['firstName', 'lastName'],
      page: { limit: 1000 },
    }),
    enabled: firsts.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  })
  const users = new Map((staff?.items ?? []).map((one) => [one.id, nameOf(one)]))
  const known = new Map([
    ...(staff?.items ?? []).map((one) => [one.individualId, nameOf(one)] as const),
    ...(people?.items ?? []).map((one) => [one.id, nameOf(one)] as const),
  ])
  const who = ({ userId, serviceAccountId }: AuditEvent): string => {
    if (userId) return users.get(userId) ?? t.otherUser(userId.slice(-6))
    if (!serviceAccountId) return t.nobody
    const account = accounts?.items.find(({ id }) => id === serviceAccountId)
    return t.account(account?.name ?? serviceAccountId.slice(-6))
  }
  const whom = ({ individualIds }: AuditEvent): string => {
    const [first] = individualIds
    if (!first) return '—'
    const name = known.get(first)
    return name ? t.people(name, individualIds.length - 1) : t.records(individualIds.length)
  }
  return { who, whom }
}
