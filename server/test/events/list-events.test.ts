// What happened, listed: in which order, by which filters, and for whom.

import { type EventData, type EventKind, events as kinds } from '@almoner/contract'
import { sql } from 'kysely'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { Events } from '../../src/platform/events/events.ts'
import {
  type Answer,
  call,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../support/service.ts'

const EVENTS = '/integrator/v1/events/'

let service: TestService
let organizationId: string
let elsewhere: string
let admin: Person
let outsider: Person
let patient: Person
let otherPatient: Person

const publish = <Kind extends EventKind>(
  kind: Kind,
  data: EventData<Kind>,
  { at = new Date(), individualId, organization = organizationId }: Told = {},
) =>
  new Events(service.db, at).publish(kind, {
    organizationId: organization,
    data,
    ...(individualId ? { individualId } : {}),
  })

interface Told {
  at?: Date
  individualId?: string
  organization?: string
}

const allPlaced = () =>
  until(async () => {
    const { rows } = await sql<{ left: number }>`
      select count(*)::int as left from events where position is null`.execute(service.db)
    return rows[0]?.left === 0
  })
const list = (token: string, query = '') => call(service, `${EVENTS}?${query}`, { token })
const names = ({ body }: Answer): string[] =>
  body.data.map(({ attributes }: { attributes: { kind: string; data: { name?: string } } }) =>
    [attributes.kind, attributes.data.name].filter(Boolean).join(' '),
  )

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  elsewhere = await makeOrganization(service, 'Elsewhere')
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  outsider = await makePerson(service, [{ organizationId: elsewhere, role: 'org-admin' }])
  patient = await makePerson(service, [{ organizationId, role: 'patient' }])
  otherPatient = await makePerson(service, [{ organizationId, role: 'patient' }])
  const day = (number: number) => new Date(Date.UTC(2026, 0, number))
  const of = ({ individualId }: Person) => ({ individualId })
  await publish('group.created', { groupId: v7(), name: 'first' }, { at: day(1) })
  await publish('individual.created', of(patient), { at: day(2), ...of(patient) })
  await allPlaced()
  // Begun before the last, and seen after it.
  await publish('group.updated', { groupId: v7(), name: 'late' }, { at: day(4) })
  await allPlaced()
  await publish('individual.updated', of(otherPatient), { at: day(3), ...of(otherPatient) })
  await publish('group.created', { groupId: v7(), name: 'of others' }, { organization: elsewhere })
  await allPlaced()
})

const NEWEST_FIRST = ['individual.updated', 'group.updated late', 'individual.created', 'group.created first']

describe('the list', () => {
  test('shows the newest first, each with all that it carries', async () => {
    const answer = await list(admin.token)
    expect(names(answer)).toEqual(NEWEST_FIRST)
    expect(answer.body.meta).toEqual({ 'page[offset]': 0, 'page[limit]': 100, 'page[total]': 4 })
    const [newest, late] = answer.body.data
    expect(newest).toEqual({
      type: 'events',
      id: expect.any(String),
      attributes: {
        kind: 'individual.updated',
        'organization-id': organizationId,
        'individual-id': otherPatient.individualId,
        'occurred-at': '2026-01-03 00:00:00',
        position: expect.any(Number),
        data: { 'individual-id': otherPatient.individualId },
      },
    })
    expect(late.attributes['individual-id']).toBe(null)
    expect(newest.attributes.position).toBeGreaterThan(late.attributes.position)
  })

  test.each([
    ['sort=position', NEWEST_FIRST.toReversed()],
    ['sort=occurred-at', ['group.created first', 'individual.created', 'individual.updated', 'group.updated late']],
    ['sort=-occurred-at', ['group.updated late', 'individual.updated', 'individual.created', 'group.created first']],
    ['page[limit]=2&page[offset]=1', NEWEST_FIRST.slice(1, 3)],
    ['page[offset]=4', []],
    ['filter[kind]=group.created', ['group.created first']],
    ['filter[kind]=group.created,individual.created', ['individual.created', 'group.created first']],
    ['filter[kind]=group.created&filter[kind]=individual.*', NEWEST_FIRST.filter((one) => !one.includes('late'))],
    ['filter[kind]=group.*', ['group.updated late', 'group.created first']],
    ['filter[kind]=group.moved', []],
    ['filter[cmp-occurred-at]=>=2026-01-03 00:00:00', ['individual.updated', 'group.updated late']],
    [
      'filter[cmp-occurred-at]=>2026-01-01 00:00:00&filter[cmp-occurred-at]=<2026-01-04 00:00:00',
      ['individual.updated', 'individual.created'],
    ],
  ])('%s is answered exactly', async (query, expected) => {
    const answer = await list(admin.token, query)
    expect(names(answer)).toEqual(expected)
    if (!query.startsWith('page')) expect(answer.body.meta['page[total]']).toBe(expected.length)
    else expect(answer.body.meta['page[total]']).toBe(4)
  })

  test('shows those of one individual', async () => {
    expect(names(await list(admin.token, `filter[individual-id]=${patient.individualId}`))).toEqual([
      'individual.created',
    ])
    expect(names(await list(admin.token, `filter[individual-id]=${v7()}`))).toEqual([])
  })

  test.each(['filter[kind]=group.craeted', 'filter[kind]=metrics.*', 'filter[kind]=*', 'filter[kind]='])(
    '%s names no kind, and is refused',
    async (query) => {
      const { status, body } = await list(admin.token, query)
      expect([status, body.errors[0].code]).toEqual([400, 'InvalidParameter'])
      expect(body.errors[0].detail).toContain('group.created')
    },
  )

  test('lets out nothing of the payload that is not declared', async () => {
    const id = v7()
    const groupId = v7()
    await sql`insert into events (organization_id, id, kind, occurred_at, data)
      values (${elsewhere}, ${id}, 'group.moved', now(),
        ${JSON.stringify({ groupId, parentGroupId: null, secret: 'x' })}::jsonb)`.execute(service.db)
    await allPlaced()
    const { body } = await list(outsider.token, 'filter[kind]=group.moved')
    expect(body.data[0].attributes.data).toEqual({ 'group-id': groupId, 'parent-group-id': null })
  })

  test('has the same for the client, with names and moments of its own', async () => {
    const { items, total } = await admin.almoner.listEvents({ filter: { kind: ['group.created'] } })
    expect(total).toBe(1)
    const [event] = items
    if (event?.kind !== 'group.created') throw new Error('There is no such event.')
    expect([event.data.name, event.occurredAt, event.organizationId]).toEqual([
      'first',
      new Date('2026-01-01T00:00:00Z'),
      organizationId,
    ])
    expect(event.data.groupId).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('who sees what', () => {
  test('another organization has its own events, and asking for these is not found', async () => {
    expect(names(await list(outsider.token, 'filter[kind]=group.created'))).toEqual(['group.created of others'])
    const { status, body } = await list(outsider.token, `organization-id=${organizationId}`)
    expect([status, body.errors[0].code]).toEqual([404, 'NotFound'])
  })

  test('someone of two organizations sees both, or the one they name', async () => {
    const both = await makePerson(service, [
      { organizationId, role: 'provider' },
      { organizationId: elsewhere, role: 'patient' },
    ])
    expect(names(await list(both.token))).toEqual(NEWEST_FIRST)
    expect(names(await list(both.token, `organization-id=${organizationId}`))).toEqual(NEWEST_FIRST)
    expect(names(await list(both.token, `organization-id=${elsewhere}`))).toEqual([])
  })

  test('a patient sees their own', async () => {
    const answer = await list(patient.token)
    expect([names(answer), answer.body.meta['page[total]']]).toEqual([['individual.created'], 1])
    expect(names(await list(patient.token, `filter[individual-id]=${otherPatient.individualId}`))).toEqual([])
  })

  test('a provider sees all, and one who is restricted to groups those of the patients there', async () => {
    const restricted = await makeOrganization(service, 'Restricted')
    const provider = await makePerson(service, [{ organizationId: restricted, role: 'provider' }])
    const chief = await makePerson(service, [{ organizationId: restricted, role: 'org-admin' }])
    const [mine, other] = [
      await makePerson(service, [{ organizationId: restricted, role: 'patient' }]),
      await makePerson(service, [{ organizationId: restricted, role: 'patient' }]),
    ]
    for (const { individualId } of [mine, other])
      await publish('individual.updated', { individualId }, { individualId, organization: restricted })
    await publish('group.created', { groupId: v7(), name: 'Any' }, { organization: restricted })
    await allPlaced()
    expect((await list(provider.token)).body.meta['page[total]']).toBe(3)

    await chief.almoner.modifyOrganization({ id: restricted, body: { restrictProvidersToGroups: true } })
    await until(async () => (await list(provider.token)).body.meta['page[total]'] === 0)
    await chief.almoner.createGroup({
      body: {
        organizationId: restricted,
        name: 'Ward',
        individualIds: [mine.individualId],
        leaderIds: [provider.userId],
      },
    })
    await allPlaced()
    const answer = await list(provider.token)
    expect(answer.body.meta['page[total]']).toBe(1)
    expect(answer.body.data[0].attributes['individual-id']).toBe(mine.individualId)
  })

  test('a job sees all of its organization, and a device may not ask', async () => {
    const tokenOf = async (kind: 'job' | 'device') => {
      const { id } = await admin.almoner.createServiceAccount({
        body: { organizationId, name: kind, kind, scopes: ['list-events'], individualIds: [] },
      })
      return (await admin.almoner.createServiceAccountToken({ id, body: { name: 'one' } })).token
    }
    const job = await tokenOf('job')
    await allPlaced()
    expect(names(await list(job))).toEqual(NEWEST_FIRST)
    expect((await call(service, '/integrator/v1/event-stream/', { token: job })).status).toBe(403)
    expect((await list(await tokenOf('device'))).status).toBe(403)
  })

  test('whose events were shown is in the audit trail', async () => {
    await list(admin.token, 'filter[kind]=individual.*')
    await until(async () => {
      const { items } = await admin.almoner.listAuditEvents({
        organizationId,
        filter: { operation: 'list-events', userId: admin.userId, individualId: otherPatient.individualId },
      })
      return items.some(({ individualIds }) => individualIds.includes(patient.individualId))
    })
  })
})

test.each(Object.entries(kinds))('%s says in one sentence when it happens', (kind, { description }) => {
  expect(kind).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/)
  expect(description).toMatch(/^[A-Z][^\n]{10,}\.$/)
})
