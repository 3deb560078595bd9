import type { Implementation } from '../../platform/http/implementation.ts'
import type { Task } from '../../platform/queue/queue.ts'
import type { Watcher } from '../metrics/index.ts'
import { alertRules } from './alert-rules.ts'
import { alerts as alertOperations } from './alerts.ts'
import { classificationSets } from './classification-sets.ts'
import { evaluateWritten } from './evaluation.ts'
import { population } from './population.ts'
import { eraseAlerts } from './queries/records.ts'
import { watchForSilence } from './silence.ts'
import './tables.ts'

export { alertNotices } from './notices.ts'
export { writeShippedSets } from './queries/classification-sets.ts'
export { moveAlerts } from './queries/records.ts'

export const alerts: Implementation[] = [...alertRules, ...alertOperations, ...classificationSets, ...population]

/** What pushes of metrics tell. */
export const alertWatcher: Watcher = { written: evaluateWritten, erased: eraseAlerts }

export const alertTasks: Task[] = [watchForSilence]
