// Where the list of individuals keeps each field. A field whose part of the product is not there yet is null: it is
// answered as null and sorts nobody.

import type { IndividualField } from '@almoner/contract/people/individuals'

interface ListedField {
  /** In `listed_individuals`. */
  column: string
  /** The column it is sorted by, where that is another. */
  key?: string
  /** The bit in `blanks` that says there is no value; where there is none, everyone has a value. */
  blank?: number
}

export const LISTED_FIELDS: Record<IndividualField, ListedField | null> = {
  actionCompletionPct: null,
  birthDate: { column: 'birth_date', blank: 2 },
  communicationPreferences: { column: 'communication_preferences', key: 'communication_preferences_key', blank: 8 },
  createdTime: { column: 'created_time' },
  currentActionCompletionPct: null,
  email: { column: 'email', key: 'email_key', blank: 4 },
  emailVerified: { column: 'email_verified' },
  firstName: { column: 'first_name', key: 'first_name_key' },
  lastActivityTime: { column: 'last_activity_time', blank: 64 },
  lastAppointmentTime: null,
  lastArticleReadTime: null,
  lastBloodGlucose: null,
  lastBloodGlucoseContext: null,
  lastBloodGlucoseState: null,
  lastBloodGlucoseTime: null,
  lastBodyMass: null,
  lastBodyMassTime: null,
  lastBpDiastolic: null,
  lastBpDiastolicState: null,
  lastBpSystolic: null,
  lastBpSystolicState: null,
  lastBpTime: null,
  lastFeeling: null,
  lastFeelingTime: null,
  lastHeartRate: null,
  lastHeartRateTime: null,
  lastJournalAckTime: null,
  lastLoginTime: { column: 'last_login_time', blank: 32 },
  lastMessageReadTime: null,
  lastMessageReceivedTime: null,
  lastMessageSentTime: null,
  lastName: { column: 'last_name', key: 'last_name_key' },
  lastO2Saturation: null,
  lastO2SaturationTime: null,
  lastSurveyAssignedTime: null,
  lastSurveyCompletedTime: null,
  lastTextStatus: null,
  phoneVerified: { column: 'phone_verified' },
  preferredName: { column: 'preferred_name', key: 'preferred_name_key', blank: 1 },
  registered: { column: 'registered' },
  registrationCompletedTime: { column: 'registration_completed_time', blank: 16 },
  registrationInvite: { column: 'registration_invite' },
  smsMode: null,
  state: { column: 'state' },
  unackJournalCount: null,
}
