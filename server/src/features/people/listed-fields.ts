// Where the list of individuals keeps each field. A field whose part of the product is not there yet is null: it is
// answered as null and sorts nobody.

import type { IndividualField } from '@almoner/contract/people/individuals'

interface ColumnField {
  /** In `listed_individuals`. */
  column: string
  /** The column it is sorted by, where that is another. */
  key?: string
  /** A moment, which the database prints as it is answered. */
  isMoment?: true
  /** The bit in `blanks` that says there is no value; where there is none, everyone has a value. */
  blank?: number
}

/** A part of the latest reading of a metric, in `listed_readings`. */
export interface ReadingField {
  metric: string
  part: 'time' | 'value' | 'second' | 'context' | 'state' | 'second_state'
  /** A number that is answered as text. */
  isText?: true
}

export type ListedField = ColumnField | ReadingField

export const isReading = (field: ListedField | null): field is ReadingField => field !== null && 'metric' in field

const reading = (metric: string, part: ReadingField['part'], more: { isText?: true } = {}): ReadingField => ({
  metric,
  part,
  ...more,
})

export const LISTED_FIELDS: Record<IndividualField, ListedField | null> = {
  actionCompletionPct: null,
  birthDate: { column: 'birth_date', blank: 2 },
  communicationPreferences: { column: 'communication_preferences', key: 'communication_preferences_key', blank: 8 },
  createdTime: { column: 'created_time', isMoment: true },
  currentActionCompletionPct: null,
  email: { column: 'email', key: 'email_key', blank: 4 },
  emailVerified: { column: 'email_verified' },
  firstName: { column: 'first_name', key: 'first_name_key' },
  lastActivityTime: { column: 'last_activity_time', isMoment: true, blank: 64 },
  lastAppointmentTime: null,
  lastArticleReadTime: null,
  lastBloodGlucose: reading('BloodGlucose', 'value'),
  lastBloodGlucoseContext: reading('BloodGlucose', 'context'),
  lastBloodGlucoseState: reading('BloodGlucose', 'state'),
  lastBloodGlucoseTime: reading('BloodGlucose', 'time'),
  lastBodyMass: reading('BodyMass', 'value', { isText: true }),
  lastBodyMassTime: reading('BodyMass', 'time'),
  lastBpDiastolic: reading('BloodPressure', 'second'),
  lastBpDiastolicState: reading('BloodPressure', 'second_state'),
  lastBpSystolic: reading('BloodPressure', 'value'),
  lastBpSystolicState: reading('BloodPressure', 'state'),
  lastBpTime: reading('BloodPressure', 'time'),
  lastFeeling: reading('FeelingRating', 'value'),
  lastFeelingTime: reading('FeelingRating', 'time'),
  lastHeartRate: reading('Pulse', 'value'),
  lastHeartRateTime: reading('Pulse', 'time'),
  lastJournalAckTime: null,
  lastLoginTime: { column: 'last_login_time', isMoment: true, blank: 32 },
  lastMessageReadTime: null,
  lastMessageReceivedTime: null,
  lastMessageSentTime: null,
  lastName: { column: 'last_name', key: 'last_name_key' },
  lastO2Saturation: reading('OxygenSaturation', 'value', { isText: true }),
  lastO2SaturationTime: reading('OxygenSaturation', 'time'),
  lastSurveyAssignedTime: null,
  lastSurveyCompletedTime: null,
  lastTextStatus: null,
  phoneVerified: { column: 'phone_verified' },
  preferredName: { column: 'preferred_name', key: 'preferred_name_key', blank: 1 },
  registered: { column: 'registered' },
  registrationCompletedTime: { column: 'registration_completed_time', isMoment: true, blank: 16 },
  registrationInvite: { column: 'registration_invite' },
  smsMode: null,
  state: { column: 'state' },
  unackJournalCount: null,
}
