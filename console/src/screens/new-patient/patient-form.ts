// What is typed about a new patient, and how it is sent.

import type { Almoner, Locale } from '@almoner/client'

type Body = Parameters<Almoner['createPatient']>[0]['body']
export type Gender = Body['gender']
export const GENDERS: Gender[] = ['female', 'male', 'other', 'pnta', 'unknown']

export interface PatientForm {
  firstName: string
  lastName: string
  preferredName: string
  birthDate: string
  gender: Gender | ''
  email: string
  mobilePhone: string
  locale: Locale
  tz: string
  individualGroupIds: string[]
  notifications: ('email' | 'sms')[]
}

export const FIELDS = [
  'firstName',
  'lastName',
  'preferredName',
  'birthDate',
  'gender',
  'email',
  'mobilePhone',
  'locale',
  'tz',
  'individualGroupIds',
  'notifications',
] as const

export const emptyForm = (locale: Locale): PatientForm => ({
  firstName: '',
  lastName: '',
  preferredName: '',
  birthDate: '',
  gender: '',
  email: '',
  mobilePhone: '',
  locale,
  tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
  individualGroupIds: [],
  notifications: [],
})

/** What is empty is left out: the service says itself what it cannot do without. */
export function bodyOf(organizationId: string, form: PatientForm): Body {
  const given = Object.entries(form).filter(([, value]) => value !== '')
  return { organizationId, ...Object.fromEntries(given) } as Body
}
