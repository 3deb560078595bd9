// How a person wants to be told besides the list: by which ways, and when.

import { CHANNELS } from '../identity/outbound-messages.ts'
import {
  boolean,
  get,
  listOf,
  modify,
  nullable,
  objectOf,
  one,
  oneOf,
  optional,
  type Received,
  resource,
  signedIn,
  timeOfDay,
  timeZone,
} from '../vocabulary/index.ts'

const DIGESTS = ['immediate', 'hourly', 'daily'] as const

const channels = (description: string) => listOf(oneOf(CHANNELS), { maxItems: CHANNELS.length, description })

/** What a person may choose. */
const choices = {
  criticalChannels: channels('How critical notifications are sent, besides the list.'),
  warningChannels: channels('How warnings are sent.'),
  infoChannels: channels('How everything else is sent.'),
  quietHours: nullable(objectOf({ from: timeOfDay(), to: timeOfDay() })),
  criticalAtOnce: boolean({ description: 'Whether critical ones come in spite of quiet hours and of a digest.' }),
  digest: oneOf(DIGESTS, { description: 'Whether each is sent by itself, or together every hour or once a day.' }),
  digestTime: timeOfDay({ description: 'When the daily digest is sent.' }),
}

export type NotificationChoices = Received<typeof choices>

/** What holds for whoever has not chosen. */
export const DEFAULT_CHOICES: NotificationChoices = {
  criticalChannels: ['email', 'sms'],
  warningChannels: ['email'],
  infoChannels: [],
  quietHours: null,
  criticalAtOnce: true,
  digest: 'immediate',
  digestTime: '08:00',
}

const tz = nullable(timeZone({ description: 'Whose clock quiet hours and digests go by: the one of your record.' }))

const NotificationPreferences = resource('notification-preferences', {
  ...choices,
  tz,
  availableChannels: listOf(oneOf(CHANNELS), {
    description: 'The ways you have: a verified address or phone that your communication preferences do not refuse.',
  }),
})

const PATH = '/integrator/v1/notification-preferences/'

export const getNotificationPreferences = get({
  id: 'get-notification-preferences',
  summary: 'Get how you are told',
  path: PATH,
  access: signedIn,
  answer: one(NotificationPreferences),
})

export const modifyNotificationPreferences = modify({
  id: 'modify-notification-preferences',
  summary: 'Choose how you are told',
  description: 'What is given is changed and the rest stays. Quiet hours and a daily digest need a time zone.',
  path: PATH,
  access: signedIn,
  resource: NotificationPreferences,
  attributes: {
    criticalChannels: optional(choices.criticalChannels),
    warningChannels: optional(choices.warningChannels),
    infoChannels: optional(choices.infoChannels),
    quietHours: optional(choices.quietHours),
    criticalAtOnce: optional(choices.criticalAtOnce),
    digest: optional(choices.digest),
    digestTime: optional(choices.digestTime),
    tz: optional(tz),
  },
})
