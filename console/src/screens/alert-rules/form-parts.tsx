// What the parts of the form share.

import { NumberInput, type NumberInputProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { faultSaid } from '../../language/error-words.ts'
import { useMessages } from '../../language/language.ts'
import type { Draft, faultsAt } from './draft.ts'
import { rules } from './messages.ts'
import classes from './rules.module.css'

export interface PartProps {
  draft: Draft
  onChange: (changed: Partial<Draft>) => void
  /** The fault at a place, in words; undefined where there is none. */
  fault: (place: string) => string | undefined
}

/** The service's own words, in the person's language where they are known. */
export function useFaultWords(faults: ReturnType<typeof faultsAt>): PartProps['fault'] {
  const t = useMessages(rules)
  return (place) => {
    const [, found] = [...faults].find(([at]) => at === place || at.startsWith(`${place}/`)) ?? []
    if (!found) return undefined
    if (found.isMissing) return t.required
    const known = t.faults[found.fault as keyof typeof t.faults]
    return known ?? faultSaid(found.fault)
  }
}

export function Part({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={classes.fieldset}>
      <legend className={classes.legend}>{legend}</legend>
      {children}
    </fieldset>
  )
}

interface NumberProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  value: number | null
  onChange: (value: number | null) => void
}

/** A number, or null while there is none. What is typed stays as it is: “1.” is on the way to a number. */
export function NumberField({ value, onChange, ...rest }: NumberProps) {
  const [typed, setTyped] = useState<string | number>(value ?? '')
  return (
    <NumberInput
      hideControls
      {...rest}
      value={typed}
      onChange={(now) => {
        setTyped(now)
        onChange(now === '' || Number.isNaN(Number(now)) ? null : Number(now))
      }}
    />
  )
}
