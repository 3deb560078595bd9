// What happens, followed as it happens: what is sent, to whom, and until when.

import { sql } from 'kysely'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/platform/db/database.ts'
import { lastPosition } from '../../src/platform/events/event-log.ts'
import { Events } from '../../src/platform/events/events.ts'
import { EVENT_STREAM, type OpenedStream, openStream } from '../support/event-stream.ts'
import {
  call,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../support/service.ts'

let service: TestService
let organizationId: string
let elsewhere: string
let admin: Person
let outsider: Person

beforeAll(async () => {
  service = await startTestService({ environment: { STREAM_HEARTBEAT_SECONDS: '1' } })
  organizationId = await makeOrganization(service)
  elsewhere = await makeOrganization(service, 'Elsewhere')
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  outsider = await makePerson(service, [{ organizationId: elsewhere, role: 'org-admin' }])
})

const say = (name: string, organization = organizationId, db: Database = service.db) =>
  new Events(db, new Date()).publish('group.created', {
    organizationId: organization,
    data: { groupId: v7(), name },
  })
const sayOf = (individualId: string, organization = organizationId) =>
  new Events(service.db, new Date()).publish('individual.updated', {
    organizationId: organization,
    individualId,
    data: { individualId },
  })
const open = ({ token }: Person, query = '', headers: Record<string, string> = {}) =>
  openStream(service.url, { token, query, headers })
const namesOf = (stream: OpenedStream): string[] => stream.events().map(({ data }) => data.data.name)
const individualsOf = (stream: OpenedStream): string[] => stream.events().map(({ data }) => data['individual-id'])
const placed = async () => {
  await until(async () => {
    const { rows } = await sql<{ left: number }>`
      select count(*)::int as left from events where position is null`.execute(service.db)
    return rows[0]?.left === 0
  })
  return lastPosition(service.db)
}

describe('a stream', () => {
  test('begins at once, with headers that keep it from being held up or kept', async () => {
    const stream = await open(admin)
    await until(() => stream.text() !== '')
    expect(stream.text()).toMatch(/^: following\nretry: \d+\nid: \d+\n\n/)
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-ratelimit-used': expect.any(String),
    })
    stream.close()
  })

  test('sends each event as its place, its kind and one line of JSON', async () => {
    const stream = await open(admin)
    const group = await admin.almoner.createGroup({ body: { organizationId, name: 'Two\nlines “und” mehr' } })
    await until(() => stream.events().length === 1)
    const [event] = stream.events()
    const { items } = await admin.almoner.listEvents({ filter: { kind: ['group.created'] }, page: { limit: 1 } })
    expect(event).toEqual({
      id: items[0]?.position,
      event: 'group.created',
      data: {
        id: items[0]?.id,
        kind: 'group.created',
        'organization-id': organizationId,
        'individual-id': null,
        'occurred-at': items[0]?.occurredAt.toISOString().slice(0, 19).replace('T', ' '),
        position: items[0]?.position,
        data: { 'group-id': group.id, name: 'Two\nlines “und” mehr' },
      },
    })
    stream.close()
  })

  test('says again and again that it is there, and how far it is', async () => {
    const stream = await open(admin)
    const position = await placed()
    await until(() => (stream.text().match(/^: here$/gm) ?? []).length >= 2)
    expect(stream.text()).toContain(`: here\nid: ${position}\n\n`)
    stream.close()
  })

  test('begins with what happens from then on, or goes on after the place that is named', async () => {
    const before = await placed()
    await say('missed 1')
    await say('missed 2')
    const between = await placed()
    await say('missed 3')
    const after = await placed()
    const streams = [
      await open(admin),
      await open(admin, '', { 'last-event-id': String(before) }),
      await open(admin, `last-event-id=${between}`),
      // The address of someone who began there once, and goes on now.
      await open(admin, `last-event-id=${before}`, { 'last-event-id': String(between) }),
      await open(admin, `last-event-id=${after}`),
      // As after a return to an older copy of the database.
      await open(admin, `last-event-id=${Number.MAX_SAFE_INTEGER}`),
    ]
    await say('next')
    await until(() => streams.every((stream) => namesOf(stream).includes('next')))
    const missed = ['missed 1', 'missed 2', 'missed 3']
    expect(streams.map(namesOf)).toEqual([
      ['next'],
      [...missed, 'next'],
      ['missed 3', 'next'],
      ['missed 3', 'next'],
      ['next'],
      ['next'],
    ])
    for (const stream of streams) stream.close()
  })

  test.each(['abc', '-1', '1.5', '99999999999999999999'])('cannot go on after %s', async (place) => {
    const asked: [string, Record<string, string>][] = [
      [`?last-event-id=${place}`, {}],
      ['', { 'last-event-id': place }],
    ]
    for (const [query, headers] of asked) {
      const { status, body } = await call(service, `${EVENT_STREAM}${query}`, { token: admin.token, headers })
      expect([status, body.errors[0].meta.parameter]).toEqual([400, 'last-event-id'])
    }
  })

  test('has only the kinds and the individual that are asked for', async () => {
    const { individualId } = await makePerson(service, [{ organizationId, role: 'patient' }])
    const other = await makePerson(service, [{ organizationId, role: 'patient' }])
    const start = await placed()
    await say('one')
    await sayOf(individualId)
    await placed()
    const queries = ['filter[kind]=group.*', 'filter[kind]=individual.*', `filter[individual-id]=${individualId}`]
    const live = await Promise.all(queries.map((query) => open(admin, query)))
    const resumed = await Promise.all(queries.map((query) => open(admin, `${query}&last-event-id=${start}`)))
    await sayOf(other.individualId)
    await sayOf(individualId)
    await say('two')
    const kinds = (stream: OpenedStream) => stream.events().map(({ event }) => event)
    await until(() => resumed.flatMap(kinds).length === 7)
    expect(live.map(kinds)).toEqual([
      ['group.created'],
      ['individual.updated', 'individual.updated'],
      ['individual.updated'],
    ])
    expect(resumed.map(namesOf)[0]).toEqual(['one', 'two'])
    expect(resumed.slice(1).map(individualsOf)).toEqual([
      [individualId, other.individualId, individualId],
      [individualId, individualId],
    ])
    for (const stream of [...live, ...resumed]) stream.close()
  })

  test('is not opened by a HEAD request', async () => {
    const answer = await call(service, EVENT_STREAM, { method: 'HEAD', token: admin.token })
    expect(answer.status).toBe(400)
  })
})

describe('who sees what', () => {
  test('two organizations see nothing of each other', async () => {
    const start = await placed()
    const [ours, theirs] = [await open(admin), await open(outsider)]
    await say('ours')
    await say('theirs', elsewhere)
    await say('ours again')
    await until(() => namesOf(ours).length === 2 && namesOf(theirs).length === 1)
    const resumed = [await open(admin, `last-event-id=${start}`), await open(outsider, `last-event-id=${start}`)]
    await say('last', elsewhere)
    await say('last')
    await until(() => [ours, theirs, ...resumed].every((stream) => namesOf(stream).includes('last')))
    expect([ours, theirs, ...resumed].map(namesOf)).toEqual([
      ['ours', 'ours again', 'last'],
      ['theirs', 'last'],
      ['ours', 'ours again', 'last'],
      ['theirs', 'last'],
    ])
    const { status } = await call(service, `${EVENT_STREAM}?organization-id=${organizationId}`, {
      token: outsider.token,
    })
    expect(status).toBe(404)
    for (const stream of [ours, theirs, ...resumed]) stream.close()
  })

  test('a patient sees their own', async () => {
    const [patient, other] = [
      await makePerson(service, [{ organizationId, role: 'patient' }]),
      await makePerson(service, [{ organizationId, role: 'patient' }]),
    ]
    const start = await placed()
    const live = await open(patient)
    await say('of nobody')
    await sayOf(other.individualId)
    await sayOf(patient.individualId)
    await until(() => live.events().length > 0)
    const resumed = await open(patient, `last-event-id=${start}`)
    await until(() => resumed.events().length > 0)
    await sayOf(other.individualId)
    await sayOf(patient.individualId)
    await until(() => live.events().length > 1 && resumed.events().length > 1)
    for (const stream of [live, resumed])
      expect(individualsOf(stream)).toEqual([patient.individualId, patient.individualId])
  })

  test('a provider who is restricted to groups sees the patients there, also those who come and go meanwhile', async () => {
    const restricted = await makeOrganization(service, 'Restricted')
    const people = [{ organizationId: restricted, role: 'patient' as const }]
    const provider = await makePerson(service, [{ organizationId: restricted, role: 'provider' }])
    const chief = await makePerson(service, [{ organizationId: restricted, role: 'org-admin' }])
    const [mine, other] = [await makePerson(service, people), await makePerson(service, people)]
    await chief.almoner.modifyOrganization({ id: restricted, body: { restrictProvidersToGroups: true } })
    const { id } = await chief.almoner.createGroup({
      body: {
        ...{ organizationId: restricted, name: 'Ward' },
        individualIds: [mine.individualId],
        leaderIds: [provider.userId],
      },
    })
    await until(async () => (await provider.almoner.listEvents()).total === 0)
    const start = await placed()
    const live = await open(provider)
    const seen = async (...expected: string[]) => {
      await until(() => live.events().length === expected.length)
      const resumed = await open(provider, `last-event-id=${start}`)
      await until(() => resumed.events().length === expected.length)
      expect([individualsOf(live), individualsOf(resumed)]).toEqual([expected, expected])
      resumed.close()
    }
    for (const individualId of [other.individualId, mine.individualId]) await sayOf(individualId, restricted)
    await seen(mine.individualId)

    // In the group from now on: what comes is seen. The list and a new stream show what was before as well.
    await chief.almoner.addIndividualsToGroup({ id, body: { individualIds: [other.individualId] } })
    await sayOf(other.individualId, restricted)
    await until(() => individualsOf(live).length === 2)
    expect(individualsOf(live)).toEqual([mine.individualId, other.individualId])

    await chief.almoner.removeIndividualsFromGroup({ id, body: { individualIds: [other.individualId] } })
    await sayOf(other.individualId, restricted)
    await sayOf(mine.individualId, restricted)
    await until(() => individualsOf(live).length === 3)
    expect(individualsOf(live)).toEqual([mine.individualId, other.individualId, mine.individualId])

    // And a group that is no longer theirs, at the next sign of life.
    const beats = () => (live.text().match(/^: here$/gm) ?? []).length
    await chief.almoner.removeLeadersFromGroup({ id, body: { userIds: [provider.userId] } })
    const count = beats()
    await until(() => beats() >= count + 2)
    await sayOf(mine.individualId, restricted)
    await sayOf(provider.individualId, restricted)
    await until(() => individualsOf(live).includes(provider.individualId))
    expect(individualsOf(live).filter((one) => one === mine.individualId)).toHaveLength(2)
  })

  test('a job with that scope sees all of its organization', async () => {
    const { id } = await admin.almoner.createServiceAccount({
      body: { organizationId, name: 'Sync', kind: 'job', scopes: ['stream-events'], individualIds: [] },
    })
    const { token, ...made } = await admin.almoner.createServiceAccountToken({ id, body: { name: 'one' } })
    const stream = await openStream(service.url, { token })
    await say('for programs')
    await until(() => namesOf(stream).includes('for programs'))
    await admin.almoner.revokeServiceAccountToken({ id: made.id })
    expect(await stream.ended).toBe(true)
  })

  test('whose events were sent is in the audit trail', async () => {
    const { individualId } = await makePerson(service, [{ organizationId, role: 'patient' }])
    const stream = await open(admin, 'filter[kind]=individual.updated')
    await sayOf(individualId)
    await until(() => stream.events().length === 1)
    const recorded = async () => {
      const { items } = await admin.almoner.listAuditEvents({
        organizationId,
        filter: { operation: 'stream-events', individualId },
      })
      return items.length
    }
    await until(async () => (await recorded()) === 1)
    await sayOf(individualId)
    await until(() => stream.events().length === 2)
    stream.close()
    await until(async () => (await recorded()) === 2)
  })
})

describe('a stream ends', () => {
  const ends = async (person: Person, lose: () => Promise<unknown>) => {
    const stream = await open(person)
    await until(() => stream.text() !== '')
    await lose()
    expect(await stream.ended).toBe(true)
    expect((await call(service, EVENT_STREAM, { token: person.token })).status).toBe(403)
  }

  test('when the caller signs out', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    await ends(person, () => person.almoner.logout())
  })

  test('when the caller no longer belongs to the organization', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    await ends(person, () => service.db.deleteFrom('memberships').where('userId', '=', person.userId).execute())
  })

  test('when the token expires', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'provider' }])
    await ends(person, () =>
      sql`update session_tokens t set expires_at = now() from sessions s
      where s.id = t.session_id and s.user_id = ${person.userId}`.execute(service.db),
    )
  })
})
