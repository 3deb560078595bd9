// Archiving, disabling, restoring and merging records; tags; and the list as a copy that can be mended.

import { sql } from 'kysely'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkListing } from '../../src/features/people/index.ts'
import { addUpCounts } from '../../src/features/people/relisting.ts'
import {
  call,
  makeOrganization,
  makePerson,
  PASSWORD,
  type Person,
  startTestService,
  type TestService,
} from '../support/service.ts'

let service: TestService
let organizationId: string
let admin: Person
let provider: Person
let outsider: Person

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  const elsewhere = await makeOrganization(service, 'Elsewhere')
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  provider = await makePerson(service, [{ organizationId, role: 'provider' }])
  outsider = await makePerson(service, [{ organizationId: elsewhere, role: 'org-admin' }])
})

let number = 0
const makePatient = (more: object = {}) =>
  admin.almoner.createPatient({
    body: {
      firstName: 'Pat',
      lastName: `Lee${++number}`,
      birthDate: '1960-01-01',
      gender: 'unknown',
      email: `pat${number}@example.org`,
      organizationId,
      ...more,
    },
  })
const makeGroup = (name: string) => admin.almoner.createGroup({ body: { name, organizationId } })
const listedIds = async (filter: object) =>
  (await admin.almoner.listIndividuals({ organizationId, filter, page: { limit: 1000 } })).items.map(({ id }) => id)
const countOf = async (filter: object = {}) =>
  (await admin.almoner.listIndividuals({ organizationId, filter, page: { limit: 1 } })).total
const eventsOf = async (id: string) =>
  (await service.db.selectFrom('events').select('kind').where('individualId', '=', id).orderBy('id').execute()).map(
    ({ kind }) => kind,
  )

describe('an individual', () => {
  test('that is archived leaves lists and counts, and comes back when it is restored', async () => {
    const group = await makeGroup('Archive')
    const { id } = await makePatient({ individualGroupIds: [group.id] })
    const before = await countOf()
    expect(await admin.almoner.archiveIndividual({ id })).toMatchObject({ id, state: 'archived' })
    expect(await countOf()).toBe(before - 1)
    expect(await listedIds({ individualGroupId: group.id })).toEqual([])
    expect(await listedIds({ state: 'archived', individualGroupId: group.id })).toEqual([id])
    expect(await admin.almoner.restoreIndividual({ id })).toMatchObject({ state: 'init' })
    expect(await countOf()).toBe(before)
    expect(await listedIds({ individualGroupId: group.id })).toEqual([id])
    expect(await eventsOf(id)).toEqual(['individual.created', 'individual.archived', 'individual.restored'])
  })

  test('that signs in is signed out by archiving, and signs in again after restoring', async () => {
    const person = await makePerson(service, [{ organizationId, role: 'patient' }])
    const signIn = () => person.almoner.login({ body: { username: person.username, password: PASSWORD } })
    await admin.almoner.archiveIndividual({ id: person.individualId })
    await expect(signIn()).rejects.toMatchObject({ code: 'LoginFailed' })
    expect(await admin.almoner.restoreIndividual({ id: person.individualId })).toMatchObject({ state: 'registered' })
    await signIn()
    expect(await admin.almoner.disableIndividual({ id: person.individualId })).toMatchObject({
      state: 'registered_disabled',
    })
    await expect(signIn()).rejects.toMatchObject({ code: 'LoginFailed' })
    await admin.almoner.archiveIndividual({ id: person.individualId })
    // It comes back as it was, and a disabled one stays so.
    expect(await admin.almoner.restoreIndividual({ id: person.individualId })).toMatchObject({
      state: 'registered_disabled',
    })
    expect(await admin.almoner.restoreIndividual({ id: person.individualId })).toMatchObject({ state: 'registered' })
  })

  test.each([
    ['archive', 'archived', 400],
    ['disable', 'archived', 400],
    ['disable', 'disabled', 400],
    ['restore', 'init', 400],
    ['restore', 'registered', 400],
    ['archive', 'force_reset_password', 201],
    ['archive', 'registered_disabled', 201],
    ['restore', 'disabled', 201],
  ] as const)('%s of one that is %s is answered %s', async (action, state, status) => {
    const { id } = await makePatient()
    await service.db.updateTable('users').set({ state }).where('individualId', '=', id).execute()
    const path = `/caredb/v1/aggregation-individuals/${id}/${action}/`
    const answer = await call(service, path, { token: admin.token, body: {} })
    expect([answer.status, answer.body.errors?.[0].code]).toEqual([
      status,
      status === 400 ? 'StateNotAllowed' : undefined,
    ])
  })

  test('is moved by administrators of all its organizations, and an organization keeps one', async () => {
    const { id } = await makePatient()
    await expect(provider.almoner.archiveIndividual({ id })).rejects.toMatchObject({ code: 'PermissionDenied' })
    await expect(outsider.almoner.archiveIndividual({ id })).rejects.toMatchObject({ status: 404 })
    await expect(admin.almoner.archiveIndividual({ id: admin.individualId })).rejects.toMatchObject({
      code: 'LastAdministrator',
    })
    const shared = await makePerson(service, [
      { organizationId, role: 'patient' },
      { organizationId: await makeOrganization(service, 'Third'), role: 'patient' },
    ])
    await expect(admin.almoner.archiveIndividual({ id: shared.individualId })).rejects.toMatchObject({
      code: 'PermissionDenied',
    })
  })
})

describe('merging', () => {
  test('moves groups and tags, fills in what is missing, and archives the second record for good', async () => {
    const [both, second] = [await makeGroup('Both'), await makeGroup('Second only')]
    const tag = await admin.almoner.createTag({ body: { organizationId, name: `Tag ${v7()}` } })
    const kept = await makePatient({ individualGroupIds: [both.id] })
    const gone = await makePatient({
      individualGroupIds: [both.id, second.id],
      mobilePhone: '+12025550188',
      tz: 'America/Denver',
    })
    await admin.almoner.addTags({ id: gone.id, body: { tagIds: [tag.id] } })
    const merged = await admin.almoner.mergeIndividuals({ id: kept.id, body: { individualId: gone.id } })
    expect(merged).toMatchObject({ id: kept.id, email: kept.email, state: 'init' })
    const record = await admin.almoner.getPatient({ id: kept.id })
    expect(record).toMatchObject({ mobilePhone: '+12025550188', tz: 'America/Denver', username: kept.email })
    expect(record.individualGroupIds.toSorted()).toEqual([both.id, second.id].toSorted())
    expect(await listedIds({ tagIds: [tag.id] })).toEqual([kept.id])
    expect(await listedIds({ individualGroupId: both.id })).toEqual([kept.id])
    expect(await admin.almoner.getIndividual({ id: gone.id })).toMatchObject({ state: 'archived' })
    for (const attempt of [
      () => admin.almoner.restoreIndividual({ id: gone.id }),
      () => admin.almoner.modifyPatient({ id: gone.id, body: { firstName: 'X' } }),
      () => admin.almoner.mergeIndividuals({ id: kept.id, body: { individualId: gone.id } }),
      () => admin.almoner.mergeIndividuals({ id: gone.id, body: { individualId: kept.id } }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'RecordMerged' })
    const audited = await admin.almoner.listAuditEvents({ organizationId, filter: { individualId: gone.id } })
    const items = audited.items.filter(({ operation }) => operation === 'merge-individuals')
    expect(items).toMatchObject([{ userId: admin.userId }])
    expect(items[0]?.individualIds.toSorted()).toEqual([kept.id, gone.id].toSorted())
    expect(await eventsOf(kept.id)).toContain('individual.merged')
    // The address of the record that is gone can be used again.
    expect((await makePatient({ email: gone.email })).username).toBe(gone.email)
  })

  test('whoever of the two can sign in goes on to', async () => {
    const kept = await makePatient()
    const person = await makePerson(service, [{ organizationId, role: 'patient' }])
    await admin.almoner.mergeIndividuals({ id: kept.id, body: { individualId: person.individualId } })
    const { individualId } = await person.almoner.login({ body: { username: person.username, password: PASSWORD } })
    expect(individualId).toBe(kept.id)
    expect(await admin.almoner.getIndividual({ id: kept.id })).toMatchObject({
      state: 'registered',
      email: person.username,
    })
    expect(await admin.almoner.getIndividual({ id: person.individualId })).toMatchObject({
      state: 'archived',
      email: kept.email,
    })
  })

  test('is for patients one can see, two of them, neither archived nor staff', async () => {
    const kept = await makePatient()
    const attempt = (id: string, individualId: string, who = admin) =>
      who.almoner.mergeIndividuals({ id, body: { individualId } })
    await expect(attempt(kept.id, kept.id)).rejects.toMatchObject({ code: 'InvalidValue' })
    await expect(attempt(kept.id, v7())).rejects.toMatchObject({ code: 'InvalidValue' })
    await expect(attempt(kept.id, provider.individualId)).rejects.toMatchObject({ code: 'InvalidValue' })
    await expect(attempt(kept.id, outsider.individualId)).rejects.toMatchObject({ code: 'InvalidValue' })
    await expect(attempt(v7(), kept.id)).rejects.toMatchObject({ status: 404 })
    await expect(attempt(kept.id, (await makePatient()).id, outsider)).rejects.toMatchObject({ status: 404 })
    await expect(attempt(kept.id, (await makePatient()).id, provider)).rejects.toMatchObject({ status: 403 })
    await admin.almoner.archiveIndividual({ id: kept.id })
    await expect(attempt(kept.id, (await makePatient()).id)).rejects.toMatchObject({ code: 'StateNotAllowed' })
  })

  test('two who merge the same records in opposite ways at once leave one of them', async () => {
    const [one, other] = [await makePatient(), await makePatient()]
    const outcomes = await Promise.allSettled([
      admin.almoner.mergeIndividuals({ id: one.id, body: { individualId: other.id } }),
      admin.almoner.mergeIndividuals({ id: other.id, body: { individualId: one.id } }),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const states = await Promise.all(
      [one, other].map(({ id }) => admin.almoner.getIndividual({ id, fields: ['state'] })),
    )
    expect(states.map(({ state }) => state).toSorted()).toEqual(['archived', 'init'])
  })
})

describe('tags', () => {
  test('are put on individuals, listed and taken off', async () => {
    const { id } = await makePatient()
    const name = `High risk ${v7()}`
    const tag = await admin.almoner.createTag({ body: { organizationId, name } })
    await provider.almoner.addTags({ id, body: { tagIds: [tag.id, tag.id] } })
    expect(await listedIds({ tagIds: [tag.id] })).toEqual([id])
    const of = async (who = provider) =>
      (await who.almoner.listTags({ organizationId, filter: { individualId: id } })).items.map((one) => one.name)
    expect(await of()).toEqual([name])
    expect(
      (await provider.almoner.listTags({ organizationId, filter: { text: name.slice(5).toUpperCase() } })).total,
    ).toBe(1)
    await provider.almoner.removeTags({ id, body: { tagIds: [tag.id] } })
    expect(await of()).toEqual([])
  })

  test('have a name each, and belong to their organization', async () => {
    const name = `Once ${v7()}`
    const tag = await admin.almoner.createTag({ body: { organizationId, name } })
    await expect(admin.almoner.createTag({ body: { organizationId, name: name.toUpperCase() } })).rejects.toMatchObject(
      {
        code: 'TagExists',
      },
    )
    const mine = outsider.individualId
    await expect(outsider.almoner.addTags({ id: mine, body: { tagIds: [tag.id] } })).rejects.toMatchObject({
      code: 'InvalidValue',
    })
    const { id } = await makePatient()
    await expect(outsider.almoner.addTags({ id, body: { tagIds: [tag.id] } })).rejects.toMatchObject({ status: 404 })
  })
})

describe('the list of individuals', () => {
  test('is found the same as what it copies, and mended where it is not', async () => {
    expect(await checkListing(service.db, false)).toMatchObject({ missing: 0, leftOver: 0, outdated: 0, counts: 0 })
    const [one, other] = [await makePatient(), await makePatient()]
    await sql`update listed_individuals set last_name = 'Wrong', state = 'archived' where individual_id = ${one.id}`.execute(
      service.db,
    )
    await sql`delete from listed_individuals where individual_id = ${other.id}`.execute(service.db)
    await sql`insert into listed_counts select * from listed_counts limit 1`.execute(service.db)
    const found = {
      missing: 1,
      leftOver: 0,
      outdated: 1,
      columns: [
        { column: 'last_name', rows: 1 },
        { column: 'state', rows: 1 },
      ],
    }
    expect(await checkListing(service.db, false)).toMatchObject(found)
    expect(await checkListing(service.db, true)).toMatchObject(found)
    expect(await checkListing(service.db, true)).toMatchObject({ missing: 0, outdated: 0, counts: 0, groupCounts: 0 })
    expect((await admin.almoner.getIndividual({ id: one.id })).lastName).toBe(one.lastName)
  })

  test('has the latest readings of the series, and gets them back where it has not', async () => {
    const [{ id }, { id: other }] = [await makePatient(), await makePatient()]
    for (const individualId of [id, other]) {
      const data = [{ type: 'Pulse', time: '2026-03-01 08:00:00', value: 66 }]
      await admin.almoner.pushTimeseries({ body: [{ individualId, type: 'Pulse', data }] })
    }
    expect(await checkListing(service.db, false)).toMatchObject({ readings: 0 })
    await sql`update listed_readings set value = 1 where individual_id = ${id}`.execute(service.db)
    await sql`delete from listed_readings where individual_id = ${other}`.execute(service.db)
    expect(await checkListing(service.db, false)).toMatchObject({ readings: 2 })
    expect(await checkListing(service.db, true)).toMatchObject({ readings: 2 })
    expect(await checkListing(service.db, true)).toMatchObject({ readings: 0 })
    for (const one of [id, other]) expect((await admin.almoner.getIndividual({ id: one })).lastHeartRate).toBe(66)
  })

  test('counts the same before and after its changes are added up', async () => {
    const group = await makeGroup('Busy')
    const { id } = await makePatient()
    for (let turn = 0; turn < 30; turn++) {
      await service.db
        .insertInto('groupIndividuals')
        .values({ groupId: group.id, individualId: id, addedAt: new Date() })
        .execute()
      if (turn < 29) await service.db.deleteFrom('groupIndividuals').where('groupId', '=', group.id).execute()
    }
    const rows = async () =>
      (await service.db.selectFrom('groupCounts').selectAll().where('groupId', '=', group.id).execute()).length
    const before = [await countOf(), await countOf({ state: 'init' })]
    expect(await rows()).toBe(59)
    await addUpCounts.run({}, { db: service.db, now: new Date(), log: {} as never })
    expect(await rows()).toBe(1)
    expect([await countOf(), await countOf({ state: 'init' })]).toEqual(before)
    expect(await checkListing(service.db, false)).toMatchObject({ counts: 0, groupCounts: 0 })
  })
})
