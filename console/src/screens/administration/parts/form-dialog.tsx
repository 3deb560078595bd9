import { Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { Failure } from '../../../frame/failure.tsx'
import { useMessages } from '../../../language/language.ts'
import { parts } from './messages.ts'

interface Props {
  title: string
  /** The word on the button. */
  action?: string
  isBusy: boolean
  /** What belongs to no field. */
  error: unknown
  size?: string
  isDestructive?: boolean
  isDisabled?: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** Mounted when it is opened: what was typed before is gone. */
export function FormDialog(props: Props) {
  const t = useMessages(parts)
  const { title, action = t.save, isBusy, error, size, isDestructive, isDisabled, onSubmit, onClose, children } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size ?? 'md'}
      closeButtonProps={{ 'aria-label': t.close }}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {children}
          {error ? <Failure error={error} /> : null}
          <Group justify="flex-end" gap="xs" mt="xs">
            <Button variant="default" onClick={onClose} data-autofocus={isDestructive || undefined}>
              {t.cancel}
            </Button>
            <Button
              type="submit"
              loading={isBusy}
              disabled={isDisabled ?? false}
              {...(isDestructive ? { color: 'red.9' } : {})}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
