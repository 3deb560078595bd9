// A rule in one plain sentence.

import type { AnswerTo } from '@almoner/client'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../../frame/person.ts'
import { useFormats } from '../../language/formats.ts'
import { type Language, useLanguage } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { useMetrics } from '../alerts/metric-names.ts'

export type Rule = AnswerTo<'getAlertRule'>
export type Terms = Pick<
  Rule,
  | 'metricType'
  | 'field'
  | 'kind'
  | 'direction'
  | 'threshold'
  | 'clearThreshold'
  | 'from'
  | 'to'
  | 'period'
  | 'hours'
  | 'individualId'
  | 'groupId'
>

interface Words {
  metric: string
  whom: string
  /** A value with its unit, or a line where none is known yet. */
  value: (value: number | null) => string
  lasting: (minutes: number | null) => string
}

const blank = '…'
/** Within a sentence; abbreviations such as HbA1c stay as they are. */
const small = (text: string) => (/[A-Z]/.test(text.slice(1)) ? text : text.charAt(0).toLowerCase() + text.slice(1))

const SENTENCES: Record<Language, Record<Terms['kind'], (terms: Terms, words: Words) => string>> = {
  en: {
    watermark: ({ direction, threshold, clearThreshold }, { metric, whom, value }) =>
      `When ${metric} ${whom} ${direction === 'below' ? 'falls below' : 'rises above'} ${value(threshold)}, until it is back at ${value(clearThreshold ?? threshold)}.`,
    range: ({ from, to, period }, { metric, whom, value, lasting }) =>
      `When ${metric} ${whom} stays from ${value(from)} to below ${value(to)} for ${lasting(period)}, until it leaves that range.`,
    'no-data': ({ hours }, { metric, whom, lasting }) =>
      `When there is no reading of ${metric} ${whom} for ${lasting(hours === null ? null : hours * 60)}, until there is one.`,
  },
  es: {
    watermark: ({ direction, threshold, clearThreshold }, { metric, whom, value }) =>
      `Cuando «${metric}» ${whom} ${direction === 'below' ? 'baja de' : 'sube de'} ${value(threshold)}, hasta que vuelva a ${value(clearThreshold ?? threshold)}.`,
    range: ({ from, to, period }, { metric, whom, value, lasting }) =>
      `Cuando «${metric}» ${whom} se mantiene desde ${value(from)} hasta menos de ${value(to)} durante ${lasting(period)}, hasta que salga de ese rango.`,
    'no-data': ({ hours }, { metric, whom, lasting }) =>
      `Cuando no hay lecturas de «${metric}» ${whom} durante ${lasting(hours === null ? null : hours * 60)}, hasta que haya una.`,
  },
}

const WHOM: Record<Language, { anyone: string; group: (name: string) => string; person: (name: string) => string }> = {
  en: { anyone: 'of any patient', group: (name) => `of anyone in ${name}`, person: (name) => `of ${name}` },
  es: {
    anyone: 'de cualquier paciente',
    group: (name) => `de alguien de ${name}`,
    person: (name) => `de ${name}`,
  },
}

const UNITS: Record<Language, Record<'day' | 'hour' | 'minute', readonly [one: string, many: string]>> = {
  en: { day: ['day', 'days'], hour: ['hour', 'hours'], minute: ['minute', 'minutes'] },
  es: { day: ['día', 'días'], hour: ['hora', 'horas'], minute: ['minuto', 'minutos'] },
}

/** In the largest unit that it is whole of; hours up to two days. */
function lastingIn(language: Language, minutes: number | null): string {
  if (minutes === null) return blank
  const unit = minutes % 1440 === 0 && minutes > 2880 ? 'day' : minutes % 60 === 0 ? 'hour' : 'minute'
  const count = minutes / { day: 1440, hour: 60, minute: 1 }[unit]
  return `${count} ${UNITS[language][unit][count === 1 ? 0 : 1]}`
}

/** The groups whose names rules speak of, asked for once. */
export function useGroups() {
  const { id: organizationId } = useOrganization()
  const { data } = useQuery({ ...ask('listGroups', { organizationId, page: { limit: 1000 } }), staleTime: 60_000 })
  return data?.items ?? []
}

export function useRuleSentence(): (terms: Terms, patient?: string) => string {
  const language = useLanguage()
  const metrics = useMetrics()
  const formats = useFormats()
  const groups = useGroups()
  return (terms, patient) => {
    const { metricType, kind, groupId, individualId } = terms
    const field = terms.field ?? (kind === 'no-data' ? null : (metrics.numericFields(metricType)[0]?.name ?? null))
    const words = WHOM[language]
    const group = groups.find(({ id }) => id === groupId)?.name ?? blank
    const said = SENTENCES[language][kind](terms, {
      metric: small(metrics.name(metricType, field)),
      whom: groupId ? words.group(group) : individualId ? words.person(patient ?? ONE_PATIENT[language]) : words.anyone,
      value: (value) =>
        value === null
          ? blank
          : metrics.unitOf(metricType, field)
            ? metrics.value(metricType, field, value)
            : formats.number(value),
      lasting: (minutes) => lastingIn(language, minutes),
    })
    return said.replace('….', blank)
  }
}

const ONE_PATIENT: Record<Language, string> = { en: 'one patient', es: 'un paciente' }
