// What the screen asks of the service.

import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { type Reading, readingOf, readingsKey } from './chart/tiles.ts'
import type { SourceSummary } from './metric-types.ts'

const MOST = 1000
const HOUR_MS = 3_600_000
const EVERY_MS = 30_000
/** Readings are too many to be events. This one question, which costs little, tells of which metrics there are new ones. */
const NEW_READINGS_MS = 10_000

export const individualOf = (id: string) => ask('getIndividual', { id })
export const patientOf = (id: string) => ask('getPatient', { id })

export const groupsOf = (organizationId: string, ids: string[]) =>
  ask('listGroups', { organizationId, ids, type: ['regular', 'provider_only'], page: { limit: MOST } })

export const tagsOf = (organizationId: string, individualId: string) =>
  ask('listTags', { organizationId, filter: { individualId }, page: { limit: MOST } })

/** Also those that are over: the chart marks when they fired. */
export const alertsOf = (organizationId: string, individualId: string) => ({
  ...ask('listAlerts', { organizationId, filter: { individualId }, page: { limit: MOST } }),
  refetchInterval: EVERY_MS,
})

export const metricTypes = () => ({ ...ask('listMetricTypes', { page: { limit: MOST } }), staleTime: HOUR_MS })

export const classificationSets = (organizationId: string) => ({
  ...ask('listClassificationSets', { organizationId, filter: { isActive: true }, page: { limit: MOST } }),
  staleTime: 60_000,
})

/** Which readings there are, and the newest of each: all of them, however many devices there were. */
export const sourcesOf = (individualId: string) =>
  queryOptions({
    queryKey: ['listSourceSummaries', individualId],
    queryFn: async ({ signal }) => {
      const all: SourceSummary[] = []
      const each = almoner.listSourceSummaries.each({ individualId, page: { limit: MOST } }, { signal })
      for await (const one of each) all.push(one)
      return all
    },
    refetchInterval: NEW_READINGS_MS,
    // Moments are new objects in every answer: what says the same is the same, and nothing is drawn anew for it.
    structuralSharing: (before, now) => (JSON.stringify(before) === JSON.stringify(now) ? before : now),
  })

interface ReadingsPage {
  individualId: string
  type: string
  /** Seconds since 1970, both included. */
  from: number
  to: number
  /** With what readings said before they were corrected. */
  withFormer: boolean
  page: { limit: number; offset: number }
}

/** The newest first. */
export const readingsPage = ({ individualId, type, from, to, withFormer, page }: ReadingsPage) =>
  queryOptions({
    queryKey: [...readingsKey(individualId, type), 'page', from, to, withFormer, page],
    queryFn: async ({ signal }): Promise<{ readings: Reading[]; total: number }> => {
      const { items, total } = await almoner.readTimeseries(
        {
          individualId,
          type,
          beginDatetime: new Date(from * 1000),
          endDatetime: new Date(to * 1000),
          includeDeleted: withFormer,
          sort: [{ field: 'time', descending: true }],
          page,
        },
        { signal },
      )
      return { readings: items.map(readingOf), total }
    },
  })

/** After a reading was added or changed, or something was heard of it. */
export function useReadingsChanged(individualId: string) {
  const queries = useQueryClient()
  return useCallback(
    (type?: string) =>
      Promise.all([
        queries.invalidateQueries({ queryKey: readingsKey(individualId, type) }),
        queries.invalidateQueries({ queryKey: sourcesOf(individualId).queryKey }),
        queries.invalidateQueries({ queryKey: ['listAlerts'] }),
      ]),
    [queries, individualId],
  )
}
