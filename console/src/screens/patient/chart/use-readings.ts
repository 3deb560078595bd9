// What a panel draws: readings where there are few enough of them in what is seen, summaries where there are more.

import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { SourceSummary } from '../metric-types.ts'
import { type Bucket, isDense, planOf, type Reading, readingTile, summaryTile } from './tiles.ts'
import { DAY, type TimeView, useOfView } from './time-view.ts'
import type { Resolution } from './traces.ts'

export interface Loaded {
  resolution: Resolution
  readings: Reading[]
  bySource: { source: string; buckets: Bucket[] }[]
  /** Cannot be summed up, and is too much to be drawn. */
  isTooMany: boolean
}

interface Question {
  individualId: string
  type: string
  zone: string
  view: TimeView
  /** The origins of this type. */
  origins: SourceSummary[]
  /** Whether there are numbers that summaries can be made of. */
  canSummarize: boolean
  /** Whether they are amounts that add up: from a day on, totals say more than each of them. */
  isAdded: boolean
}

const FEW_A_DAY = 3
const NOTHING: Loaded = { resolution: 'readings', readings: [], bySource: [], isTooMany: false }

export function useReadings({ individualId, type, zone, view, origins, canSummarize, isAdded }: Question) {
  const density = densityOf(origins)
  const least = isAdded && density * DAY < FEW_A_DAY ? 'day' : 'hour'
  const key = useOfView(view, (range) => JSON.stringify(planOf(range, least)))
  const plan = useMemo(() => JSON.parse(key) as ReturnType<typeof planOf>, [key])
  const mayBeFew = !canSummarize || !(isDense(density, plan) || (isAdded && plan.readingTile >= DAY))
  const hasAny = origins.length > 0
  const few = useQueries({
    queries:
      mayBeFew && hasAny
        ? plan.readingStarts.map((start) => readingTile(individualId, type, plan.readingTile, start))
        : [],
    combine: combined,
  })
  const isTooMany = few.tiles.some((tile) => tile?.isTooMany)
  const isSummarized = hasAny && canSummarize && (!mayBeFew || isTooMany)
  // A comma in a name would be read as “or”: such sources are drawn as one.
  const isDivided = origins.length > 1 && origins.every(({ source }) => !source.includes(','))
  const names = useMemo(() => {
    const all = origins.map(({ source }) => source)
    return isDivided ? all : [all.join(' + ')]
  }, [origins, isDivided])
  const many = useQueries({
    queries: isSummarized
      ? names.flatMap((source) =>
          plan.summaryStarts.map((start) =>
            summaryTile({
              ...{ individualId, type, zone, start, period: plan.period, tile: plan.summaryTile },
              source: isDivided ? source : undefined,
            }),
          ),
        )
      : [],
    combine: combined,
  })
  const used = isSummarized ? many : few
  const loaded = useMemo((): Loaded | null => {
    if (!hasAny) return NOTHING
    if (used.isPending) return null
    if (!isSummarized) return { ...NOTHING, readings: few.tiles.flatMap((tile) => tile?.items ?? []), isTooMany }
    const count = plan.summaryStarts.length
    return {
      ...NOTHING,
      resolution: plan.period,
      bySource: names.map((source, place) => ({
        source,
        buckets: many.tiles.slice(place * count, (place + 1) * count).flatMap((tile) => tile?.items ?? []),
      })),
    }
  }, [hasAny, used.isPending, isSummarized, few.tiles, many.tiles, plan, isTooMany, names])
  // What was there is shown until what takes its place is complete: nothing flickers.
  const [shown, show] = useState<Loaded | null>(loaded)
  useEffect(() => {
    if (loaded) show(loaded)
  }, [loaded])
  return { loaded: shown, isLoading: used.isPending && hasAny, error: used.error }
}

/** Readings in a second, taken over all the time there are any. */
const densityOf = (origins: SourceSummary[]): number =>
  origins.reduce(
    (sum, { count, firstTime, lastTime }) =>
      sum + count / Math.max(3600, (lastTime.getTime() - firstTime.getTime()) / 1000),
    0,
  )

interface Result<T> {
  data: T | undefined
  isPending: boolean
  error: Error | null
}

const combined = <T>(results: Result<T>[]) => ({
  tiles: results.map(({ data }) => data),
  isPending: results.some(({ isPending, error }) => isPending && !error),
  error: results.find(({ error }) => error)?.error ?? null,
})
