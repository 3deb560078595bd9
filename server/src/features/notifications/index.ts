import type { Implementation } from '../../platform/http/implementation.ts'
import type { Task } from '../../platform/queue/queue.ts'
import { notificationsHousekeeping } from './housekeeping.ts'
import { notifications as operations } from './notifications.ts'
import { preferences } from './preferences.ts'
import { type SendingServices, sendNotificationsTask } from './send.ts'
import './tables.ts'

export { type Notice, notify } from './notify.ts'
export { forgetNotifications, moveNotifications } from './queries/notifications.ts'

export const notifications: Implementation[] = [...operations, ...preferences]

export const notificationsTasks = (services: SendingServices): Task[] => [
  sendNotificationsTask(services),
  notificationsHousekeeping,
]
