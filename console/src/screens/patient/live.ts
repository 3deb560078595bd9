// What happens to a patient while someone looks at the page, by the stream of events.

import { AlmonerError } from '@almoner/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { almoner } from '../../session/session.ts'
import { individualOf, patientOf, useReadingsChanged } from './questions.ts'

const AGAIN_MS = 5000

export function useLivePatient(individualId: string, organizationId: string): void {
  const queries = useQueryClient()
  const readingsChanged = useReadingsChanged(individualId)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const follow = async () => {
      const filter = { individualId, kind: ['metric.*' as const, 'individual.*' as const] }
      for await (const event of almoner.streamEvents({ organizationId, filter }, { signal })) {
        if (event.kind === 'metric.alert-fired') readingsChanged(event.data.metricType)
        else if (event.kind.startsWith('metric.')) queries.invalidateQueries({ queryKey: ['listAlerts'] })
        else
          for (const { queryKey } of [individualOf(individualId), patientOf(individualId)])
            queries.invalidateQueries({ queryKey })
      }
    }
    const keepFollowing = async () => {
      while (!signal.aborted) {
        const error: unknown = await follow().catch((reason: unknown) => reason)
        // Whoever may not listen now may not in a moment either; the page asks by itself every while.
        if (error instanceof AlmonerError && error.status < 500) return
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      }
    }
    void keepFollowing()
    return () => stop.abort()
  }, [individualId, organizationId, queries, readingsChanged])
}
