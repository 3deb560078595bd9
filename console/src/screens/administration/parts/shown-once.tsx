// A secret that the service tells this once.

import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'
import { CheckIcon, CopyIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { useMessages } from '../../../language/language.ts'
import { parts } from './messages.ts'
import classes from './parts.module.css'

interface Props {
  title: string
  label: string
  value: string
  /** What can be done with it, while it is known. */
  children?: ReactNode
  onClose: () => void
}

export function ShownOnce({ title, label, value, children, onClose }: Props) {
  const t = useMessages(parts)
  const done = <Button onClick={onClose}>{t.done}</Button>
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={children ? 'lg' : 'md'}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="sm">
        <Text size="sm">{t.shownOnce}</Text>
        <Code className={classes.secret ?? ''} aria-label={label} role="group">
          {value}
        </Code>
        <Group justify="flex-end" gap="xs">
          <CopyButton value={value} timeout={4000}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                data-autofocus
                leftSection={copied ? <CheckIcon /> : <CopyIcon />}
                onClick={copy}
                aria-live="polite"
              >
                {copied ? t.copied : t.copy}
              </Button>
            )}
          </CopyButton>
          {!children && done}
        </Group>
        {children}
        {children && <Group justify="flex-end">{done}</Group>}
      </Stack>
    </Modal>
  )
}
