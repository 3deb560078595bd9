// Whoever a rule names is told of what it fired.

import type { Locale } from '@almoner/contract'
import type { Database } from '../../platform/db/database.ts'
import type { EventReader } from '../../platform/events/event-readers.ts'
import { Queue } from '../../platform/queue/queue.ts'
import { type Notice, notify } from '../notifications/index.ts'
import { type FiredAlert, firedAlerts } from './queries/notices.ts'
import { messageOf } from './rule.ts'

export const alertNotices: EventReader = {
  name: 'alert-notices',
  async read(db: Database, events, now) {
    const ids = events.flatMap(({ kind, data }) => (kind === 'metric.alert-fired' ? [data.alertId as string] : []))
    if (ids.length === 0) return
    const alerts = await firedAlerts(db, ids)
    await notify(db, { queue: new Queue(db), now }, alerts.map(noticeOf))
  },
}

function noticeOf(alert: FiredAlert): Notice {
  const { organizationId, id, individualId, severity, recipientIds, channels, firstName, lastName, ruleName } = alert
  const title = `${firstName} ${lastName}: ${ruleName}`
  const text = (locale: Locale) => messageOf(alert, alert.value, locale)
  return {
    ...{ organizationId, individualId, severity, recipientIds },
    key: `alert ${id}`,
    kind: 'alert.fired',
    channels: channels.filter((channel) => channel !== 'in-app'),
    title: { en_US: title, es_US: title },
    text: { en_US: text('en_US'), es_US: text('es_US') },
    path: `/alerts/${id}`,
  }
}
