import type { Implementation } from '../../platform/http/implementation.ts'
import { deliveries } from './deliveries.ts'
import type { WebhookServices } from './services.ts'
import './tables.ts'
import { webhooks as webhookHandlers } from './webhooks.ts'

export { Courier } from './courier.ts'
export { webhookReader } from './event-reader.ts'
export type { WebhookServices } from './services.ts'
export { webhookTasks } from './tasks.ts'

export const webhooks = (services: WebhookServices): Implementation[] => [
  ...webhookHandlers(services),
  ...deliveries(services),
]
