import { ActionIcon, Group, Text } from '@mantine/core'
import { ChevronLeftIcon, ChevronRightIcon } from '@primer/octicons-react'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { parts } from './messages.ts'

export const PAGE = 25

interface Props {
  offset: number
  total: number
  onChange: (offset: number) => void
}

export function Pager({ offset, total, onChange }: Props) {
  const t = useMessages(parts)
  const { number } = useFormats()
  if (total <= PAGE && offset === 0) return null
  const last = Math.min(offset + PAGE, total)
  return (
    <Group component="nav" aria-label={t.pages} justify="flex-end" gap="xs" mt="xs">
      <Text size="sm" c="dimmed" aria-live="polite">
        {t.range(number(Math.min(offset + 1, total)), number(last), number(total))}
      </Text>
      <ActionIcon
        variant="default"
        aria-label={t.previous}
        disabled={offset === 0}
        onClick={() => onChange(Math.max(0, offset - PAGE))}
      >
        <ChevronLeftIcon />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t.next}
        disabled={last >= total}
        onClick={() => onChange(offset + PAGE)}
      >
        <ChevronRightIcon />
      </ActionIcon>
    </Group>
  )
}
