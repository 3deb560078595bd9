// Questions to the service as TanStack Query asks them: the key is the operation and its input.

import type { Almoner, AnswerTo } from '@almoner/client'
import { queryOptions } from '@tanstack/react-query'
import { almoner } from './session.ts'

type Input<Name extends keyof Almoner> = Parameters<Almoner[Name]>[0]
type AnyCall = (input: unknown, options: { signal: AbortSignal }) => Promise<unknown>

/** `useQuery(ask('listGroups', { organizationId }))` */
export const ask = <Name extends keyof Almoner>(name: Name, input?: Input<Name>) =>
  queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ signal }) => (almoner[name] as AnyCall)(input, { signal }) as Promise<AnswerTo<Name>>,
  })
