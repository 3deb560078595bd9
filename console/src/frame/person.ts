// The person who is signed in, and the organization that is being worked in.

import type { AnswerTo, Role } from '@almoner/client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ask } from '../session/asking.ts'
import { queries } from './queries.ts'

type Organization = AnswerTo<'listOrganizations'>['items'][number]

const KEPT = 'almoner-organization'
const listeners = new Set<() => void>()

// The tab's own choice comes first: two tabs may work in two organizations.
const chosen = () => sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT)

const useChosen = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, chosen)

export function chooseOrganization(id: string): void {
  sessionStorage.setItem(KEPT, id)
  localStorage.setItem(KEPT, id)
  // What is on the screen belongs to the organization before.
  queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'getProfile' && name !== 'listOrganizations' })
  for (const listener of listeners) listener()
}

/** To be used below the frame, which has loaded both. */
export function usePerson() {
  const { data: profile } = useSuspenseQuery(ask('getProfile'))
  const { data } = useSuspenseQuery(ask('listOrganizations'))
  const id = useChosen()
  const organization: Organization | undefined = data.items.find((one) => one.id === id) ?? data.items[0]
  return { profile, organizations: data.items, organization, roles: organization?.roles ?? ([] as Role[]) }
}

/** The organization that is being worked in. The frame shows no screen to those who belong to none. */
export function useOrganization(): Organization {
  const { organization } = usePerson()
  if (!organization) throw new Error('You belong to no organization.')
  return organization
}

export const useMay = (...allowed: Role[]): boolean => usePerson().roles.some((role) => allowed.includes(role))
