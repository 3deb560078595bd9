// A clinic whose people are told things, as a feature would tell them.

import type { NotificationChoices } from '@almoner/contract/notifications/notification-preferences'
import { pino } from 'pino'
import { type Notice, notificationsTasks, notify } from '../../src/features/notifications/index.ts'
import { loadSecrets } from '../../src/platform/auth/secrets.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { Outbox } from '../../src/platform/delivery/outbox.ts'
import { Queue } from '../../src/platform/queue/queue.ts'
import { makeOrganization, makePerson, type Person, startTestService, type TestService } from '../support/service.ts'

const PUBLIC_URL = 'https://care.example'
let count = 0

export interface Clinic {
  service: TestService
  organizationId: string
  admin: Person
  provider(): Promise<Person>
  notice(recipients: Person[], more?: Partial<Notice>): Notice
  tell(notices: Notice[], now?: Date, on?: Database): Promise<void>
  /** What the task of the queue does, at a moment of the test's choosing. */
  send(now: Date, recipientIds?: string[]): Promise<void>
  /** What was posted to someone, the oldest first. */
  sentTo(person: Person): Promise<{ channel: string; subject: string | null; text: string | null }[]>
  clean(now: Date): Promise<void>
}

export async function makeClinic(options: Parameters<typeof startTestService>[0] = {}): Promise<Clinic> {
  const service = await startTestService({ ...options, environment: { PUBLIC_URL, ...options?.environment } })
  const organizationId = await makeOrganization(service)
  const admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  const outbox = new Outbox(await loadSecrets(service.settings))
  const tasks = notificationsTasks({ outbox, publicUrl: PUBLIC_URL })
  const run = (name: string, payload: object, now: Date) =>
    tasks.find((task) => task.name === name)?.run(payload, { db: service.db, now, log: pino({ level: 'silent' }) }) ??
    Promise.reject(new Error(`There is no task ${name}.`))
  return {
    service,
    organizationId,
    admin,
    provider: () => makePerson(service, [{ organizationId, role: 'provider' }]),
    notice: (recipients, more) => ({
      organizationId,
      key: `notice ${++count}`,
      kind: 'alert.fired',
      severity: 'warning',
      recipientIds: recipients.map(({ individualId }) => individualId),
      channels: ['email', 'sms'],
      individualId: null,
      title: { en_US: 'High pulse', es_US: 'Pulso alto' },
      text: { en_US: 'Rosa Díaz: 131 beats', es_US: 'Rosa Díaz: 131 latidos' },
      path: null,
      ...more,
    }),
    tell: (notices, now = new Date(), on = service.db) =>
      on === service.db
        ? on.transaction().execute((trx) => notify(trx, { queue: new Queue(trx), now }, notices))
        : notify(on, { queue: new Queue(on), now }, notices),
    send: (now, recipientIds) => run('send-notifications', recipientIds ? { recipientIds } : {}, now),
    async sentTo({ individualId }) {
      const { items } = await admin.almoner.listOutboundMessages({ organizationId, page: { limit: 1000 } })
      return items
        .filter((message) => message.individualId === individualId && message.purpose === 'notification')
        .toReversed()
    },
    clean: (now) => run('notifications-housekeeping', {}, now),
  }
}

/** Gives someone a phone that was verified. */
export async function givePhone({ db }: TestService, person: Person): Promise<string> {
  const mobilePhone = `+1202555${String(1000 + ++count)}`
  await db.updateTable('individuals').set({ mobilePhone }).where('id', '=', person.individualId).execute()
  await db.updateTable('users').set({ phoneVerified: true }).where('id', '=', person.userId).execute()
  return mobilePhone
}

export const choose = (person: Person, body: Partial<NotificationChoices> & { tz?: string | null }) =>
  person.almoner.modifyNotificationPreferences({ body })
