// What is loaded for a chart: time is cut into tiles of fixed lengths at fixed places, so that whoever moves to and fro
// meets the same tiles again. Far out a tile holds summaries by month, week, day or hour; close in it holds readings.

import { queryOptions } from '@tanstack/react-query'
import { almoner } from '../../../session/session.ts'
import { DAY, HOUR, spanOf, type TimeRange, YEAR } from './time-view.ts'

export type Period = 'hour' | 'day' | 'week' | 'month'

export interface Reading {
  time: number
  source: string
  /** As the service answers it: the fields of its type, `tags`, `utc-offset`. */
  values: Record<string, unknown>
}

interface Figures {
  count: number
  minimum: number
  maximum: number
  mean: number
  sum?: number
}

export interface Bucket {
  start: number
  end: number
  fields: Record<string, Figures>
}

/** What one call answers at most. A tile with more readings than that is not drawn by readings. */
const MOST_READINGS = 1000
const READING_TILES = [150, 600, HOUR, 6 * HOUR, DAY, 4 * DAY, 16 * DAY, 64 * DAY, 256 * DAY, 1024 * DAY, 4096 * DAY]
const TILES_SEEN = 4
/** The longest that a period is. */
const PERIOD_LENGTH: Record<Period, number> = { hour: 2 * HOUR, day: 26 * HOUR, week: 8 * DAY, month: 32 * DAY }
const SUMMARY_LEVELS: { period: Period; tile: number; upTo: number }[] = [
  { period: 'hour', tile: 10 * DAY, upTo: 21 * DAY },
  { period: 'day', tile: 200 * DAY, upTo: 550 * DAY },
  { period: 'week', tile: 4 * YEAR, upTo: 9 * YEAR },
  { period: 'month', tile: 24 * YEAR, upTo: Number.POSITIVE_INFINITY },
]

/** Late readings come now and then; the newest tile is looked at anew while someone looks. */
const STALE_MS = 5 * 60_000
const NEWEST_STALE_MS = 15_000
const NEWEST_EVERY_MS = 30_000

export interface Plan {
  readingTile: number
  readingStarts: number[]
  period: Period
  summaryTile: number
  summaryStarts: number[]
}

/** The tiles of what is seen, and one more on either side. Summaries are of `least` or more. */
export function planOf(range: TimeRange, least: Period = 'hour'): Plan {
  const span = spanOf(range)
  const readingTile = READING_TILES.find((tile) => span / tile <= TILES_SEEN) ?? 4096 * DAY
  const levels = SUMMARY_LEVELS.slice(SUMMARY_LEVELS.findIndex(({ period }) => period === least))
  const level = levels.find(({ upTo }) => span <= upTo) as (typeof SUMMARY_LEVELS)[number]
  return {
    readingTile,
    readingStarts: startsOf(range, readingTile),
    period: level.period,
    summaryTile: level.tile,
    summaryStarts: startsOf(range, level.tile),
  }
}

function startsOf({ from, to }: TimeRange, tile: number): number[] {
  const first = Math.floor(from / tile) - 1
  const last = Math.floor(to / tile) + 1
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * tile)
}

/** Too many for readings, as far as can be told before any was loaded. */
export const isDense = (readingsPerSecond: number, { readingTile }: Plan): boolean =>
  readingsPerSecond * readingTile > 2 * MOST_READINGS

export const readingsKey = (individualId: string, type?: string) =>
  type === undefined ? (['readings', individualId] as const) : (['readings', individualId, type] as const)

/** Readings before the calendar began cannot be asked for. */
const EARLIEST = Date.UTC(1, 0, 1) / 1000
const LATEST = Date.UTC(9999, 0, 1) / 1000
const momentOf = (seconds: number) => new Date(Math.min(Math.max(Math.floor(seconds), EARLIEST), LATEST) * 1000)

function freshness(end: number) {
  const isNewest = end > Date.now() / 1000
  return isNewest ? { staleTime: NEWEST_STALE_MS, refetchInterval: NEWEST_EVERY_MS } : { staleTime: STALE_MS }
}

/** What was loaded of a tile. As a class it is told by being the same one: comparing thousands of values takes frames. */
export class Tile<T> {
  readonly items: T[]
  readonly isTooMany: boolean

  constructor(items: T[], isTooMany = false) {
    this.items = items
    this.isTooMany = isTooMany
  }
}

export const secondsOf = (written: unknown): number => Date.parse(`${String(written).replace(' ', 'T')}Z`) / 1000

export const readingOf = (point: Record<string, unknown>): Reading => {
  const { type: _, time, source, ...values } = point
  return { time: secondsOf(time), source: String(source), values }
}

export const readingTile = (individualId: string, type: string, tile: number, start: number) =>
  queryOptions({
    queryKey: [...readingsKey(individualId, type), tile, start],
    queryFn: async ({ signal }): Promise<Tile<Reading>> => {
      const { items, total } = await almoner.readTimeseries(
        {
          individualId,
          type,
          beginDatetime: momentOf(start),
          endDatetime: momentOf(start + tile - 1),
          page: { limit: MOST_READINGS },
        },
        { signal },
      )
      return new Tile(items.map(readingOf), total > MOST_READINGS)
    },
    ...freshness(start + tile),
  })

interface SummaryTile {
  individualId: string
  type: string
  period: Period
  zone: string
  /** Undefined when there is only one. */
  source: string | undefined
  tile: number
  start: number
}

export const summaryTile = ({ individualId, type, period, zone, source, tile, start }: SummaryTile) =>
  queryOptions({
    queryKey: [...readingsKey(individualId, type), period, zone, source ?? null, start],
    queryFn: async ({ signal }): Promise<Tile<Bucket>> => {
      const { items } = await almoner.listTimeseriesSummaries(
        {
          individualId,
          type,
          period,
          timezone: zone,
          beginDatetime: momentOf(start),
          // Periods do not end where tiles do: each belongs to the tile it begins in, and is asked for as a whole.
          endDatetime: momentOf(start + tile + PERIOD_LENGTH[period]),
          ...(source === undefined ? {} : { filter: { source } }),
          page: { limit: MOST_READINGS },
        },
        { signal },
      )
      const buckets = items.map((one) => ({
        start: one.start.getTime() / 1000,
        end: one.end.getTime() / 1000,
        fields: one.fields as Record<string, Figures>,
      }))
      return new Tile(buckets.filter((one) => one.start >= start && one.start < start + tile))
    },
    ...freshness(start + tile),
  })
