import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useMessages } from '../language/language.ts'
import { Failure } from './failure.tsx'
import { frame } from './messages.ts'
import { Screen } from './screen.tsx'

export function FailurePage({ error }: ErrorComponentProps) {
  const router = useRouter()
  const t = useMessages(frame)
  return (
    <Screen title={t.failed}>
      <Failure error={error} onRetry={() => router.invalidate()} />
    </Screen>
  )
}
