// Individuals, as care teams see them: gathered from every part of the product.

import { REGISTRATION_INVITES, USER_STATES } from '../identity/users.ts'
import {
  action,
  anyObject,
  boolean,
  date,
  datetime,
  defaulted,
  exactly,
  flag,
  get,
  integer,
  list,
  listOf,
  many,
  matches,
  nullable,
  number,
  objectOf,
  one,
  oneOf,
  optional,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'

export const ACCOUNT_TYPES = ['regular', 'provider'] as const
const SMS_MODES = ['disabled', 'enabled', 'optout'] as const
const TEXT_STATUSES = ['created', 'failed', 'sent'] as const

const PATH = '/caredb/v1/aggregation-individuals/'

const anyText = () => optional(nullable(text()))
const anyMoment = () => optional(nullable(datetime()))
const anyInteger = () => optional(nullable(integer()))
const anyBoolean = () => optional(boolean())

const way = () => optional(anyObject())
/** How someone wants to be reached, and by which way not. */
export const communicationPreferences = () =>
  objectOf({ email: way(), mobile: way(), sms: way(), voice: way(), web: way() })

/** Each may be chosen by `fields`, and each may be sorted by. */
const attributes = {
  actionCompletionPct: anyText(),
  birthDate: optional(nullable(date())),
  communicationPreferences: optional(nullable(communicationPreferences())),
  createdTime: optional(datetime()),
  currentActionCompletionPct: anyText(),
  email: anyText(),
  emailVerified: anyBoolean(),
  firstName: optional(text()),
  lastActivityTime: anyMoment(),
  lastAppointmentTime: anyMoment(),
  lastArticleReadTime: anyMoment(),
  lastBloodGlucose: optional(nullable(number())),
  lastBloodGlucoseContext: anyText(),
  lastBloodGlucoseState: anyText(),
  lastBloodGlucoseTime: anyMoment(),
  lastBodyMass: anyText(),
  lastBodyMassTime: anyMoment(),
  lastBpDiastolic: anyInteger(),
  lastBpDiastolicState: anyText(),
  lastBpSystolic: anyInteger(),
  lastBpSystolicState: anyText(),
  lastBpTime: anyMoment(),
  lastFeeling: anyInteger(),
  lastFeelingTime: anyMoment(),
  lastHeartRate: anyInteger(),
  lastHeartRateTime: anyMoment(),
  lastJournalAckTime: anyMoment(),
  lastLoginTime: anyMoment(),
  lastMessageReadTime: anyMoment(),
  lastMessageReceivedTime: anyMoment(),
  lastMessageSentTime: anyMoment(),
  lastName: optional(text()),
  lastO2Saturation: anyText(),
  lastO2SaturationTime: anyMoment(),
  lastSurveyAssignedTime: anyMoment(),
  lastSurveyCompletedTime: anyMoment(),
  lastTextStatus: optional(nullable(oneOf(TEXT_STATUSES))),
  phoneVerified: anyBoolean(),
  preferredName: anyText(),
  registered: anyBoolean(),
  registrationCompletedTime: anyMoment(),
  registrationInvite: optional(oneOf(REGISTRATION_INVITES)),
  smsMode: optional(nullable(oneOf(SMS_MODES))),
  state: optional(oneOf(USER_STATES)),
  unackJournalCount: anyInteger(),
}

export type IndividualField = keyof typeof attributes
export const INDIVIDUAL_FIELDS = Object.keys(attributes) as IndividualField[]

export const AggregationIndividual = resource('aggregation-individuals', attributes)

const RANGE = ['gt', 'gte', 'lt', 'lte'] as const
const words = () => matches(text({ maxLength: 255 }), [...RANGE, 'contains'])

export const listIndividuals = list({
  id: 'list-individuals',
  summary: 'List individuals',
  description:
    'Patients, or with `filter[account-type]=provider` the staff. Archived ones are left out unless `filter[state]` names them. Whoever has no value of the field sorted by comes last.',
  path: PATH,
  access: roles('org-admin', 'provider'),
  recorded: true,
  query: { organizationId: uuid() },
  filter: {
    accountType: exactly(defaulted(oneOf(ACCOUNT_TYPES), 'regular')),
    birthDate: matches(date(), RANGE),
    email: words(),
    emailVerified: matches(boolean()),
    excludeSelf: flag(),
    firstName: words(),
    individualGroupId: matches(uuid()),
    individualIds: exactly(listOf(uuid())),
    lastName: words(),
    lastTextStatus: matches(oneOf(TEXT_STATUSES)),
    onlyInGroupsWithLeaderId: matches(uuid({ description: 'The user id of a leader.' })),
    phone: words(),
    phoneVerified: matches(boolean()),
    registered: matches(boolean()),
    registrationInvite: matches(oneOf(REGISTRATION_INVITES)),
    smsMode: matches(oneOf(SMS_MODES)),
    state: matches(oneOf(USER_STATES)),
    tagIds: exactly(listOf(uuid(), { description: 'Those with one of these tags.' })),
    text: exactly(
      text({
        maxLength: 255,
        description: 'Words, each of them part of a name or of the email, in any case and accents.',
      }),
    ),
    workflowtypeName: exactly(listOf(text({ maxLength: 255, description: 'Deprecated.' }))),
  },
  sort: { fields: INDIVIDUAL_FIELDS, default: 'last-name' },
  fields: INDIVIDUAL_FIELDS,
  answer: many(AggregationIndividual),
})

export const getIndividual = get({
  id: 'get-individual',
  summary: 'Get an individual',
  path: `${PATH}{id}/`,
  access: roles('org-admin', 'provider', 'patient'),
  recorded: true,
  fields: INDIVIDUAL_FIELDS,
  answer: one(AggregationIndividual),
})

export const archiveIndividual = action({
  id: 'archive-individual',
  summary: 'Archive an individual',
  description: 'Ends the sign-ins, and leaves the record out of lists and counts until it is restored.',
  path: `${PATH}{id}/archive/`,
  access: roles('org-admin'),
  recorded: true,
  answer: one(AggregationIndividual),
})

export const disableIndividual = action({
  id: 'disable-individual',
  summary: 'Keep an individual from signing in',
  path: `${PATH}{id}/disable/`,
  access: roles('org-admin'),
  recorded: true,
  answer: one(AggregationIndividual),
})

export const restoreIndividual = action({
  id: 'restore-individual',
  summary: 'Take back archiving or disabling',
  path: `${PATH}{id}/restore/`,
  access: roles('org-admin'),
  recorded: true,
  answer: one(AggregationIndividual),
})

export const mergeIndividuals = action({
  id: 'merge-individuals',
  summary: 'Merge a second record of the same person into this one',
  description:
    'Groups, tags and what else the second record holds move to this one, and what this one lacks is filled in. The second is archived for good.',
  path: `${PATH}{id}/merge/`,
  access: roles('org-admin'),
  recorded: true,
  body: { individualId: uuid({ description: 'The second record.' }) },
  answer: one(AggregationIndividual),
})
