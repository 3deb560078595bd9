import type { Secrets } from '../../platform/auth/secrets.ts'
import type { Outbox } from '../../platform/delivery/outbox.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'

/** What webhooks need of the platform besides a handler's context. */
export interface WebhookServices {
  secrets: Secrets
  outbox: Outbox
  outbound: Outbound
}
