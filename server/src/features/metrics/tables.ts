// The tables of metrics, for Kysely's types.

import type { Generated } from 'kysely'

interface PointRow {
  individualId: string
  seriesId: string
  time: Date
  numbers: number[]
  texts: string[] | null
  tag: number | null
  utcOffset: number | null
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    metricSeries: {
      individualId: string
      id: Generated<string>
      type: string
      source: string
      pointCount: string
      firstTime: Date
      lastTime: Date
      trustedTime: Date | null
      lastPoint: Record<string, string | number>
      loose: Generated<number>
    }
    metricSegments: {
      individualId: string
      seriesId: string
      firstTime: Date
      lastTime: Date
      pointCount: number
    }
    metricPoints: PointRow
    metricReplacedPoints: PointRow & { id: string; replacedAt: Date; replacedBy: string }
    metricFields: { type: string; place: number; name: string; kind: string; choices: string[] | null }
  }
}
