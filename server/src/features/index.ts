// Every feature of the product. A new one is added here.

import type { Database } from '../platform/db/database.ts'
import type { EventReader } from '../platform/events/event-readers.ts'
import type { Implementation } from '../platform/http/implementation.ts'
import { alertNotices, alerts, alertWatcher } from './alerts/index.ts'
import { type EventsServices, events } from './events/index.ts'
import { type IdentityServices, identity } from './identity/index.ts'
import { metrics } from './metrics/index.ts'
import { notifications } from './notifications/index.ts'
import { people } from './people/index.ts'
import { tasks } from './tasks/index.ts'
import { type WebhookServices, webhookReader, webhooks } from './webhooks/index.ts'

export type FeatureServices = IdentityServices & EventsServices & WebhookServices & { db: Database }

export const implementations = (services: FeatureServices): Implementation[] => [
  ...identity(services),
  ...people(services),
  ...metrics({ ...services, watcher: alertWatcher }),
  ...alerts,
  ...notifications,
  ...tasks,
  ...events(services),
  ...webhooks(services),
]

/** Those who do something with every event. */
export const eventReaders = (): EventReader[] => [alertNotices, webhookReader]
