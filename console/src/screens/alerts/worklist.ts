// The alerts of the list. What is on the screen stays where it is: rows change in place, and new alerts are counted until
// someone asks for them.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrganization } from '../../frame/person.ts'
import { queries } from '../../frame/queries.ts'
import { useEvents } from '../../live/live.tsx'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { type Alert, type AlertSearch, belongs, filterOf } from './alert-search.ts'

const NAME = 'alertWorklist'
const PAGE = 50
const MOST = 1000

export function useWorklist(search: AlertSearch) {
  const { id: organizationId } = useOrganization()
  const [limit, setLimit] = useState(PAGE)
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const query = useQuery({
    queryKey: [NAME, organizationId, search, limit],
    queryFn: ({ signal }) =>
      almoner.listAlerts({ organizationId, filter: filterOf(search, Date.now()), page: { limit } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  })
  const { items = [], total = 0 } = query.data ?? {}
  const show = () => {
    setFresh(new Set())
    return query.refetch()
  }
  useEvents(['metric.alert-fired', 'metric.alert-acknowledged', 'metric.alert-cleared'], (event) => {
    if (event.kind === 'metric.alert-fired') {
      if (!belongs(search, event) || items.some(({ id }) => id === event.data.alertId)) return
      // Where nothing is, nothing is moved.
      if (total === 0) show()
      else setFresh((before) => new Set(before).add(event.data.alertId))
    } else if (event.kind === 'metric.alert-acknowledged') {
      const { alertId, userId } = event.data
      changeShown(alertId, (alert) =>
        alert.state === 'open'
          ? { ...alert, state: 'acknowledged', acknowledgedAt: event.occurredAt, acknowledgedBy: userId }
          : alert,
      )
    } else if (event.kind === 'metric.alert-cleared') {
      const { alertId, reason } = event.data
      setFresh((before) => (before.has(alertId) ? new Set([...before].filter((id) => id !== alertId)) : before))
      changeShown(alertId, (alert) => ({
        ...alert,
        state: 'cleared',
        clearedAt: event.occurredAt,
        clearReason: reason,
      }))
    }
  })
  return {
    query,
    items,
    total,
    freshCount: fresh.size,
    show,
    hasMore: items.length < total && limit < MOST,
    showMore: () => setLimit((before) => Math.min(before + PAGE, MOST)),
  }
}

function changeShown(id: string, change: (alert: Alert) => Alert): void {
  queries.setQueriesData<{ items: Alert[]; total: number }>({ queryKey: [NAME] }, (page) =>
    page ? { ...page, items: page.items.map((one) => (one.id === id ? change(one) : one)) } : page,
  )
}

/** After someone did something with it here. */
export function keepChanged(alert: Alert): void {
  changeShown(alert.id, () => alert)
  queries.setQueryData(ask('getAlert', { id: alert.id }).queryKey, alert)
}
