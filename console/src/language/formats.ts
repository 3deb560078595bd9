// Dates, moments and numbers as the person's language writes them, in the browser's time zone.

import { useMemo } from 'react'
import { LANGUAGE_TAGS, type Language, useLanguage } from './language.ts'

function formatsOf(language: Language) {
  const tag = LANGUAGE_TAGS[language]
  const day = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' })
  const number = new Intl.NumberFormat(tag)
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  return {
    /** A calendar day, `YYYY-MM-DD`: the same everywhere. */
    day: (date: string) => day.format(new Date(`${date}T00:00:00Z`)),
    moment: (date: Date) => moment.format(date),
    number: (value: number) => number.format(value),
    /** Such as “3 days ago”. */
    ago: (date: Date, now = Date.now()) => {
      const seconds = (date.getTime() - now) / 1000
      const [unit, size] = STEPS.find(([, least]) => Math.abs(seconds) >= least) ?? (['second', 1] as const)
      return relative.format(Math.round(seconds / size), unit)
    },
  }
}

const STEPS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

export function useFormats() {
  const language = useLanguage()
  return useMemo(() => formatsOf(language), [language])
}
