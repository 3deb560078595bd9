import { AlertFillIcon, AlertIcon, CheckCircleIcon, DotFillIcon, EyeIcon, InfoIcon } from '@primer/octicons-react'
import { useMessages } from '../../language/language.ts'
import type { SeverityName, StateName } from './alert-search.ts'
import classes from './severity.module.css'
import { signs } from './sign-messages.ts'

export const severityIcons = { critical: AlertFillIcon, warning: AlertIcon, info: InfoIcon }
const stateIcons = { open: DotFillIcon, acknowledged: EyeIcon, cleared: CheckCircleIcon }

/** Told by a sign and a word, not by its colour alone. */
export function Severity({ of }: { of: SeverityName }) {
  const t = useMessages(signs)
  const Icon = severityIcons[of]
  return (
    <span className={classes.word} data-severity={of}>
      <Icon size={16} />
      {t.severity[of]}
    </span>
  )
}

export function State({ of }: { of: StateName }) {
  const t = useMessages(signs)
  const Icon = stateIcons[of]
  return (
    <span className={classes.word} data-state={of}>
      <Icon size={16} />
      {t.state[of]}
    </span>
  )
}
