// The tables of webhooks, for Kysely's types.

import type { AnswerOf } from '@almoner/contract'
import type { getWebhookDelivery } from '@almoner/contract/webhooks/deliveries'
import type { getWebhook } from '@almoner/contract/webhooks/webhooks'
import type { Generated } from 'kysely'

type Webhook = AnswerOf<typeof getWebhook>
type Delivery = AnswerOf<typeof getWebhookDelivery>

declare module '../../platform/db/tables.ts' {
  interface Tables {
    webhooks: {
      id: string
      organizationId: string
      url: string
      description: string
      kinds: string[]
      enabled: boolean
      disabledAt: Date | null
      disabledReason: Webhook['disabledReason']
      secret: Buffer
      previousSecret: Generated<Buffer | null>
      previousSecretUntil: Generated<Date | null>
      lastDeliveryAt: Generated<Date | null>
      lastSuccessAt: Generated<Date | null>
      consecutiveFailures: Generated<number>
      failingSince: Generated<Date | null>
      createdBy: string
      createdAt: Date
    }
    webhookDeliveries: {
      id: string
      organizationId: string
      webhookId: string
      eventId: string
      kind: string
      state: Delivery['state']
      dueAt: Date | null
      leasedUntil: Generated<Date | null>
      attemptCount: Generated<number>
      roundCount: Generated<number>
      roundStartedAt: Generated<Date | null>
      lastAttemptAt: Generated<Date | null>
      lastStatus: Generated<number | null>
      lastError: Generated<string | null>
      createdAt: Date
      finishedAt: Generated<Date | null>
    }
    webhookAttempts: {
      deliveryId: string
      number: number
      attemptedAt: Date
      durationMs: number | null
      requestHeaders: Record<string, unknown> | null
      responseStatus: number | null
      response: Buffer | null
      error: string | null
    }
  }
}
