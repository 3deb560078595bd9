// The ranges of one context on a line, with what has no name and what has two.

import { Text } from '@mantine/core'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { useMetricWords } from '../../patient/metric-words.ts'
import classes from './classifications.module.css'
import { sets } from './messages.ts'
import type { ClassificationSet } from './sets-screen.tsx'

export type Range = ClassificationSet['ranges'][number]

const low = ({ from }: Range) => from ?? -Infinity
const high = ({ to }: Range) => to ?? Infinity

/** From one end that a range has to the next: whose each of the parts is. */
function partsOf(ranges: Range[]) {
  const sound = ranges.filter((range) => low(range) < high(range))
  const ends = [...new Set(sound.flatMap(({ from, to }) => [from, to]).filter((end) => end !== null))].toSorted(
    (one, other) => one - other,
  )
  const bounds = [-Infinity, ...ends, Infinity]
  return bounds.slice(0, -1).map((from, place) => {
    const to = bounds[place + 1] as number
    return { from, to, names: sound.filter((range) => low(range) <= from && high(range) >= to) }
  })
}

export function RangeBars({ ranges }: { ranges: Range[] }) {
  const t = useMessages(sets)
  const words = useMetricWords()
  const contexts = [...new Set(ranges.map(({ context }) => context ?? null))]
  return contexts.map((context) => (
    <div key={context}>
      {contexts.length > 1 && (
        <Text size="xs" c="dimmed" mb={2}>
          {context ? words.word(context) : t.anyContext}
        </Text>
      )}
      <RangeBar
        label={context === null ? t.drawn : t.drawnFor(words.word(context))}
        ranges={ranges.filter((range) => (range.context ?? null) === context)}
      />
    </div>
  ))
}

function RangeBar({ label, ranges }: { label: string; ranges: Range[] }) {
  const t = useMessages(sets)
  const words = useMetricWords()
  const { number } = useFormats()
  const parts = partsOf(ranges)
  const end = (value: number) => (value === -Infinity ? t.below : value === Infinity ? t.above : number(value))
  const inWords = parts.map(({ from, to, names: [first, second] }) => {
    if (second) return t.overlapInWords(end(from), end(to))
    return first
      ? t.rangeInWords(words.word(first.label), end(from), end(to), t.tones[first.tone])
      : t.gapInWords(end(from), end(to))
  })
  return (
    <div role="img" aria-label={`${label}. ${inWords.join('; ')}`} className={classes.bar}>
      {parts.map(({ from, to, names }) => (
        <div key={from} className={classes.part}>
          <div className={classes.fill} data-tone={names.length > 1 ? 'twice' : (names[0]?.tone ?? 'gap')}>
            {names.length > 0 ? names.map((range) => words.word(range.label) || '…').join(' + ') : t.gap}
          </div>
          {to !== Infinity && <span className={classes.end}>{number(to)}</span>}
        </div>
      ))}
    </div>
  )
}
