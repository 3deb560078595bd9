import type { Database } from '../../platform/db/database.ts'
import type { Implementation } from '../../platform/http/implementation.ts'
import type { Task } from '../../platform/queue/queue.ts'
import { compactSeries } from './compaction.ts'
import { Ingest } from './ingest.ts'
import { summaries } from './summaries.ts'
import './tables.ts'
import { timeseries } from './timeseries.ts'

export { moveSeries } from './queries/erasing.ts'
export { writeMetricFields } from './queries/fields.ts'
export { LISTED_TYPES } from './queries/latest.ts'

export const metrics = ({ db }: { db: Database }): Implementation[] => [...timeseries(new Ingest(db)), ...summaries]

export const metricsTasks: Task[] = [compactSeries]
