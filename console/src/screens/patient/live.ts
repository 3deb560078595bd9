// What happens to a patient while someone looks at the page.

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useEvents } from '../../live/live.tsx'
import { readingsKey } from './chart/tiles.ts'
import type { SourceSummary } from './metric-types.ts'
import { individualOf, patientOf, useReadingsChanged } from './questions.ts'

export function useLivePatient(individualId: string, sources: SourceSummary[] | undefined): void {
  const queries = useQueryClient()
  const readingsChanged = useReadingsChanged(individualId)
  useEvents(['metric.alert-fired', 'individual.*'], (event) => {
    if (event.individualId !== individualId) return
    if (event.kind === 'metric.alert-fired') return readingsChanged(event.data.metricType)
    for (const { queryKey } of [individualOf(individualId), patientOf(individualId)])
      queries.invalidateQueries({ queryKey })
  })
  const known = useRef<Map<string, string>>(null)
  // Where readings come from tells of which metrics there are new ones.
  useEffect(() => {
    if (!sources) return
    const now = new Map(
      [...Map.groupBy(sources, ({ type }) => type)].map(([type, some]) => [type, JSON.stringify(some)]),
    )
    for (const [type, said] of now)
      if (known.current && known.current.get(type) !== said)
        queries.invalidateQueries({ queryKey: readingsKey(individualId, type) })
    known.current = now
  }, [sources, queries, individualId])
}
