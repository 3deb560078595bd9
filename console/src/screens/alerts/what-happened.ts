// The service words alerts in English; elsewhere they are worded here, from what was read.

import { useLanguage, useMessages } from '../../language/language.ts'
import type { Alert } from './alert-search.ts'
import { alerts } from './messages.ts'
import { useMetrics } from './metric-names.ts'

export function useWhatHappened(): (alert: Pick<Alert, 'message' | 'metricType' | 'field' | 'value'>) => string {
  const t = useMessages(alerts)
  const language = useLanguage()
  const metrics = useMetrics()
  return ({ message, metricType, field, value }) => {
    if (language === 'en') return message
    if (value === null) return t.silence(metrics.name(metricType, field))
    return `${metrics.name(metricType, field)}: ${metrics.value(metricType, field, value)}`
  }
}
