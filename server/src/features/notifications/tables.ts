// The tables of notifications, for Kysely's types.

import type { Severity } from '@almoner/contract'
import type { NotificationChoices } from '@almoner/contract/notifications/notification-preferences'
import type { Generated } from 'kysely'
import type { Channel } from '../../platform/delivery/outbox.ts'

declare module '../../platform/db/tables.ts' {
  interface Tables {
    notifications: {
      id: string
      organizationId: string
      recipientId: string
      key: string
      kind: string
      severity: Severity
      title: string
      text: string
      path: string | null
      individualId: string | null
      createdAt: Date
      readAt: Generated<Date | null>
    }
    notificationDeliveries: {
      notificationId: string
      channel: Channel
      recipientId: string
      dueAt: Date
      isGathered: boolean
      sentAt: Generated<Date | null>
      messageId: Generated<string | null>
    }
    notificationPreferences: {
      individualId: string
      choices: Partial<NotificationChoices>
      changedAt: Date
    }
  }
}
