// The service words alerts in English; elsewhere they are worded here, from what was read and what the rule was then.

import { useCallback } from 'react'
import { useFormats } from '../../language/formats.ts'
import { useLanguage, useMessages } from '../../language/language.ts'
import type { Alert } from './alert-search.ts'
import { alerts } from './messages.ts'
import { useMetrics } from './metric-names.ts'

type Worded = Pick<Alert, 'message' | 'metricType' | 'field' | 'value'> &
  Pick<Alert, 'direction' | 'threshold' | 'from' | 'to' | 'period' | 'hours'>

export function useWhatHappened(): (alert: Worded) => string {
  const t = useMessages(alerts)
  const language = useLanguage()
  const metrics = useMetrics()
  const formats = useFormats()
  return useCallback(
    ({ message, metricType, field, value, direction, threshold, from, to, period, hours }) => {
      if (language === 'en') return message
      const { number } = formats
      const name = metrics.name(metricType, field)
      if (value === null) return hours === null ? t.silence(name) : t.silentFor(name, number(hours))
      const read = `${name}: ${metrics.value(metricType, field, value)}`
      if (direction && threshold !== null) return `${read}, ${t.crossed[direction]} ${number(threshold)}`
      const hasStayed = from !== null && to !== null && period !== null
      return hasStayed ? `${read}, ${t.stayed(number(from), number(to), number(period))}` : read
    },
    [t, language, metrics, formats],
  )
}
