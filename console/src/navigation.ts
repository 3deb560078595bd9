// The screens that the menu and the command palette lead to: one line each. Whoever has none of the roles is not led
// there, and is told so at the address itself.

import type { Role } from '@almoner/client'
import { AlertIcon, GearIcon, HomeIcon, type Icon, PeopleIcon, PersonIcon, ZapIcon } from '@primer/octicons-react'
import type { Language } from './language/language.ts'

export interface Destination {
  path: string
  icon: Icon
  title: Record<Language, string>
  /** Everyone when left out. */
  roles?: Role[]
  /** `more` is at the end of the menu. */
  place?: 'main' | 'more'
}

export const navigation: Destination[] = [
  { path: '/', icon: HomeIcon, title: { en: 'Home', es: 'Inicio' } },
  { path: '/patients', icon: PeopleIcon, title: { en: 'Patients', es: 'Pacientes' }, roles: ['org-admin', 'provider'] },
  {
    path: '/groups',
    icon: PeopleIcon,
    title: { en: 'Groups', es: 'Grupos' },
    roles: ['org-admin', 'provider'],
  },
  {
    path: '/administration',
    icon: GearIcon,
    title: { en: 'Administration', es: 'Administración' },
    roles: ['org-admin'],
    place: 'more',
  },
  { path: '/alerts', icon: AlertIcon, title: { en: 'Alerts', es: 'Alertas' }, roles: ['org-admin', 'provider'] },
  {
    path: '/alert-rules',
    icon: ZapIcon,
    title: { en: 'Alert rules', es: 'Reglas de alerta' },
    roles: ['org-admin', 'provider'],
  },
  { path: '/account', icon: PersonIcon, title: { en: 'My account', es: 'Mi cuenta' }, place: 'more' },
]

const covers = ({ path }: Destination, address: string) => address === path || address.startsWith(`${path}/`)

/** The screen that an address belongs to. */
export const destinationOf = (address: string): Destination | undefined =>
  navigation.find((one) => covers(one, address))

export const isOpenTo = ({ roles }: Destination, held: readonly Role[]): boolean =>
  !roles || roles.some((role) => held.includes(role))
