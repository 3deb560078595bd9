import type { ErrorComponentProps } from '@tanstack/react-router'
import { useMessages } from '../language/language.ts'
import { Failure } from './failure.tsx'
import { frame } from './messages.ts'
import { Screen } from './screen.tsx'

export function FailurePage({ error, reset }: ErrorComponentProps) {
  const t = useMessages(frame)
  return (
    <Screen title={t.failed}>
      <Failure error={error} onRetry={reset} />
    </Screen>
  )
}
