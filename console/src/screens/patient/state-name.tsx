import { Badge } from '@mantine/core'
import type { ClassifiedRange, Tone } from './classification.ts'
import { useMetricWords } from './metric-words.ts'
import classes from './patient.module.css'

const COLOURS: Record<Tone, string> = { good: 'green', watch: 'yellow', bad: 'orange', danger: 'red' }

/** What a care team calls a reading; its tone is a colour beside the word. */
export function StateName({ range }: { range: ClassifiedRange }) {
  const words = useMetricWords()
  return (
    <Badge variant="light" color={COLOURS[range.tone]} tt="none" size="sm" className={classes.badge}>
      {words.word(range.label)}
    </Badge>
  )
}
