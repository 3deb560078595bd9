// Who is in a group: the individuals, those who lead it, and the other staff.

import { REGISTRATION_INVITES } from '../identity/users.ts'
import {
  action,
  boolean,
  defaulted,
  exactly,
  list,
  listOf,
  many,
  matches,
  nullable,
  one,
  oneOf,
  optional,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'
import { GROUPS_PATH, IndividualGroup, MOST_AT_ONCE } from './groups.ts'
import { communicationPreferences } from './individuals.ts'

export const MEMBER_TYPES = ['individual', 'leader', 'member'] as const

const WHO = 'Open to administrators, and to providers who lead the group or one above it.'
const access = roles('org-admin', 'provider')
const deprecated = { since: '2026-08-11' }

const several = { minItems: 1, maxItems: MOST_AT_ONCE }
const shown = { withIndividuals: defaulted(boolean(), false), withMembers: defaulted(boolean(), false) }
const removeFromGroup = optional(
  uuid({ description: 'Another group of the organization, that the same people are taken out of.' }),
)
const newStaff = {
  userIds: optional(
    listOf(uuid(), {
      ...several,
      description: 'Providers or administrators of the organization. May be left out when `user-emails` is given.',
    }),
  ),
  userEmails: optional(
    listOf(text({ minLength: 1, maxLength: 255 }), {
      ...several,
      description: 'Their email addresses or usernames, in any case.',
    }),
  ),
  removeFromGroup,
  ...shown,
}
const formerStaff = { userIds: listOf(uuid(), several), ...shown }

export const addIndividualsToGroup = action({
  id: 'add-individuals-to-group',
  summary: 'Add individuals to a group',
  description: `Patients of the organization. Who is in it already stays. ${WHO}`,
  path: `${GROUPS_PATH}{id}/add-individuals/`,
  access,
  deprecated,
  recorded: true,
  body: { individualIds: listOf(uuid(), several), removeFromGroup, ...shown },
  answer: one(IndividualGroup),
})

export const addLeadersToGroup = action({
  id: 'add-leaders-to-group',
  summary: 'Let providers lead a group',
  description: `They may then write to it and to the groups below. ${WHO}`,
  path: `${GROUPS_PATH}{id}/add-leaders/`,
  access,
  recorded: true,
  body: newStaff,
  answer: one(IndividualGroup),
})

export const addMembersToGroup = action({
  id: 'add-members-to-group',
  summary: 'Add providers to a group',
  description: WHO,
  path: `${GROUPS_PATH}{id}/add-members/`,
  access,
  recorded: true,
  body: newStaff,
  answer: one(IndividualGroup),
})

export const removeIndividualsFromGroup = action({
  id: 'remove-individuals-from-group',
  summary: 'Take individuals out of a group',
  description: `Who is not in it stays out. ${WHO}`,
  path: `${GROUPS_PATH}{id}/remove-individuals/`,
  access,
  deprecated,
  recorded: true,
  body: { individualIds: listOf(uuid(), several), ...shown },
  answer: one(IndividualGroup),
})

export const removeLeadersFromGroup = action({
  id: 'remove-leaders-from-group',
  summary: 'Let providers no longer lead a group',
  description: WHO,
  path: `${GROUPS_PATH}{id}/remove-leaders/`,
  access,
  recorded: true,
  body: formerStaff,
  answer: one(IndividualGroup),
})

export const removeMembersFromGroup = action({
  id: 'remove-members-from-group',
  summary: 'Take providers out of a group',
  description: WHO,
  path: `${GROUPS_PATH}{id}/remove-members/`,
  access,
  recorded: true,
  body: formerStaff,
  answer: one(IndividualGroup),
})

/** Someone who could be added to a group. The id is the user id. */
export const EligibleMember = resource('eligible-members', {
  communicationPreferences: communicationPreferences(),
  email: nullable(text()),
  emailVerified: boolean(),
  firstName: text(),
  individualId: uuid(),
  lastName: text(),
  memberType: oneOf(MEMBER_TYPES),
  phoneVerified: boolean(),
  verified: boolean({ description: 'Whether the email or the phone is verified.' }),
})

export const getEligibleMembers = list({
  id: 'get-eligible-members',
  summary: 'List who could be added to a group',
  description: `In the order of last names. ${WHO} A provider who is restricted to their groups is shown the patients of these.`,
  path: `${GROUPS_PATH}{id}/get-eligible-members/`,
  access,
  recorded: true,
  query: {
    forChildren: defaulted(boolean({ description: 'Those who are in none of the groups below it instead.' }), false),
    memberType: defaulted(oneOf(MEMBER_TYPES), 'leader'),
  },
  filter: {
    registrationInvite: matches(oneOf(REGISTRATION_INVITES)),
    text: exactly(text({ maxLength: 255, description: 'Each word is a part of a name or of the email.' })),
    verified: matches(boolean({ description: 'Whether the email or the phone is verified.' })),
  },
  answer: many(EligibleMember),
})
