// A list that was asked for: that it is coming, why it does not, that there is nothing in it, or what is.

import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failure } from '../../../frame/failure.tsx'
import { useMessages } from '../../../language/language.ts'
import { parts } from './messages.ts'
import { Pager } from './pager.tsx'
import { Empty } from './table-region.tsx'

interface Props<L extends { items: unknown[]; total: number }> {
  of: { data: L | undefined; error: Error | null; refetch(): unknown }
  /** In the place of a list of nothing: says what to do. */
  empty: ReactNode
  /** Where the page begins, for a list of several. */
  paging?: { offset: number; onChange: (offset: number) => void }
  children: (list: L) => ReactNode
}

export function Listed<L extends { items: unknown[]; total: number }>({ of, empty, paging, children }: Props<L>) {
  const t = useMessages(parts)
  const { data, error, refetch } = of
  if (error) return <Failure error={error} onRetry={refetch} />
  if (!data) return <Loader size="sm" aria-label={t.loading} />
  return (
    <>
      {data.items.length === 0 ? <Empty>{empty}</Empty> : children(data)}
      {paging && <Pager {...paging} total={data.total} />}
    </>
  )
}
