import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { unreadCount } from '../../src/features/notifications/queries/notifications.ts'
import { call, makeOrganization, makePerson, type Person, until } from '../support/service.ts'
import { type Clinic, choose, givePhone, makeClinic } from './clinic.ts'

let clinic: Clinic
let nurse: Person

beforeAll(async () => {
  clinic = await makeClinic()
  nurse = await clinic.provider()
})

const moment = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, seconds))
const keysOf = async (person: Person, query: object = {}) =>
  (await person.almoner.listNotifications(query)).items.map(({ title }) => title)
const unreadOf = async (person: Person) => (await person.almoner.countUnreadNotifications()).count
const named = (title: string) => ({ title: { en_US: title, es_US: title } })

describe('the list', () => {
  test('shows what a person was told, in the language of that person', async () => {
    const { service, organizationId } = clinic
    const rosa = await makePerson(service, [{ organizationId, role: 'patient' }])
    await service.db.updateTable('individuals').set({ locale: 'es_US' }).where('id', '=', rosa.individualId).execute()
    const about = { individualId: rosa.individualId, path: '/alerts/17', severity: 'critical' as const }
    await clinic.tell([clinic.notice([nurse, rosa], about)], moment(0))
    const { items, total } = await nurse.almoner.listNotifications()
    expect(total).toBe(1)
    expect(items[0]).toEqual({
      id: expect.any(String),
      kind: 'alert.fired',
      severity: 'critical',
      title: 'High pulse',
      text: 'Rosa Díaz: 131 beats',
      path: '/alerts/17',
      organizationId,
      individualId: rosa.individualId,
      createdAt: moment(0),
      readAt: null,
    })
    expect((await rosa.almoner.listNotifications()).items[0]).toMatchObject({ title: 'Pulso alto' })
    // Reads are recorded a moment later.
    await until(async () => {
      const { items } = await clinic.admin.almoner.listAuditEvents({ organizationId })
      return items.some((one) => one.operation === 'list-notifications' && one.individualIds[0] === rosa.individualId)
    })
  })

  test('has the newest first, in pages, by kind, by severity and by whether it is read', async () => {
    const person = await clinic.provider()
    for (const [at, title] of ['first', 'second', 'third', 'fourth'].entries())
      await clinic.tell(
        [
          clinic.notice([person], {
            ...named(title),
            ...(at === 1 ? { kind: 'message.received', severity: 'info' } : {}),
          }),
        ],
        moment(at),
      )
    expect(await keysOf(person)).toEqual(['fourth', 'third', 'second', 'first'])
    expect(await keysOf(person, { page: { limit: 2, offset: 1 } })).toEqual(['third', 'second'])
    expect(await keysOf(person, { filter: { kind: 'message.received' } })).toEqual(['second'])
    expect(await keysOf(person, { filter: { severity: ['info', 'critical'] } })).toEqual(['second'])
    const { items } = await person.almoner.listNotifications()
    await person.almoner.readNotification({ id: items[1]?.id ?? '' })
    expect(await keysOf(person, { filter: { unread: true } })).toEqual(['fourth', 'second', 'first'])
    expect(await unreadOf(person)).toBe(3)
  })

  test('has those of the organizations a person belongs to, and of one alone when it is named', async () => {
    const { service, organizationId } = clinic
    const elsewhere = await makeOrganization(service, 'Elsewhere')
    const person = await makePerson(service, [
      { organizationId, role: 'provider' },
      { organizationId: elsewhere, role: 'provider' },
    ])
    const key = 'the same key'
    await clinic.tell([
      clinic.notice([person], { key, ...named('here') }),
      clinic.notice([person], { key, ...named('there'), organizationId: elsewhere }),
    ])
    expect((await keysOf(person)).toSorted()).toEqual(['here', 'there'])
    expect(await keysOf(person, { organizationId: elsewhere })).toEqual(['there'])
    expect(await person.almoner.countUnreadNotifications({ organizationId })).toEqual({ count: 1 })
    await service.db
      .deleteFrom('memberships')
      .where('userId', '=', person.userId)
      .where('organizationId', '=', elsewhere)
      .execute()
    // For a moment a process remembers who belongs where.
    await until(async () => (await unreadOf(person)) === 1)
    expect(await keysOf(person)).toEqual(['here'])
  })
})

describe('reading', () => {
  test('marks one once, and says so to the other windows of the person', async () => {
    const person = await clinic.provider()
    await clinic.tell([clinic.notice([person])])
    const [{ id } = { id: '' }] = (await person.almoner.listNotifications()).items
    const first = await person.almoner.readNotification({ id })
    expect(first.readAt).toBeInstanceOf(Date)
    await clinic.service.db
      .updateTable('notifications')
      .set({ readAt: moment(0) })
      .where('id', '=', id)
      .execute()
    expect((await person.almoner.readNotification({ id })).readAt).toEqual(moment(0))
    const events = await clinic.service.db
      .selectFrom('events')
      .select(['kind', 'organizationId', 'data'])
      .where('individualId', '=', person.individualId)
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      {
        kind: 'notification.created',
        organizationId: clinic.organizationId,
        data: { notificationId: id, kind: 'alert.fired', severity: 'warning' },
      },
      { kind: 'notification.read', organizationId: clinic.organizationId, data: { notificationId: id } },
    ])
  })

  test('up to one marks it and those before, and nothing that came since', async () => {
    const person = await clinic.provider()
    for (const at of [0, 0, 1, 2]) await clinic.tell([clinic.notice([person], named(`told ${at}`))], moment(at))
    const { items } = await person.almoner.listNotifications()
    await clinic.tell([clinic.notice([person], named('unseen'))], moment(2))
    const upToId = items[0]?.id ?? ''
    expect(await person.almoner.readAllNotifications({ body: { upToId } })).toEqual({ count: 4 })
    expect(await person.almoner.readAllNotifications({ body: { upToId } })).toEqual({ count: 0 })
    expect(await keysOf(person, { filter: { unread: true } })).toEqual(['unseen'])
    const told = await clinic.service.db
      .selectFrom('events')
      .select('data')
      .where('individualId', '=', person.individualId)
      .where('kind', '=', 'notification.read')
      .execute()
    expect(told).toEqual([{ data: { notificationId: null } }])
  })

  test("another person's is not found", async () => {
    const person = await clinic.provider()
    await clinic.tell([clinic.notice([person])])
    const [{ id } = { id: '' }] = (await person.almoner.listNotifications()).items
    for (const other of [nurse, clinic.admin]) {
      await expect(other.almoner.readNotification({ id })).rejects.toMatchObject({ status: 404 })
      await expect(other.almoner.readAllNotifications({ body: { upToId: id } })).rejects.toMatchObject({ status: 404 })
      expect((await other.almoner.listNotifications()).items.map((one) => one.id)).not.toContain(id)
    }
    expect(await unreadOf(person)).toBe(1)
  })

  test('counts the unread from one index, without looking at the rows', async () => {
    const { db } = clinic.service
    const people: Person[] = []
    while (people.length < 20) people.push(await clinic.provider())
    const person = people[0] as Person
    for (let part = 0; part < 60; part++) await clinic.tell([clinic.notice(people, { channels: [] })], moment(part))
    const newest = (await person.almoner.listNotifications({ page: { limit: 1, offset: 40 } })).items[0]
    await person.almoner.readAllNotifications({ body: { upToId: newest?.id ?? '' } })
    const own = { recipientId: person.individualId, organizationIds: [clinic.organizationId] }
    // The database looks at rows besides until they were vacuumed, which it leaves out while anyone may need older ones.
    await until(async () => {
      await sql`vacuum analyze notifications`.execute(db)
      const plan = JSON.stringify(await unreadCount(db, own).explain())
      return plan.includes('Index Only Scan using notifications_unread')
    })
    expect(await unreadOf(person)).toBe(40)
  })
})

describe('preferences', () => {
  test('are as for everyone until a person chooses', async () => {
    const person = await clinic.provider()
    expect(await person.almoner.getNotificationPreferences()).toEqual({
      id: person.individualId,
      criticalChannels: ['email', 'sms'],
      warningChannels: ['email'],
      infoChannels: [],
      quietHours: null,
      criticalAtOnce: true,
      digest: 'immediate',
      digestTime: '08:00',
      tz: null,
      availableChannels: ['email'],
    })
    await givePhone(clinic.service, person)
    expect((await person.almoner.getNotificationPreferences()).availableChannels).toEqual(['email', 'sms'])
  })

  test('keep what is not given, and are nobody else’s', async () => {
    const person = await clinic.provider()
    const other = await clinic.provider()
    const quietHours = { from: '22:00', to: '07:00' }
    await choose(person, { quietHours, tz: 'America/New_York', infoChannels: ['sms', 'sms'] })
    const chosen = await choose(person, { digest: 'daily', digestTime: '17:30' })
    expect(chosen).toMatchObject({ quietHours, tz: 'America/New_York', infoChannels: ['sms'], digest: 'daily' })
    expect(await person.almoner.getNotificationPreferences()).toEqual(chosen)
    await expect(choose(person, { tz: null })).rejects.toMatchObject({ code: 'InvalidValue' })
    expect(await choose(person, { quietHours: null })).toMatchObject({ quietHours: null, digestTime: '17:30' })
    expect(await other.almoner.getNotificationPreferences()).toMatchObject({ digest: 'immediate', tz: null })
  })

  test('changed at the same moment in two places are both kept', async () => {
    const person = await clinic.provider()
    await Promise.all([choose(person, { criticalAtOnce: false }), choose(person, { infoChannels: ['email'] })])
    expect(await person.almoner.getNotificationPreferences()).toMatchObject({
      criticalAtOnce: false,
      infoChannels: ['email'],
    })
  })

  test('have the time zone of the record, which is told of when it is a patient’s', async () => {
    const { service, organizationId, admin } = clinic
    const patient = await makePerson(service, [{ organizationId, role: 'patient' }])
    await choose(patient, { tz: 'America/Chicago' })
    expect(await admin.almoner.getPatient({ id: patient.individualId })).toMatchObject({ tz: 'America/Chicago' })
    await choose(patient, { tz: 'America/Chicago' })
    const events = await service.db
      .selectFrom('events')
      .select('kind')
      .where('individualId', '=', patient.individualId)
      .execute()
    expect(events).toEqual([{ kind: 'individual.updated' }])
  })

  test.each([
    [{ 'quiet-hours': { from: '22:00', to: '22:00' }, tz: 'UTC' }, '/data/attributes/quiet-hours/to'],
    [{ 'quiet-hours': { from: '24:00', to: '07:00' }, tz: 'UTC' }, '/data/attributes/quiet-hours/from'],
    [{ 'quiet-hours': { from: '22:00' }, tz: 'UTC' }, '/data/attributes/quiet-hours/to'],
    [{ 'quiet-hours': { from: '22:00', to: '07:00' } }, '/data/attributes/tz'],
    [{ digest: 'daily' }, '/data/attributes/tz'],
    [{ digest: 'weekly' }, '/data/attributes/digest'],
    [{ 'digest-time': '8:00' }, '/data/attributes/digest-time'],
    [{ tz: 'Mars/Olympus' }, '/data/attributes/tz'],
    [{ 'info-channels': ['pigeon'] }, '/data/attributes/info-channels/0'],
    [{ 'info-channels': ['sms', 'email', 'sms'] }, '/data/attributes/info-channels'],
    [{ 'available-channels': ['sms'] }, '/data/attributes/available-channels'],
  ])('refuse %j, and keep nothing of it', async (attributes, pointer) => {
    const person = await clinic.provider()
    const { status, body } = await call(clinic.service, '/integrator/v1/notification-preferences/', {
      method: 'PATCH',
      token: person.token,
      body: { data: { type: 'notification-preferences', attributes: { 'critical-at-once': false, ...attributes } } },
    })
    expect([status, body.errors.map((error: { meta: { pointer: string } }) => error.meta.pointer)]).toEqual([
      400,
      [pointer],
    ])
    expect(await person.almoner.getNotificationPreferences()).toMatchObject({ criticalAtOnce: true, quietHours: null })
  })

  test('go without a zone where nothing is asked of the clock', async () => {
    const person = await clinic.provider()
    expect(await choose(person, { digest: 'hourly' })).toMatchObject({ digest: 'hourly', tz: null })
  })
})

test('after 90 days what was read is forgotten, and after 400 what was not', async () => {
  const person = await clinic.provider()
  const { service } = clinic
  const day = (days: number) => new Date(Date.now() - days * 86_400_000 - 1000)
  const told = async (title: string, createdAt: Date, readAt: Date | null) => {
    await clinic.tell([clinic.notice([person], named(title))], createdAt)
    if (readAt) await service.db.updateTable('notifications').set({ readAt }).where('title', '=', title).execute()
  }
  await told('read 91 days ago', day(200), day(90))
  await told('read 89 days ago', day(300), day(89))
  await told('unread for 401 days', day(400), null)
  await told('unread for 399 days', day(399), null)
  await clinic.clean(new Date())
  expect((await keysOf(person)).toSorted()).toEqual(['read 89 days ago', 'unread for 399 days'])
  const rows = await service.db
    .selectFrom('notificationDeliveries')
    .select('notificationId')
    .where('recipientId', '=', person.individualId)
    .execute()
  expect(rows).toHaveLength(2)
})

test('two records that become one have been told what either was told, and keep what was chosen', async () => {
  const { service, organizationId, admin } = clinic
  const make = () => makePerson(service, [{ organizationId, role: 'patient' }])
  const [kept, gone] = [await make(), await make()]
  await choose(gone, { digest: 'hourly' })
  await clinic.tell([
    clinic.notice([kept, gone], { ...named('both'), key: 'both' }),
    clinic.notice([gone], named('one alone')),
    clinic.notice([nurse], { individualId: gone.individualId, ...named('about') }),
  ])
  await admin.almoner.mergeIndividuals({ id: kept.individualId, body: { individualId: gone.individualId } })
  expect((await keysOf(kept)).toSorted()).toEqual(['both', 'one alone'])
  expect(await kept.almoner.getNotificationPreferences()).toMatchObject({ digest: 'hourly' })
  const [about] = (await nurse.almoner.listNotifications()).items
  expect(about).toMatchObject({ title: 'about', individualId: kept.individualId })
  await clinic.send(new Date())
  expect(await clinic.sentTo(gone)).toEqual([])
})
