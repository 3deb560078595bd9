import { NOTIFICATIONS } from '../identity/users.ts'
import {
  date,
  defaulted,
  email,
  get,
  listOf,
  locale,
  modify,
  nullable,
  objectOf,
  one,
  oneOf,
  oneWith,
  operation,
  optional,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'
import { communicationPreferences } from './individuals.ts'

export const GENDERS = ['male', 'female', 'pnta', 'other', 'unknown'] as const
export type Gender = (typeof GENDERS)[number]

const PATH = '/showboat/v1/patients/'
/** Any way of writing a number that exists; kept in E.164 form. */
const phone = ({ description = 'A phone number.' } = {}) => text({ minLength: 1, maxLength: 40, description })
const personName = text({ minLength: 1, maxLength: 255 })

/** What a form about a patient holds. */
export const Patient = resource('ui-patients', {
  firstName: text(),
  lastName: text(),
  preferredName: nullable(text()),
  birthDate: nullable(date()),
  gender: nullable(oneOf(GENDERS)),
  email: nullable(text()),
  mobilePhone: nullable(text()),
  locale: locale(),
  tz: nullable(text({ description: 'A time zone such as America/New_York.' })),
  communicationPreferences: communicationPreferences(),
  username: text(),
  individualGroupIds: listOf(uuid()),
  organizationId: uuid(),
})

const duplicates = {
  warnings: listOf(
    objectOf({
      code: oneOf(['PossibleDuplicate']),
      detail: text(),
      individualIds: listOf(uuid(), { description: 'Patients with the same name and birth date.' }),
    }),
  ),
}

export const patientAttributes = {
  firstName: personName,
  lastName: personName,
  birthDate: date(),
  gender: oneOf(GENDERS),
  email: optional(email({ description: 'Needed unless a mobile phone is given.' })),
  mobilePhone: optional(phone({ description: 'Needed unless an email is given.' })),
  locale: defaulted(locale(), 'en_US'),
  username: optional(
    text({ minLength: 1, maxLength: 255, description: 'Equals the email or the mobile phone; the email by default.' }),
  ),
  preferredName: optional(personName),
  tz: optional(text({ minLength: 1, maxLength: 64, description: 'A time zone such as America/New_York.' })),
}

export const createPatient = operation({
  id: 'create-patient',
  summary: 'Create a patient',
  description:
    'Makes the individual and the user, and shares the record with the organization. A patient who looks the same is a warning in `meta`, not an error.',
  method: 'POST',
  path: PATH,
  status: 201,
  access: roles('org-admin', 'provider'),
  recorded: true,
  body: {
    shape: 'resource',
    type: Patient.type,
    modifies: false,
    fields: {
      ...patientAttributes,
      organizationId: uuid(),
      individualGroupIds: defaulted(listOf(uuid(), { maxItems: 100 }), []),
      notifications: defaulted(
        listOf(oneOf(NOTIFICATIONS), { maxItems: 2, description: 'How to send the invitation; none when empty.' }),
        [],
      ),
    },
  },
  answer: oneWith(Patient, duplicates),
})

export const getPatient = get({
  id: 'get-patient',
  summary: 'Get what is known of a patient',
  path: `${PATH}{id}/`,
  access: roles('org-admin', 'provider', 'patient'),
  recorded: true,
  answer: one(Patient),
})

export const modifyPatient = modify({
  id: 'modify-patient',
  summary: 'Change what is known of a patient',
  description: 'A changed address is to be verified anew. A username that was the old address becomes the new one.',
  path: `${PATH}{id}/`,
  access: roles('org-admin', 'provider'),
  recorded: true,
  resource: Patient,
  attributes: {
    firstName: optional(personName),
    lastName: optional(personName),
    preferredName: optional(nullable(personName)),
    birthDate: optional(date()),
    gender: optional(oneOf(GENDERS)),
    email: optional(nullable(email())),
    mobilePhone: optional(nullable(phone())),
    locale: optional(locale()),
    tz: optional(nullable(text({ minLength: 1, maxLength: 64 }))),
    communicationPreferences: optional(communicationPreferences()),
  },
})
