// The service words alerts in English; elsewhere they are worded here, from what was read. What the rule was at that
// moment is kept only at the end of the service's own words, so the numbers are taken from there.

import { useCallback } from 'react'
import { useFormats } from '../../language/formats.ts'
import { useLanguage, useMessages } from '../../language/language.ts'
import type { Alert } from './alert-search.ts'
import { alerts } from './messages.ts'
import { useMetrics } from './metric-names.ts'

type Worded = Pick<Alert, 'message' | 'metricType' | 'field' | 'value'>

const NUMBER = String.raw`(-?[\d.]+(?:e[+-]?\d+)?)`
const CROSSED = new RegExp(`, (above|below) ${NUMBER}$`)
const STAYED = new RegExp(`, from ${NUMBER} to ${NUMBER} for ${NUMBER} minutes$`)
const SILENT = new RegExp(`: no reading for ${NUMBER} hours$`)

export function useWhatHappened(): (alert: Worded) => string {
  const t = useMessages(alerts)
  const language = useLanguage()
  const metrics = useMetrics()
  const formats = useFormats()
  return useCallback(
    ({ message, metricType, field, value }) => {
      if (language === 'en') return message
      const number = (written: string | undefined) => formats.number(Number(written))
      const name = metrics.name(metricType, field)
      const silent = SILENT.exec(message)
      if (value === null) return silent ? t.silentFor(name, number(silent[1])) : t.silence(name)
      const read = `${name}: ${metrics.value(metricType, field, value)}`
      const crossed = CROSSED.exec(message)
      if (crossed) return `${read}, ${t.crossed[crossed[1] as 'above' | 'below']} ${number(crossed[2])}`
      const stayed = STAYED.exec(message)
      return stayed ? `${read}, ${t.stayed(number(stayed[1]), number(stayed[2]), number(stayed[3]))}` : read
    },
    [t, language, metrics, formats],
  )
}
