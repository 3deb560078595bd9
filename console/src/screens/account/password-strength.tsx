// How hard a password is to guess, while it is typed: as the service judges it, with its advice.

import { Group, Progress, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMessages } from '../../language/language.ts'
import { almoner } from '../../session/session.ts'
import { account } from './messages.ts'

const TYPING_MS = 350
const COLOURS = ['red', 'red', 'yellow', 'cyan', 'cyan']

export function PasswordStrength({ password }: { password: string }) {
  const t = useMessages(account)
  const [typed] = useDebouncedValue(password, TYPING_MS)
  const { data } = useQuery({
    // Forgotten at once when it is no longer shown: a password is nothing to keep.
    queryKey: ['checkPasswordStrength', typed],
    queryFn: ({ signal }) =>
      almoner.checkPasswordStrength({ body: { password: typed, checkPwned: false } }, { signal }),
    enabled: typed !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  if (password === '' || !data) return null
  const { label, value } = data.strength
  return (
    <div role="status">
      <Group gap="sm" wrap="nowrap">
        <Progress value={(value + 1) * 20} color={COLOURS[value] ?? 'gray'} flex={1} aria-label={t.strength} />
        <Text size="sm" w={90}>
          {t.strengths[label]}
        </Text>
      </Group>
      {data.suggestions.length > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {data.suggestions.join(' ')}
        </Text>
      )}
    </div>
  )
}
