import { Button, type ButtonProps, CopyButton } from '@mantine/core'
import { CheckIcon, CopyIcon } from '@primer/octicons-react'

const SHOWN_MS = 4000

interface Props extends ButtonProps {
  value: string
  label: string
  /** Said for a moment once it is copied. */
  done: string
}

export const Copying = ({ value, label, done, ...rest }: Props) => (
  <CopyButton value={value} timeout={SHOWN_MS}>
    {({ copied, copy }) => (
      <Button
        variant="default"
        leftSection={copied ? <CheckIcon /> : <CopyIcon />}
        onClick={copy}
        aria-live="polite"
        {...rest}
      >
        {copied ? done : label}
      </Button>
    )}
  </CopyButton>
)
