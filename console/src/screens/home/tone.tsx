import { VisuallyHidden } from '@mantine/core'
import { AlertFillIcon, AlertIcon, CheckIcon, EyeIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { useMessages } from '../../language/language.ts'
import classes from './home.module.css'
import { home } from './messages.ts'
import type { Summary } from './population.tsx'

export type ToneName = Summary['outOfRange'][number]['tone']

const icons = { good: CheckIcon, watch: EyeIcon, bad: AlertIcon, danger: AlertFillIcon }

/** What a reading is called, with a sign for how good that is. */
export function Tone({ of, children }: { of: ToneName | null; children: ReactNode }) {
  const t = useMessages(home)
  if (of === null) return <span className={classes.tone}>{children}</span>
  const Icon = icons[of]
  return (
    <span className={classes.tone} data-tone={of}>
      <Icon size={14} />
      {children}
      <VisuallyHidden> ({t.tones[of]})</VisuallyHidden>
    </span>
  )
}
