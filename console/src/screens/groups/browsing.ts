// Which groups are unfolded, and the rows of the tree that this leads to. Each level is asked for when it is unfolded.

import type { AnswerTo } from '@almoner/client'
import { useQueries } from '@tanstack/react-query'
import { createContext, type Dispatch, type SetStateAction, useContext } from 'react'
import { useOrganization } from '../../frame/person.ts'
import { ask } from '../../session/asking.ts'

export type Group = AnswerTo<'listGroups'>['items'][number]

const ALL_TYPES: Group['type'][] = ['all_participants', 'unassigned', 'regular', 'provider_only']

export interface Browsing {
  open: ReadonlySet<string>
  setOpen: Dispatch<SetStateAction<ReadonlySet<string>>>
  withInactive: boolean
  setWithInactive: (withInactive: boolean) => void
}

export const BrowsingContext = createContext<Browsing | null>(null)

export function useBrowsing(): Browsing {
  const browsing = useContext(BrowsingContext)
  if (!browsing) throw new Error('Groups are browsed below their layout.')
  return browsing
}

export interface Row {
  group: Group
  level: number
  place: number
  size: number
  parentId: string | null
  isOpen: boolean
  canOpen: boolean
}

export const isAutomatic = ({ type }: Pick<Group, 'type'>) => type === 'all_participants' || type === 'unassigned'

const TOP = ''

export function useRows({ open, withInactive }: Pick<Browsing, 'open' | 'withInactive'>) {
  const { id: organizationId } = useOrganization()
  const parents = [TOP, ...open]
  const levels = useQueries({
    queries: parents.map((parent) =>
      ask('listGroups', {
        organizationId,
        type: ALL_TYPES,
        filter: { includeInactive: withInactive, ...(parent === TOP ? { top: true } : { parentGroupId: parent }) },
        page: { limit: 1000 },
      }),
    ),
  })
  const below = new Map(parents.map((parent, place) => [parent, levels[place]]))
  const rowsBelow = (parent: string, level: number): Row[] => {
    const items = automaticFirst(below.get(parent)?.data?.items ?? [])
    return items.flatMap((group, place) => {
      const children = below.get(group.id)?.data?.items
      const canOpen =
        children !== undefined ? children.length > 0 : group.childCount > 0 || (withInactive && !isAutomatic(group))
      const isOpen = canOpen && open.has(group.id)
      const parentId = parent === TOP ? null : parent
      const row = { group, level, place: place + 1, size: items.length, parentId, isOpen, canOpen }
      return [row, ...(isOpen ? rowsBelow(group.id, level + 1) : [])]
    })
  }
  const [top] = levels
  return {
    rows: rowsBelow(TOP, 1),
    isPending: top?.isPending ?? true,
    error: levels.find(({ error }) => error)?.error ?? null,
    retry: () => levels.forEach((one) => void (one.error && one.refetch())),
    isLoading: (id: string) => below.get(id)?.isPending ?? false,
  }
}

const automaticFirst = (groups: Group[]): Group[] =>
  groups.toSorted((one, other) => Number(isAutomatic(other)) - Number(isAutomatic(one)))
