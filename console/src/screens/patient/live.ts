// What happens to a patient while someone looks at the page.

import { useQueryClient } from '@tanstack/react-query'
import { useEvents } from '../../live/live.tsx'
import { individualOf, patientOf, useReadingsChanged } from './questions.ts'

export function useLivePatient(individualId: string): void {
  const queries = useQueryClient()
  const readingsChanged = useReadingsChanged(individualId)
  useEvents(['metric.alert-fired', 'individual.*'], (event) => {
    if (event.individualId !== individualId) return
    if (event.kind === 'metric.alert-fired') return readingsChanged(event.data.metricType)
    for (const { queryKey } of [individualOf(individualId), patientOf(individualId)])
      queries.invalidateQueries({ queryKey })
  })
}
