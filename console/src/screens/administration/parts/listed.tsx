// A list that was asked for: that it is coming, why it does not, that there is nothing in it, or what is.

import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failure } from '../../../frame/failure.tsx'
import { useMessages } from '../../../language/language.ts'
import { parts } from './messages.ts'
import { Empty } from './table-region.tsx'

interface Props<L extends { items: unknown[] }> {
  of: { data: L | undefined; error: Error | null; refetch(): unknown }
  /** In the place of a list of nothing: says what to do. */
  empty: ReactNode
  children: (list: L) => ReactNode
}

export function Listed<L extends { items: unknown[] }>({ of: { data, error, refetch }, empty, children }: Props<L>) {
  const t = useMessages(parts)
  if (error) return <Failure error={error} onRetry={refetch} />
  if (!data) return <Loader size="sm" aria-label={t.loading} />
  return data.items.length === 0 ? <Empty>{empty}</Empty> : children(data)
}
