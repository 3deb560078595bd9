import {
  action,
  anyone,
  boolean,
  create,
  data,
  datetime,
  defaulted,
  email,
  exactly,
  flat,
  get,
  list,
  listOf,
  locale,
  many,
  matches,
  modify,
  nullable,
  one,
  oneOf,
  operation,
  optional,
  phonenumberE164,
  ROLES,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'
import { linkToken, newPassword } from './passwords.ts'
import { username } from './sessions.ts'

export const USER_STATES = [
  'archived',
  'confirmed',
  'disabled',
  'force_reset_password',
  'init',
  'registered',
  'registered_disabled',
] as const
export const REGISTRATION_INVITES = ['accepted', 'failed', 'none', 'sent'] as const
export const NOTIFICATIONS = ['email', 'sms'] as const

const PATH = '/identity/v1/users/'
const personName = text({ minLength: 1, maxLength: 255 })

export const User = resource('users', {
  username: text(),
  individualId: uuid(),
  firstName: text(),
  lastName: text(),
  email: nullable(text()),
  mobilePhone: nullable(text()),
  locale: locale(),
  roles: listOf(oneOf(ROLES), { description: 'In the organizations that you administer.' }),
  state: oneOf(USER_STATES),
  registrationInvite: oneOf(REGISTRATION_INVITES),
  emailVerified: boolean(),
  phoneVerified: boolean(),
  lastLoginTime: nullable(datetime()),
  registrationCompletedTime: nullable(datetime()),
  createdTime: datetime(),
})

export const listUsers = list({
  id: 'list-users',
  summary: 'List the users of an organization',
  path: PATH,
  access: roles('org-admin'),
  recorded: true,
  query: { organizationId: uuid() },
  filter: {
    role: matches(oneOf(ROLES)),
    state: matches(oneOf(USER_STATES)),
    registrationInvite: matches(oneOf(REGISTRATION_INVITES)),
    text: exactly(text({ maxLength: 255, description: 'Part of a name or of the username.' })),
  },
  answer: many(User),
})

export const getUser = get({
  id: 'get-user',
  summary: 'Get a user',
  path: `${PATH}{id}/`,
  access: roles('org-admin'),
  recorded: true,
  answer: one(User),
})

export const createUser = create({
  id: 'create-user',
  summary: 'Create a user',
  description: 'An email address or a mobile phone is needed; the first given is the username when none is named.',
  path: PATH,
  access: roles('org-admin'),
  recorded: true,
  resource: User,
  attributes: {
    organizationId: uuid(),
    firstName: personName,
    lastName: personName,
    email: optional(email()),
    mobilePhone: optional(phonenumberE164()),
    username: optional(text({ minLength: 1, maxLength: 255, description: 'Equals the email or the mobile phone.' })),
    locale: defaulted(locale(), 'en_US'),
    role: oneOf(ROLES),
    notifications: defaulted(
      listOf(oneOf(NOTIFICATIONS), { maxItems: 2, description: 'How to send the invitation; none when empty.' }),
      [],
    ),
  },
})

export const modifyUser = modify({
  id: 'modify-user',
  summary: 'Change a user',
  path: `${PATH}{id}/`,
  access: roles('org-admin'),
  recorded: true,
  resource: User,
  attributes: {
    firstName: optional(personName),
    lastName: optional(personName),
    locale: optional(locale()),
    state: optional(
      oneOf(['active', 'disabled', 'force_reset_password', 'archived'], {
        description: 'What to make of the user; `active` takes back `disabled`.',
      }),
    ),
    roles: optional(
      listOf(oneOf(ROLES), { minItems: 1, maxItems: 3, description: 'In the organizations that you administer.' }),
    ),
  },
})

export const resendInvitation = operation({
  id: 'resend-invitation',
  summary: 'Send an invitation again',
  description: 'Links that were sent before stop working.',
  method: 'POST',
  path: '/identity/v1/resend-invitation/',
  status: 201,
  access: roles('org-admin', 'provider'),
  recorded: true,
  body: {
    shape: 'attributes',
    fields: { username, notifications: listOf(oneOf(NOTIFICATIONS), { minItems: 1, maxItems: 2 }) },
  },
  answer: data({
    username: text(),
    registrationInvite: oneOf(REGISTRATION_INVITES),
    notifications: listOf(oneOf(NOTIFICATIONS)),
  }),
})

export const confirmInvitation = action({
  id: 'confirm-invitation',
  summary: 'Open an invitation',
  description: 'Confirms the address it was sent to, and tells whose invitation it is.',
  path: '/identity/v1/confirm-invitation/',
  access: anyone,
  body: { token: linkToken },
  answer: flat({ username: text(), firstName: text(), locale: locale() }),
})

export const register = action({
  id: 'register',
  summary: 'Register with the link of an invitation',
  path: '/identity/v1/register/',
  access: anyone,
  body: { token: linkToken, password: newPassword },
  answer: flat({ username: text() }),
})
