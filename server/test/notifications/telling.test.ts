import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { notify } from '../../src/features/notifications/index.ts'
import { Queue } from '../../src/platform/queue/queue.ts'
import { makeOrganization, makePerson, type Person } from '../support/service.ts'
import { type Clinic, choose, givePhone, makeClinic } from './clinic.ts'

let clinic: Clinic

beforeAll(async () => {
  clinic = await makeClinic()
})

const NOON = new Date('2026-03-02T12:00:00Z')
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
const listed = async (person: Person) => (await person.almoner.listNotifications()).total
const channelsTo = async (person: Person) => (await clinic.sentTo(person)).map(({ channel }) => channel).toSorted()
const jobs = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from graphile_worker.jobs where task_identifier = 'send-notifications'`.execute(
    clinic.service.db,
  )
  return rows[0]?.count ?? 0
}

describe('telling', () => {
  test('the same thing twice tells it once', async () => {
    const person = await clinic.provider()
    const notice = clinic.notice([person, person])
    await clinic.tell([notice, notice], NOON)
    await clinic.tell([notice], later(1))
    await clinic.send(later(2))
    await clinic.tell([notice], later(60))
    await clinic.send(later(61))
    expect(await listed(person)).toBe(1)
    expect(await channelsTo(person)).toEqual(['email'])
  })

  test('the same thing from many sides at once tells it once, in whatever order people are named', async () => {
    const people = [await clinic.provider(), await clinic.provider(), await clinic.provider()]
    const notices = Array.from({ length: 10 }, () => clinic.notice(people))
    const reversed = notices.map((one) => ({ ...one, recipientIds: one.recipientIds.toReversed() })).toReversed()
    // Slow enough that each is in the middle of it when the others are.
    await sql`create function dawdle() returns trigger language plpgsql as
      'begin perform pg_sleep(0.005); return new; end'`.execute(clinic.service.db)
    await sql`create trigger dawdling before insert on notifications for each row execute function dawdle()`.execute(
      clinic.service.db,
    )
    const sides = Array.from({ length: 4 }, (_, side) => clinic.tell(side % 2 === 0 ? notices : reversed, NOON))
    await Promise.all(sides)
    await sql`drop trigger dawdling on notifications`.execute(clinic.service.db)
    await Promise.all([clinic.send(NOON), clinic.send(NOON), clinic.send(NOON)])
    for (const person of people) {
      expect(await listed(person)).toBe(10)
      expect(await channelsTo(person)).toHaveLength(5)
    }
  })

  test('leaves nothing behind when the transaction is rolled back', async () => {
    const person = await clinic.provider()
    const before = await jobs()
    const rolledBack = clinic.service.db.transaction().execute(async (trx) => {
      await clinic.tell([clinic.notice([person])], NOON, trx)
      expect(
        await trx.selectFrom('notifications').select('id').where('recipientId', '=', person.individualId).execute(),
      ).toHaveLength(1)
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    await clinic.send(later(1))
    expect([await listed(person), await channelsTo(person), await jobs()]).toEqual([0, [], before])
    const events = await clinic.service.db
      .selectFrom('events')
      .select('id')
      .where('individualId', '=', person.individualId)
      .execute()
    expect(events).toEqual([])
  })

  test('takes five statements, for one person or for ten', async () => {
    const people = [await clinic.provider()]
    while (people.length < 10) people.push(await clinic.provider())
    const statements = async (recipients: Person[]) => {
      let count = 0
      await clinic.service.db.transaction().execute(async (trx) => {
        const counted = trx.withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: async ({ result }) => {
            count++
            return result
          },
        })
        const notice = clinic.notice(recipients, { severity: 'critical' })
        await notify(counted, { queue: new Queue(counted), now: NOON }, [notice])
      })
      return count
    }
    expect(await statements(people.slice(0, 1))).toBe(5)
    expect(await statements(people)).toBe(5)
    expect(await Promise.all(people.map(listed))).toEqual([2, ...Array(9).fill(1)])
  })

  test.each([999, 1000, 1001])('%i things at once is no trouble', async (count) => {
    const person = await clinic.provider()
    await clinic.tell(
      Array.from({ length: count }, () => clinic.notice([person])),
      NOON,
    )
    expect(await listed(person)).toBe(count)
    await clinic.send(NOON)
    await clinic.send(later(10))
    expect(await channelsTo(person)).toHaveLength(6)
  })

  test('nobody and nothing is no trouble', async () => {
    await clinic.tell([])
    await clinic.tell([clinic.notice([])])
  })
})

describe('who is told', () => {
  const archive = (person: Person, state: 'archived' | 'disabled' | 'registered_disabled') =>
    clinic.service.db.updateTable('users').set({ state }).where('id', '=', person.userId).execute()
  const rowsOf = async ({ individualId }: Person) =>
    (await clinic.service.db.selectFrom('notifications').select('id').where('recipientId', '=', individualId).execute())
      .length

  test.each(['archived', 'disabled', 'registered_disabled'] as const)('nobody who is %s', async (state) => {
    const person = await clinic.provider()
    await archive(person, state)
    await clinic.tell([clinic.notice([person])], NOON)
    expect(await rowsOf(person)).toBe(0)
  })

  test('nobody of another organization, and no one who is not there', async () => {
    const elsewhere = await makeOrganization(clinic.service, 'Elsewhere')
    const stranger = await makePerson(clinic.service, [{ organizationId: elsewhere, role: 'provider' }])
    const nobody = { ...stranger, individualId: crypto.randomUUID() }
    await clinic.tell([clinic.notice([stranger, nobody])], NOON)
    expect(await rowsOf(stranger)).toBe(0)
  })

  test('nobody by a message who was archived, left, or read it before the message went out', async () => {
    const people = [await clinic.provider(), await clinic.provider(), await clinic.provider(), await clinic.provider()]
    const [archived, left, read, there] = people as [Person, Person, Person, Person]
    for (const person of people) await choose(person, { digest: 'hourly' })
    await clinic.tell([clinic.notice(people)], NOON)
    await archive(archived, 'archived')
    await clinic.service.db.deleteFrom('memberships').where('userId', '=', left.userId).execute()
    const [{ id } = { id: '' }] = (await read.almoner.listNotifications()).items
    await read.almoner.readNotification({ id })
    await clinic.send(later(60))
    for (const person of [archived, left, read]) expect(await channelsTo(person)).toEqual([])
    expect(await channelsTo(there)).toEqual(['email'])
  })
})

describe('the ways', () => {
  test('are those of the severity: both for what is critical, a mail for a warning, the list for the rest', async () => {
    const person = await clinic.provider()
    await givePhone(clinic.service, person)
    for (const [severity, expected] of [
      ['info', []],
      ['warning', ['email']],
      ['critical', ['email', 'email', 'sms']],
    ] as const) {
      await clinic.tell([clinic.notice([person], { severity })], NOON)
      await clinic.send(NOON)
      expect(await channelsTo(person)).toEqual(expected)
    }
    expect(await listed(person)).toBe(3)
  })

  test('are those the person chose, of those the notice is meant for', async () => {
    const person = await clinic.provider()
    await givePhone(clinic.service, person)
    await choose(person, { infoChannels: ['sms'], criticalChannels: [] })
    await clinic.tell([clinic.notice([person], { severity: 'critical' })], NOON)
    await clinic.tell([clinic.notice([person], { severity: 'info', channels: ['email'] })], NOON)
    await clinic.tell([clinic.notice([person], { severity: 'info', channels: ['email', 'sms'] })], NOON)
    await clinic.tell([clinic.notice([person], { severity: 'warning', channels: [] })], NOON)
    await clinic.send(NOON)
    expect(await channelsTo(person)).toEqual(['sms'])
  })

  test.each([
    ['an address that was not verified', { emailVerified: false }, {}, ['sms']],
    ['a phone that was not verified', { phoneVerified: false }, {}, ['email']],
    ['refused mails', {}, { email: { enabled: false } }, ['sms']],
    ['refused texts', {}, { sms: { enabled: false } }, ['email']],
    ['mails and texts expressly wanted', {}, { email: { enabled: true }, sms: { enabled: true } }, ['email', 'sms']],
    ['other ways refused', {}, { voice: { enabled: false }, web: { enabled: false } }, ['email', 'sms']],
  ])('with %s are the rest', async (_, user, communicationPreferences, expected) => {
    const person = await clinic.provider()
    await givePhone(clinic.service, person)
    const { db } = clinic.service
    if (Object.keys(user).length > 0) await db.updateTable('users').set(user).where('id', '=', person.userId).execute()
    await db
      .updateTable('individuals')
      .set({ communicationPreferences })
      .where('id', '=', person.individualId)
      .execute()
    await clinic.tell([clinic.notice([person], { severity: 'critical' })], NOON)
    await clinic.send(NOON)
    expect(await channelsTo(person)).toEqual(expected)
    expect((await person.almoner.getNotificationPreferences()).availableChannels).toEqual(expected)
  })

  test('carry neither names nor readings, and lead to where one reads them', async () => {
    const person = await clinic.provider()
    await givePhone(clinic.service, person)
    await clinic.tell([clinic.notice([person], { severity: 'critical', path: '/alerts/17' })], NOON)
    await clinic.send(NOON)
    for (const { subject, text } of await clinic.sentTo(person)) {
      expect(text).toContain('https://care.example/alerts/17')
      expect(text).toContain('Riverside Clinic')
      expect(`${subject} ${text}`).not.toMatch(/Rosa|Díaz|131|pulse/i)
    }
  })
})

describe('when', () => {
  const night = { quietHours: { from: '22:00', to: '07:00' }, tz: 'America/New_York' }
  // Ten in the evening in New York.
  const evening = new Date('2026-03-03T03:00:00Z')
  const minutesAfter = (minutes: number) => new Date(evening.getTime() + minutes * 60_000)

  test('quiet hours hold all but the critical back, and what gathered comes in one message when they end', async () => {
    const person = await clinic.provider()
    await choose(person, night)
    await clinic.tell([clinic.notice([person])], evening)
    await clinic.tell([clinic.notice([person], { severity: 'critical' })], minutesAfter(1))
    await clinic.tell([clinic.notice([person])], minutesAfter(2))
    await clinic.send(minutesAfter(3))
    expect((await clinic.sentTo(person)).map(({ subject }) => subject)).toEqual([
      '1 critical alert at Riverside Clinic',
    ])
    await clinic.send(minutesAfter(9 * 60 - 1))
    expect(await clinic.sentTo(person)).toHaveLength(1)
    await clinic.send(minutesAfter(9 * 60))
    expect((await clinic.sentTo(person)).map(({ subject }) => subject)).toEqual([
      '1 critical alert at Riverside Clinic',
      '2 alerts at Riverside Clinic',
    ])
  })

  test('quiet hours hold back the critical too where that is wanted', async () => {
    const person = await clinic.provider()
    await choose(person, { ...night, criticalAtOnce: false })
    await clinic.tell([clinic.notice([person], { severity: 'critical' })], evening)
    await clinic.send(minutesAfter(9 * 60 - 1))
    expect(await clinic.sentTo(person)).toEqual([])
    await clinic.send(minutesAfter(9 * 60))
    expect(await clinic.sentTo(person)).toHaveLength(1)
  })

  test('quiet hours that have begun when the message would go hold it back', async () => {
    const person = await clinic.provider()
    await choose(person, night)
    await clinic.tell([clinic.notice([person])], minutesAfter(-1))
    await clinic.send(evening)
    expect(await clinic.sentTo(person)).toEqual([])
    await clinic.send(minutesAfter(9 * 60))
    expect(await clinic.sentTo(person)).toHaveLength(1)
  })

  test('a digest comes at its hour with everything since, the critical ones first', async () => {
    const person = await clinic.provider()
    await choose(person, { digest: 'daily', digestTime: '17:30', tz: 'America/New_York', criticalAtOnce: false })
    for (let hour = 0; hour < 8; hour++)
      await clinic.tell([clinic.notice([person], { severity: hour === 5 ? 'critical' : 'warning' })], later(hour * 60))
    await clinic.send(new Date('2026-03-02T22:29:59Z'))
    expect(await clinic.sentTo(person)).toEqual([])
    await clinic.send(new Date('2026-03-02T22:30:00Z'))
    const [digest] = await clinic.sentTo(person)
    expect(digest?.subject).toBe('1 critical alert and 7 more at Riverside Clinic')
    expect(digest?.text?.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- Critical alert, Mar 2, 12:00 PM EST',
      ...[7, 8, 9, 10, 11].map((hour) => `- Alert, Mar 2, ${hour}:00 AM EST`),
      ...[1, 2].map((hour) => `- Alert, Mar 2, ${hour}:00 PM EST`),
    ])
  })

  test('a storm of 200 is five messages and, ten minutes later, one of all the rest', async () => {
    const person = await clinic.provider()
    await givePhone(clinic.service, person)
    for (let at = 0; at < 200; at++) {
      await clinic.tell(
        [clinic.notice([person], { severity: at % 100 === 99 ? 'critical' : 'warning' })],
        later(at / 60),
      )
      await clinic.send(later(at / 60), [person.individualId])
    }
    const mails = async () => (await clinic.sentTo(person)).filter(({ channel }) => channel === 'email')
    expect(await mails()).toHaveLength(5)
    await clinic.send(later(9.99))
    expect(await mails()).toHaveLength(5)
    await clinic.send(later(10))
    expect(await mails()).toHaveLength(6)
    const last = (await mails()).at(-1)
    expect(last?.subject).toBe('2 critical alerts and 193 more at Riverside Clinic')
    expect(last?.text).toContain('- and 175 more')
    expect((await channelsTo(person)).filter((channel) => channel === 'sms')).toHaveLength(2)
    // After the storm things are as before.
    await clinic.tell([clinic.notice([person])], later(30))
    await clinic.send(later(30))
    expect((await mails()).at(-1)?.subject).toBe('1 alert at Riverside Clinic')
  })

  test('two organizations never share a message, because their administrators read what is sent', async () => {
    const { service, organizationId, admin } = clinic
    const elsewhere = await makeOrganization(service, 'Hillside Hospital')
    const person = await makePerson(service, [
      { organizationId, role: 'provider' },
      { organizationId: elsewhere, role: 'provider' },
    ])
    await choose(person, { digest: 'hourly' })
    for (let at = 0; at < 3; at++)
      await clinic.tell([clinic.notice([person]), clinic.notice([person], { organizationId: elsewhere })], NOON)
    await clinic.send(later(60))
    expect((await clinic.sentTo(person)).map(({ subject }) => subject)).toEqual(['3 alerts at Riverside Clinic'])
    const { items } = await admin.almoner.listOutboundMessages({ organizationId, page: { limit: 1000 } })
    expect(JSON.stringify(items)).not.toContain('Hillside')
  })
})
