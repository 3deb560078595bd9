// A secret that the service tells this once.

import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMessages } from '../../../language/language.ts'
import { Copying } from './copying.tsx'
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
          <Copying value={value} label={t.copy} done={t.copied} data-autofocus />
          {!children && done}
        </Group>
        {children}
        {children && <Group justify="flex-end">{done}</Group>}
      </Stack>
    </Modal>
  )
}
