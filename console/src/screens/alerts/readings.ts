// Points of one metric of one patient, as charts draw them.

import { queryOptions } from '@tanstack/react-query'
import { almoner } from '../../session/session.ts'

export interface Reading {
  time: Date
  value: number
}

interface Asked {
  individualId: string
  type: string
  field: string
  from: Date
  to: Date
}

/** Enough for a picture; of more than these the newest are shown. */
const MOST = 1000

export const readingsBetween = ({ individualId, type, field, from, to }: Asked) =>
  queryOptions({
    queryKey: ['readTimeseries', 'readings', individualId, type, field, from.getTime(), to.getTime()],
    queryFn: async ({ signal }) => {
      const { items, total } = await almoner.readTimeseries(
        {
          individualId,
          type,
          beginDatetime: from,
          endDatetime: to,
          sort: [{ field: 'time', descending: true }],
          page: { limit: MOST },
        },
        { signal },
      )
      const readings = items.flatMap((point): Reading[] => {
        const value = point[field]
        return typeof value === 'number' ? [{ time: momentOf(String(point.time)), value }] : []
      })
      return { readings: readings.reverse(), isComplete: total <= items.length }
    },
  })

/** The service writes moments in UTC as `YYYY-MM-DD hh:mm:ss`. */
const momentOf = (text: string): Date => new Date(`${text.slice(0, 19).replace(' ', 'T')}Z`)
