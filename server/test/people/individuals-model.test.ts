// The list of individuals against a model of it, over HTTP, with random questions and random histories.

import { kebab } from '@almoner/contract'
import { INDIVIDUAL_FIELDS } from '@almoner/contract/people/individuals'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { checkListing } from '../../src/features/people/index.ts'
import { addUpCounts } from '../../src/features/people/relisting.ts'
import { createLog } from '../../src/platform/config/log.ts'
import { connectPool, type Database, database } from '../../src/platform/db/database.ts'
import { cleanUp } from '../support/clean-up.ts'
import * as model from '../support/people-model.ts'
import {
  call,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
} from '../support/service.ts'

const PATH = '/caredb/v1/aggregation-individuals/'
const { CROWD, at } = model
const ROLES = ['patient', 'provider', 'org-admin'] as const
const log = createLog('silent')

let service: TestService
let world: model.World
let clinic: string
let practice: string
/** An administrator, a provider who is a patient too, and two who see only their groups. */
let callers: { person: Person; organizationId: string }[]
/** A dozen connections. */
let pool: Database

beforeAll(async () => {
  service = await startTestService()
  const { db, databaseUrl: url } = service
  clinic = await makeOrganization(service)
  practice = await makeOrganization(service, 'Hilltop Practice')
  await db.updateTable('organizations').set({ restrictProvidersToGroups: true }).where('id', '=', practice).execute()
  const member = async (organizationId: string, ...roles: (typeof ROLES)[number][]) => {
    const memberships = roles.map((role) => ({ organizationId, role }))
    return { organizationId, person: await makePerson(service, memberships) }
  }
  callers = [
    await member(clinic, 'org-admin'),
    await member(clinic, 'provider', 'patient'),
    await member(practice, 'provider'),
    await member(practice, 'provider', 'patient'),
  ]
  const [chief = '', physician = '', leader = '', helper = ''] = userIdsOf(callers)
  await model.makeGroups(db, clinic, chief, physician)
  await model.makeGroups(db, practice, leader, helper)
  await model.makeCrowd(db, 160, [clinic, practice])
  world = await model.readWorld(db)
  const connections = connectPool({ url, poolSize: 12, statementTimeoutMs: 20_000, log })
  cleanUp(() => connections.end())
  pool = database(connections)
})

const userIdsOf = (some: typeof callers) => some.map(({ person }) => person.userId)

// Questions. What is drawn from the world is drawn when the question is asked, because writes change it.

type Filter = model.FilterParameter
const RANGE: Filter['operator'][] = ['gt', 'gte', 'lt', 'lte']

const inAnyCase = (value: fc.Arbitrary<string>) =>
  fc.tuple(value, fc.nat(3)).map(([text, form]) => [text, text.toUpperCase(), text.toLowerCase(), text][form] ?? text)

/** One parameter or more of the same filter, each with some values. */
function asked(name: string, value: fc.Arbitrary<string>, operators: Filter['operator'][] = [], most = 2) {
  const operator = fc.constantFrom<Filter['operator']>('is', ...operators)
  const parameter = fc.record({
    name: fc.constant(name),
    operator,
    values: fc.array(value, { minLength: 1, maxLength: 4 }),
  })
  return fc.array(parameter, { minLength: 1, maxLength: most })
}
function words(name: string, all: (string | null)[]) {
  const value = inAnyCase(fc.constantFrom(...all.filter((text) => text !== null)))
  const part = fc
    .tuple(value, fc.nat(8), fc.integer({ min: 1, max: 3 }))
    .map(([text, from, length]) => [...text].slice(from, from + length).join(''))
  const odd = fc.constantFrom('%', '_', '\\', "'", 'e', 'é', 'ø', '')
  return asked(name, fc.oneof(value, part, odd), [...RANGE, 'contains', 'contains'])
}
const choice = (name: string, ...values: string[]) =>
  fc.constantFrom(...values).map((value): Filter[] => [{ name, operator: 'is', values: [value] }])
/** More than one or two, or hardly anybody would be found. */
function ids(name: string, all: () => string[]): fc.Arbitrary<Filter[]> {
  const one = fc.oneof({ weight: 9, arbitrary: fc.nat().map((index) => at(all(), index)) }, fc.uuid())
  return fc
    .array(inAnyCase(one), { minLength: 1, maxLength: 50, size: 'max' })
    .map((values) => [{ name, operator: 'is', values }])
}
const truth = fc.constantFrom('true', 'false')

const FILTERS: fc.Arbitrary<Filter[]>[] = [
  choice('account-type', 'regular', 'provider'),
  asked('birth-date', fc.constantFrom('1990-02-27', ...CROWD.birthDates.filter((day) => day !== null)), RANGE),
  words('email', CROWD.emails),
  asked('email-verified', truth),
  choice('exclude-self', 'true', 'false'),
  words('first-name', CROWD.firstNames),
  asked('individual-group-id', inAnyCase(fc.nat().map((index) => at(world.groups, index).id))),
  ids('individual-ids', () => world.people.map(({ id }) => id)),
  words('last-name', CROWD.lastNames),
  asked('last-text-status', fc.constantFrom('created', 'failed', 'sent')),
  asked(
    'only-in-groups-with-leader-id',
    fc.nat().map((index) => at(userIdsOf(callers), index)),
  ),
  words('phone', CROWD.phones),
  asked('phone-verified', truth),
  asked('registered', truth),
  asked('registration-invite', inAnyCase(fc.constantFrom(...CROWD.invites))),
  asked('sms-mode', fc.constantFrom('disabled', 'enabled', 'optout')),
  asked('state', inAnyCase(fc.constantFrom(...CROWD.states))),
  asked('tag-ids', inAnyCase(fc.nat().map((index) => at([...world.tags.keys()], index))), [], 1),
  choice('workflowtype-name', 'Intake', 'Discharge'),
]

interface Question extends Omit<model.ListQuery, 'organizationId'> {
  caller: number
}
/** Who asks, the page and the fields are left to chance. */
const questions = (filters: fc.Arbitrary<Filter[]>[], sort: fc.Arbitrary<string[]>): fc.Arbitrary<Question> =>
  fc.record({
    caller: fc.constantFrom(0, 0, 0, 1, 1, 2, 3),
    filters: fc.tuple(...filters).map((all) => all.flat()),
    sort,
    fields: fc.option(fc.uniqueArray(fc.constantFrom(...INDIVIDUAL_FIELDS), { minLength: 1, maxLength: 6 }), {
      nil: undefined,
      freq: 1,
    }),
    limit: fc.constantFrom(undefined, undefined, 1, 2, 7, 20, 1000),
    offset: fc.constantFrom(undefined, undefined, undefined, 0, 1, 3, 10, 60, 500),
  })
const anyOrder = fc
  .tuple(fc.constantFrom('', '-'), fc.constantFrom(...INDIVIDUAL_FIELDS))
  .map(([sign, field]) => sign + kebab(field))
const anyQuestion = fc
  .shuffledSubarray(FILTERS, { maxLength: 4 })
  .chain((filters) => questions(filters, fc.array(anyOrder, { maxLength: 4 })))
const usualOrder = fc.constant<string[]>([])

async function agree({ caller, ...rest }: Question): Promise<void> {
  const { person, organizationId } = at(callers, caller)
  const query = { organizationId, ...rest }
  const { status, body } = await call(service, `${PATH}?${model.searchOf(query)}`, { token: person.token })
  expect(status, JSON.stringify(body)).toBe(200)
  const items = body.data.map(({ id, attributes }: { id: string; attributes: object }) => ({ id, attributes }))
  const expected = model.listed(world, person.userId, query)
  expect({ total: body.meta['page[total]'], items }).toEqual(expected)
}

const prove = (question: fc.Arbitrary<Question>, numRuns: number) =>
  fc.assert(fc.asyncProperty(question, agree), { numRuns })

test('a text sorts by its letters without case and accents', async () => {
  const some = fc.sample(fc.string({ unit: 'grapheme', maxLength: 12 }), 500)
  const texts = [...CROWD.firstNames, ...CROWD.lastNames, ...some].filter((text) => !text.includes('\0'))
  const { rows } = await sql<{ key: string }>`
    select sort_key(one) as key from unnest(${texts}::text[]) with ordinality given (one, place) order by place`.execute(
    service.db,
  )
  expect(rows.map(({ key }) => key)).toEqual(texts.map(model.sortKey))
})

test('each filter lists whom it says', async () => {
  await Promise.all(FILTERS.map((filter) => prove(questions([filter], usualOrder), 8)))
})

test('each order is kept, in both directions', async () => {
  const orders = INDIVIDUAL_FIELDS.flatMap((field) => [kebab(field), `-${kebab(field)}`])
  await Promise.all(orders.map((order) => prove(questions([], fc.constant<string[]>([order])), 2)))
})

test('every two filters list whom both say', async () => {
  for (const [index, one] of FILTERS.entries())
    await Promise.all(FILTERS.slice(index + 1).map((other) => prove(questions([one, other], usualOrder), 2)))
})

test('every filter goes with every order', async () => {
  const orders = INDIVIDUAL_FIELDS.map((field) => fc.constantFrom<string[]>([kebab(field)], [`-${kebab(field)}`]))
  for (const filter of FILTERS) await Promise.all(orders.map((order) => prove(questions([filter], order), 1)))
})

test('any filters go with any orders, page by page', () => prove(anyQuestion, 300))

// Histories.

type People = model.ModelPerson[]
const anyUser = (people: People) => sql<string>`any(${people.map(({ userId }) => userId)}::uuid[])`
const anyOne = (people: People) => sql<string>`any(${people.map(({ id }) => id)}::uuid[])`
const changeUsers = (db: Database, people: People, change: object) =>
  db.updateTable('users').set(change).where('id', '=', anyUser(people)).execute()
const changeIndividuals = (db: Database, people: People, change: object) =>
  db.updateTable('individuals').set(change).where('id', '=', anyOne(people)).execute()
const groupAt = (index: number) =>
  at(
    world.groups.filter(({ type }) => type === 'regular'),
    index,
  ).id

async function send(people: People, path: (id: string) => string, body?: object): Promise<void> {
  const request = { token: callers[0]?.person.token ?? '', method: body ? 'PATCH' : 'POST', ...(body ? { body } : {}) }
  for (const answer of await Promise.all(people.map(({ id }) => call(service, path(id), request))))
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
}

type Write = (db: Database, people: People, number: number) => Promise<unknown>

const WRITES: Record<string, Write> = {
  describe: (db, people, number) => changeIndividuals(db, people, model.personal(number)),
  rename: (db, people, number) => changeIndividuals(db, people, { lastName: at(CROWD.lastNames, number) }),
  progress: (db, people, number) => changeUsers(db, people, model.account(number)),
  move: (db, people, number) => changeUsers(db, people, { state: at(CROWD.states, number) }),
  signIn: (db, people) => changeUsers(db, people, { lastLoginAt: new Date() }),
  join: (db, people, number) =>
    sql`insert into group_individuals select ${groupAt(number)}, id, now() from individuals where id = ${anyOne(people)}
      on conflict do nothing`.execute(db),
  leave: (db, people, number) =>
    sql`delete from group_individuals where individual_id = ${anyOne(people)}
      and (group_id = ${groupAt(number)} or ${number % 3 === 0})`.execute(db),
  admit: (db, people, number) =>
    sql`insert into memberships select id, ${at([clinic, practice], number)}, ${at(ROLES, number)} from users
      where id = ${anyUser(people)} on conflict do nothing`.execute(db),
  dismiss: (db, people, number) =>
    db.deleteFrom('memberships').where('userId', '=', anyUser(people)).where('role', '=', at(ROLES, number)).execute(),
  transfer: (db, people, number) =>
    sql`update memberships m set organization_id = ${at([clinic, practice], number)} where user_id = ${anyUser(people)}
      and not exists (select from memberships o where o.user_id = m.user_id and o.role = m.role
        and o.organization_id <> m.organization_id)`.execute(db),
  exchange: (db, [one, other = one]) =>
    sql`update users set individual_id = case id when ${one?.userId} then ${other?.id}::uuid else ${one?.id}::uuid end
      where id in (${one?.userId}, ${other?.userId})`.execute(db),
  tag: (db, people, number) =>
    sql`insert into individual_tags select ${at([...world.tags.keys()], number)}, id from individuals
      where id = ${anyOne(people)} on conflict do nothing`.execute(db),
  untag: (db, people) => db.deleteFrom('individualTags').where('individualId', '=', anyOne(people)).execute(),
  archive: (_, people) => send(people, (id) => `${PATH}${id}/archive/`),
  disable: (_, people) => send(people, (id) => `${PATH}${id}/disable/`),
  restore: (_, people) => send(people, (id) => `${PATH}${id}/restore/`),
  modify: (_, people, number) =>
    send(people, (id) => `/showboat/v1/patients/${id}/`, {
      data: { type: 'ui-patients', attributes: { 'first-name': at(CROWD.firstNames, number) || 'Eve' } },
    }),
  addUp: (db) => addUpCounts.run({}, { db, now: new Date(), log }),
}

const writes = (kinds: string[]) =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    who: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
    number: fc.nat(5000),
  })
type ChosenWrite = { kind: string; who: number[]; number: number }

/** Those who ask stay as they are. */
async function write(db: Database, { kind, who, number }: ChosenWrite): Promise<void> {
  const others = world.people.filter(({ userId }) => !userIdsOf(callers).includes(userId))
  await WRITES[kind]?.(db, [...new Set(who.map((index) => at(others, index)))], number)
}

test('whatever is written, the list is up to date at once', async () => {
  const step = fc.tuple(fc.array(writes(Object.keys(WRITES)), { maxLength: 5 }), anyQuestion)
  const history = fc.array(step, { minLength: 1, maxLength: 6 })
  const run = async (steps: [ChosenWrite[], Question][]) => {
    for (const [chosen, question] of steps) {
      for (const one of chosen) {
        await write(service.db, one)
        world = await model.readWorld(service.db)
      }
      await agree(question)
    }
  }
  await fc.assert(fc.asyncProperty(history, run), { numRuns: 25, endOnFailure: true })
  await expectKept()
})

/** Each writes about one of six people: whoever writes about several in one statement may have to try again. */
async function writeAtOnce(kinds: string[]): Promise<void> {
  const many = fc.array(writes(kinds), { minLength: 150, maxLength: 150, size: 'max' })
  const run = async (chosen: ChosenWrite[]) => {
    await Promise.all(chosen.map((one) => write(pool, { ...one, who: [(one.who[0] ?? 0) % 6] })))
    world = await model.readWorld(service.db)
  }
  await fc.assert(fc.asyncProperty(many, run), { numRuns: 4, endOnFailure: true })
  await expectKept()
}

test('many who write about the same people at once leave the list as it should be', () =>
  writeAtOnce(['describe', 'rename', 'progress', 'move', 'signIn', 'join', 'leave', 'admit', 'dismiss', 'addUp']))

test('and so do many who call the service meanwhile', () =>
  writeAtOnce(['archive', 'disable', 'restore', 'modify', 'rename', 'signIn', 'join', 'leave', 'addUp']))

/** The copies equal the originals, and the sums of changes are how many there are. */
async function expectKept(): Promise<void> {
  const nothing = { missing: 0, leftOver: 0, outdated: 0, columns: [], counts: 0, groupCounts: 0 }
  expect(await checkListing(service.db, false)).toMatchObject(nothing)
  world = await model.readWorld(service.db)
  const kinds: Record<string, number> = {}
  const places: Record<string, number> = {}
  const count = (sums: Record<string, number>, key: string) => {
    sums[key] = (sums[key] ?? 0) + 1
  }
  for (const person of world.people)
    for (const organizationId of [clinic, practice])
      for (const type of model.accountTypesOf(person, organizationId)) {
        const { state, registered, registrationInvite, emailVerified, phoneVerified } = person.attributes
        const groups = type === 'regular' ? model.groupsOf(world, person, organizationId) : []
        const kind = [organizationId, type, state, registered, registrationInvite, emailVerified, phoneVerified]
        count(kinds, [...kind, groups.length > 0].join())
        if (state !== 'archived') for (const { id } of groups) count(places, id)
      }
  const sumsOf = async (table: string, key: string) => {
    const { rows } = await sql<{ key: string; sum: number }>`
      select concat_ws(',', ${sql.raw(key)}) as key, sum(change)::int as sum from ${sql.table(table)}
      group by 1 having sum(change) <> 0`.execute(service.db)
    return Object.fromEntries(rows.map((row) => [row.key, row.sum]))
  }
  const kind = 'registered::text, registration_invite, email_verified::text, phone_verified::text, is_assigned::text'
  const counts = Object.entries(await sumsOf('listed_counts', `organization_id, account_type, state, ${kind}`))
  const ours = counts.filter(([key]) => key.startsWith(clinic) || key.startsWith(practice))
  expect(Object.fromEntries(ours)).toEqual(kinds)
  expect(await sumsOf('group_counts', 'group_id')).toEqual(places)
}
