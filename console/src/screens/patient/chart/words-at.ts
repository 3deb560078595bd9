// What the chart says of the time that the pointer is at.

import { useMemo } from 'react'
import { LANGUAGE_TAGS, useLanguage, useMessages } from '../../../language/language.ts'
import { patient } from '../messages.ts'
import { metricWords } from '../metric-words.ts'
import type { AlertMark } from './draw.ts'
import type { Lane } from './lanes.ts'
import { nearest, type Resolution, type Trace } from './traces.ts'

interface Drawn {
  traces: Trace[]
  lanes: Lane[]
  alerts: AlertMark[]
  zone: string
  resolution: Resolution
}

export function useWordsAt({ traces, lanes, alerts, zone, resolution }: Drawn) {
  const language = useLanguage()
  const t = useMessages(patient)
  return useMemo(() => {
    const words = metricWords(language)
    const tag = LANGUAGE_TAGS[language]
    const clock = resolution === 'readings' || resolution === 'hour'
    const printer = new Intl.DateTimeFormat(tag, {
      dateStyle: 'medium',
      ...(clock ? { timeStyle: 'short' as const } : {}),
      timeZone: zone,
    })
    const number = (value: number) => value.toLocaleString(tag, { maximumFractionDigits: 1 })
    const moment = (time: number) => printer.format(time * 1000)

    const wordsOf = (trace: Trace, at: number): string => {
      const { field, values, lows, highs, isBars } = trace
      const name = field.name === 'value' ? '' : `${words.field(field)} `
      const value = `${name}${number(values[at] as number)} ${words.unit(field.unit)}`
      if (isBars) return `${value} ${t.inAll}`
      if (!lows || !highs)
        return [value, trace.contexts?.[at] && words.word(trace.contexts[at])].filter(Boolean).join(', ')
      return t.meanAnd(value, number(lows[at] as number), number(highs[at] as number))
    }

    return (time: number, reach: number): string => {
      const near = alerts.filter((one) => Math.abs(one.time - time) <= reach)
      const found = traces.flatMap((trace) => {
        const at = nearest(trace, time, reach)
        return at === undefined ? [] : [{ trace, at }]
      })
      const marks = lanes.flatMap(({ name, marks: some }) =>
        some
          .filter(({ from, to }) => (to === undefined ? Math.abs(from - time) <= reach : from <= time && time < to))
          .map((mark) => ({ ...mark, name })),
      )
      const first = found[0]
      const when = first ? (first.trace.times[first.at] as number) : marks[0]?.from
      const bySource = Map.groupBy(found, ({ trace }) => trace.source)
      const lines = [...bySource].map(
        ([source, some]) => `${some.map(({ trace, at }) => wordsOf(trace, at)).join(' · ')} (${source})`,
      )
      for (const { name, text, source } of marks.slice(0, 4))
        lines.push(`${text === name ? name : text.startsWith(name) ? text : `${name}: ${text}`} (${source})`)
      for (const { text, time: fired } of near.slice(0, 3)) lines.push(`⚠ ${moment(fired)}: ${text}`)
      if (lines.length === 0) return ''
      return [...(when === undefined ? [] : [moment(when)]), ...lines].join('\n')
    }
  }, [language, t, traces, lanes, alerts, zone, resolution])
}
