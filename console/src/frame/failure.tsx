// What went wrong, in the service's own words, with the id to quote.

import { AlmonerError } from '@almoner/client'
import { Alert, Button, Group, List, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { said } from '../language/error-words.ts'
import { currentLanguage, useMessages } from '../language/language.ts'
import { frame } from './messages.ts'

/** One sentence for each fault. */
function wordsOf(error: unknown): string[] {
  if (error instanceof AlmonerError) return error.errors.length > 0 ? error.errors.map(said) : [error.message]
  // What fetch throws when nobody answers.
  if (error instanceof TypeError) return [frame[currentLanguage()].unreachable]
  return [error instanceof Error ? error.message : String(error)]
}

const requestIdOf = (error: unknown) => (error instanceof AlmonerError ? error.requestId : null)

interface Props {
  error: unknown
  onRetry?: () => void
}

/** In the place of what could not be shown or done. */
export function Failure({ error, onRetry }: Props) {
  const t = useMessages(frame)
  const words = wordsOf(error)
  const requestId = requestIdOf(error)
  return (
    <Alert color="red" variant="light" role="alert" title={words.length === 1 ? undefined : t.failed}>
      {words.length === 1 ? (
        <Text size="sm">{words[0]}</Text>
      ) : (
        <List size="sm">
          {words.map((one) => (
            <List.Item key={one}>{one}</List.Item>
          ))}
        </List>
      )}
      <Group justify="space-between" mt={requestId || onRetry ? 'xs' : 0}>
        {requestId && (
          <Text size="xs" c="dimmed">
            {t.requestId(requestId)}
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t.retry}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

/** For what was asked for in passing: a button in a list, a switch. */
export function notifyFailure(error: unknown): void {
  const requestId = requestIdOf(error)
  const t = frame[currentLanguage()]
  notifications.show({
    color: 'red',
    message: [...wordsOf(error), ...(requestId ? [t.requestId(requestId)] : [])].join(' '),
    autoClose: 10_000,
    closeButtonProps: { 'aria-label': t.close },
  })
}

/** Something was done. */
export const notifyDone = (message: string): void => {
  const t = frame[currentLanguage()]
  notifications.show({ message, autoClose: 4000, closeButtonProps: { 'aria-label': t.close } })
}
