// What the product tells a person: the list that everyone who signs in has of their own.

import {
  action,
  datetime,
  flag,
  flat,
  get,
  integer,
  list,
  many,
  matches,
  nullable,
  one,
  oneOf,
  optional,
  resource,
  SEVERITIES,
  signedIn,
  text,
  uuid,
} from '../vocabulary/index.ts'

const PATH = '/integrator/v1/notifications/'

const Notification = resource('notifications', {
  kind: text({ description: 'What it tells of, such as `alert.fired`.' }),
  severity: oneOf(SEVERITIES),
  title: text(),
  text: text(),
  path: nullable(text({ description: 'Where in the console it leads.' })),
  organizationId: uuid(),
  individualId: nullable(uuid({ description: 'Whom it is about; null when about nobody.' })),
  createdAt: datetime(),
  readAt: nullable(datetime()),
})

export const listNotifications = list({
  id: 'list-notifications',
  summary: 'List your notifications',
  description: 'Your own, of the organizations you belong to, the newest first.',
  path: PATH,
  access: signedIn,
  recorded: true,
  query: { organizationId: optional(uuid()) },
  filter: {
    unread: flag(),
    kind: matches(text({ maxLength: 100 })),
    severity: matches(oneOf(SEVERITIES)),
  },
  answer: many(Notification),
})

export const countUnreadNotifications = get({
  id: 'count-unread-notifications',
  summary: 'Count your unread notifications',
  path: `${PATH}unread-count/`,
  access: signedIn,
  query: { organizationId: optional(uuid()) },
  answer: flat({ count: integer() }),
})

export const readNotification = action({
  id: 'read-notification',
  summary: 'Mark a notification as read',
  description: 'One that was read before keeps the time of the first reading.',
  path: `${PATH}{id}/read/`,
  access: signedIn,
  answer: one(Notification),
})

export const readAllNotifications = action({
  id: 'read-all-notifications',
  summary: 'Mark notifications as read up to one of them',
  description: 'The one named and all that come below it in the list, so that nothing is marked that nobody saw.',
  path: `${PATH}read-all/`,
  access: signedIn,
  body: {
    upToId: uuid({ description: 'The newest notification that was shown.' }),
    organizationId: optional(uuid({ description: 'Only those of this organization; of all when left out.' })),
  },
  answer: flat({ count: integer({ description: 'How many were unread.' }) }),
})
