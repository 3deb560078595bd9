import type { Database } from '../../platform/db/database.ts'
import type { Implementation } from '../../platform/http/implementation.ts'
import type { Task } from '../../platform/queue/queue.ts'
import { compactSeries } from './compaction.ts'
import { Ingest, type Watcher } from './ingest.ts'
import { summaries } from './summaries.ts'
import './tables.ts'
import { timeseries } from './timeseries.ts'

export type { Watcher, Written } from './ingest.ts'
export { columnOf } from './points.ts'
export { moveSeries } from './queries/erasing.ts'
export { writeMetricFields } from './queries/fields.ts'
export { LISTED_TYPES } from './queries/latest.ts'
export { newestBefore, pointsWithin } from './queries/segments.ts'

export const metrics = ({ db, watcher }: { db: Database; watcher: Watcher }): Implementation[] => [
  ...timeseries(new Ingest(db, watcher), watcher),
  ...summaries,
]

export const metricsTasks: Task[] = [compactSeries]
