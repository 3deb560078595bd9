// Views that someone saved: words, filters, order and columns under a name, kept in this browser.

import { useLocalStorage } from '@mantine/hooks'
import { usePerson } from '../../frame/person.ts'
import type { PatientsSearch } from './search.ts'

export interface View {
  name: string
  search: PatientsSearch
}

export function useViews() {
  const { profile, organization } = usePerson()
  // Groups and tags belong to an organization, and views to whoever made them.
  const key = `almoner-patient-views-${profile.id}-${organization?.id}`
  const [views, setViews] = useLocalStorage<View[]>({ key, defaultValue: [], getInitialValueInEffect: false })
  const others = (name: string) => views.filter((one) => one.name !== name)
  return {
    views,
    save: (name: string, { page: _, ...search }: PatientsSearch) =>
      setViews([...others(name), { name, search }].sort((a, b) => a.name.localeCompare(b.name))),
    remove: (name: string) => setViews(others(name)),
  }
}
