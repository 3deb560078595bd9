import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  call,
  GROUPS,
  makeOrganization,
  makePerson,
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
  const elsewhere = await makeOrganization(service, 'Hilltop Practice')
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  provider = await makePerson(service, [{ organizationId, role: 'provider' }])
  outsider = await makePerson(service, [{ organizationId: elsewhere, role: 'org-admin' }])
})

const makeGroup = async (name: string) => (await admin.almoner.createGroup({ body: { name, organizationId } })).id
const move = (id: string, to: unknown, who = admin) =>
  call(service, `${GROUPS}${id}/move/`, { token: who.token, body: { 'to-parent-group-id': to } })
const outcome = async (...args: Parameters<typeof move>) => {
  const { status, body } = await move(...args)
  return [status, ...(body.errors ?? []).map(({ code }: { code: string }) => code)]
}
const parentOf = async (id: string) => (await admin.almoner.getGroup({ id })).parentGroup

describe('moving a group', () => {
  test('puts it below another, and at the top again', async () => {
    const [top, below] = [await makeGroup('Top'), await makeGroup('Below')]
    expect(await outcome(below, top)).toEqual([201])
    expect(await parentOf(below)).toEqual({ id: top, name: 'Top' })
    expect((await admin.almoner.getGroup({ id: top })).childCount).toBe(1)
    await admin.almoner.updateGroup({ id: below, body: { isActive: false } })
    expect((await admin.almoner.getGroup({ id: top })).childCount).toBe(0)
    expect(await outcome(below, null)).toEqual([201])
    expect(await parentOf(below)).toBeNull()
  })

  test('answers a task that is done and says what it did', async () => {
    const [top, below] = [await makeGroup('Top'), await makeGroup('Below')]
    const answer = await move(below, top)
    expect(Object.keys(answer.body)).toEqual(['data'])
    expect(Object.keys(answer.body.data)).toEqual(['task-id'])
    const task = await admin.almoner.getTask({ id: answer.body.data['task-id'] })
    expect(task).toMatchObject({
      kind: 'move-group',
      organizationId,
      state: 'completed',
      done: 1,
      total: 1,
      result: { 'group-id': below, 'parent-group-id': top },
    })
    expect(task.finishedAt).toBeInstanceOf(Date)
    await expect(provider.almoner.getTask({ id: task.id })).rejects.toMatchObject({ status: 404 })
  })

  test('tells of it once, and not when it stays where it is', async () => {
    const [top, below] = [await makeGroup('Top'), await makeGroup('Below')]
    await move(below, top)
    const { lastModifiedTime } = await admin.almoner.getGroup({ id: below })
    expect(await outcome(below, top)).toEqual([201])
    expect((await admin.almoner.getGroup({ id: below })).lastModifiedTime).toEqual(lastModifiedTime)
    const events = await service.db.selectFrom('events').select('data').where('kind', '=', 'group.moved').execute()
    expect(events.map(({ data }) => data).filter((data) => (data as { groupId: string }).groupId === below)).toEqual([
      { groupId: below, parentGroupId: top },
    ])
  })

  test('never makes a circle', async () => {
    const [first, second, third] = [await makeGroup('1'), await makeGroup('2'), await makeGroup('3')]
    await move(second, first)
    await move(third, second)
    for (const to of [first, second, third]) expect(await outcome(first, to)).toEqual([400, 'GroupCircle'])
    expect(await parentOf(first)).toBeNull()
    expect(await outcome(third, first)).toEqual([201])
  })

  test('needs a parent of the same organization', async () => {
    const id = await makeGroup('Lonely')
    const [theirs] = (await outsider.almoner.listOrganizations()).items
    const foreign = await outsider.almoner.createGroup({
      body: { name: 'Theirs', organizationId: theirs?.id as string },
    })
    for (const to of [v7(), foreign.id]) {
      const { status, body } = await move(id, to)
      expect([status, body.errors[0].code, body.errors[0].meta.pointer]).toEqual([
        400,
        'InvalidValue',
        '/to-parent-group-id',
      ])
    }
    // Also for someone who administers both.
    const both = await makePerson(service, [
      { organizationId, role: 'org-admin' },
      { organizationId: theirs?.id as string, role: 'org-admin' },
    ])
    expect(await outcome(id, foreign.id, both)).toEqual([400, 'InvalidValue'])
    const missing = await call(service, `${GROUPS}${id}/move/`, { token: admin.token, body: {} })
    expect(missing.body.errors[0]).toMatchObject({ code: 'MissingValue', meta: { pointer: '/to-parent-group-id' } })
    expect(await outcome(id, 'seven')).toEqual([400, 'InvalidValue'])
  })

  test('is not for groups that keep themselves, in either place', async () => {
    const id = await makeGroup('Regular')
    const { items } = await admin.almoner.listGroups({ organizationId, type: ['all_participants', 'unassigned'] })
    expect(items).toHaveLength(2)
    for (const automatic of items) {
      expect(await outcome(automatic.id, id)).toEqual([400, 'AutomaticGroup'])
      expect(await outcome(id, automatic.id)).toEqual([400, 'AutomaticGroup'])
    }
  })

  test('is for administrators, also of a group that a provider leads', async () => {
    const [top, below] = [await makeGroup('Top'), await makeGroup('Below')]
    for (const id of [top, below]) await admin.almoner.addLeadersToGroup({ id, body: { userIds: [provider.userId] } })
    expect(await outcome(below, top, provider)).toEqual([403, 'PermissionDenied'])
    expect(await outcome(below, top, outsider)).toEqual([404, 'NotFound'])
  })
})

test('two opposite moves at the same moment leave no circle', async () => {
  for (let round = 0; round < 10; round++) {
    const [one, two] = [await makeGroup('One'), await makeGroup('Two')]
    const answers = await Promise.all([move(one, two), move(two, one)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    const refused = answers.find(({ status }) => status === 400)
    expect(refused?.body.errors[0].code).toBe('GroupCircle')
    const parents = await Promise.all([parentOf(one), parentOf(two)])
    expect(parents.filter((parent) => parent === null)).toHaveLength(1)
  }
})

test('many moves around a ring at the same moment leave a tree', async () => {
  const ring = await Promise.all(Array.from({ length: 6 }, (_, index) => makeGroup(`Ring ${index}`)))
  const answers = await Promise.all(ring.map((id, index) => move(id, ring[(index + 1) % ring.length])))
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
})

describe('the top of the tree', () => {
  const topFor = async (who: Person, includeInactive = false) => {
    const { items } = await who.almoner.listGroups({ organizationId: here, filter: { top: true, includeInactive } })
    return items.map(({ name }) => name)
  }
  let here: string

  test('is what no group stands above, of those that the caller is shown', async () => {
    here = await makeOrganization(service, 'Lakeside Clinic')
    const boss = await makePerson(service, [{ organizationId: here, role: 'org-admin' }])
    const restricted = await makePerson(service, [{ organizationId: here, role: 'provider' }])
    const make = async (name: string, above: string | null) => {
      const { id } = await boss.almoner.createGroup({ body: { name, organizationId: here } })
      if (above) await boss.almoner.moveGroup({ id, body: { toParentGroupId: above } })
      return id
    }
    const top = await make('Top', null)
    const middle = await make('Middle', top)
    await make('Bottom', middle)
    expect(await topFor(boss)).toEqual(['Top'])
    await boss.almoner.addLeadersToGroup({ id: middle, body: { userIds: [restricted.userId] } })
    await boss.almoner.modifyOrganization({ id: here, body: { restrictProvidersToGroups: true } })
    expect(await topFor(restricted)).toEqual(['Middle'])
    await boss.almoner.updateGroup({ id: middle, body: { isActive: false } })
    expect(await topFor(boss)).toEqual(['Bottom', 'Top'])
    expect(await topFor(boss, true)).toEqual(['Top'])
  })
})
