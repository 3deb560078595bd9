import type { Almoner } from '@almoner/client'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { notifyDone } from '../../../frame/failure.tsx'

interface After<Answer> {
  /** The questions whose answers are other ones now. */
  refresh: (keyof Almoner)[]
  /** Said when it worked. */
  done?: string
  onDone?: (answer: Answer) => void
  onError?: (error: unknown) => void
}

/** A change, and what it makes stale. */
export function useChange<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  { refresh, done, onDone, onError }: After<Answer>,
): UseMutationResult<Answer, unknown, Input> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer) => {
      if (done) notifyDone(done)
      onDone?.(answer)
      await queries.invalidateQueries({
        predicate: ({ queryKey: [name] }) => refresh.includes(name as keyof Almoner),
      })
    },
    ...(onError ? { onError } : {}),
  })
}
