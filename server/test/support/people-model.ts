// The list of individuals said a second time, as plainly as can be: everyone in memory, looked at one by one. It reads
// the originals and never the copies that the database keeps for listing.

import { camel, kebab, printDatetime } from '@almoner/contract'
import { INDIVIDUAL_FIELDS, type IndividualField } from '@almoner/contract/people/individuals'
import { v7 } from 'uuid'
import type { Database } from '../../src/platform/db/database.ts'
import '../../src/features/index.ts'

type Attributes = Partial<Record<IndividualField, string | boolean | Date | object | null>>

export interface ModelPerson {
  id: string
  userId: string
  phone: string | null
  attributes: Attributes
  memberships: { organizationId: string; role: string }[]
  groupIds: Set<string>
  tagIds: Set<string>
}

interface ModelGroup {
  id: string
  organizationId: string
  parentGroupId: string | null
  type: string
  staff: { kind: string; userId: string }[]
}

export interface World {
  people: ModelPerson[]
  groups: ModelGroup[]
  /** The organization of each tag. */
  tags: Map<string, string>
  /** Where providers see only the groups they lead or belong to. */
  restricted: Set<string>
}

export async function readWorld(db: Database): Promise<World> {
  const rows = await db
    .selectFrom('individuals')
    .innerJoin('users', 'users.individualId', 'individuals.id')
    .select(['individuals.id', 'users.id as userId', 'firstName', 'lastName', 'preferredName', 'birthDate', 'email'])
    .select(['mobilePhone', 'communicationPreferences', 'state', 'registrationInvite', 'emailVerified'])
    .select(['phoneVerified', 'individuals.createdAt as createdTime', 'registeredAt as registrationCompletedTime'])
    .select(['lastLoginAt as lastLoginTime', 'lastActivityAt as lastActivityTime'])
    .execute()
  const memberships = await db.selectFrom('memberships').selectAll().execute()
  const joined = await db.selectFrom('groupIndividuals').selectAll().execute()
  const tagged = await db.selectFrom('individualTags').selectAll().execute()
  const groups = await db.selectFrom('individualGroups').selectAll().orderBy('id').execute()
  const staff = await db.selectFrom('groupStaff').selectAll().execute()
  const tags = await db.selectFrom('tags').selectAll().orderBy('id').execute()
  const organizations = await db.selectFrom('organizations').selectAll().execute()
  return {
    people: rows.map(({ id, userId, mobilePhone: phone, communicationPreferences: preferences, ...rest }) => ({
      id,
      userId,
      phone,
      attributes: {
        ...rest,
        communicationPreferences: Object.keys(preferences).length > 0 ? preferences : null,
        registered: rest.registrationCompletedTime !== null,
      },
      memberships: memberships.filter((one) => one.userId === userId),
      groupIds: new Set(joined.filter(({ individualId }) => individualId === id).map(({ groupId }) => groupId)),
      tagIds: new Set(tagged.filter(({ individualId }) => individualId === id).map(({ tagId }) => tagId)),
    })),
    groups: groups.map((group) => ({ ...group, staff: staff.filter(({ groupId }) => groupId === group.id) })),
    tags: new Map(tags.map(({ id, organizationId }) => [id, organizationId])),
    restricted: new Set(organizations.filter((one) => one.restrictProvidersToGroups).map(({ id }) => id)),
  }
}

/** `filter[<name>][<operator>]=<values joined by commas>`. */
export interface FilterParameter {
  name: string
  operator: 'is' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains'
  values: string[]
}

export interface ListQuery {
  organizationId: string
  filters: FilterParameter[]
  /** Wire names, with a leading - for descending. */
  sort: string[]
  fields?: IndividualField[] | undefined
  limit?: number | undefined
  offset?: number | undefined
}

export function searchOf({ organizationId, filters, sort, fields, limit, offset }: ListQuery): URLSearchParams {
  const search = new URLSearchParams({ 'organization-id': organizationId })
  for (const { name, operator, values } of filters)
    search.append(`filter[${name}]${operator === 'is' ? '' : `[${operator}]`}`, values.join(','))
  for (const key of sort) search.append('sort', key)
  if (fields) search.append('fields', fields.map(kebab).join(','))
  if (limit !== undefined) search.append('page[limit]', String(limit))
  if (offset !== undefined) search.append('page[offset]', String(offset))
  return search
}

interface Listed {
  total: number
  items: { id: string; attributes: Record<string, unknown> }[]
}

/** What the service has to answer to this user. */
export function listed(world: World, callerUserId: string, query: ListQuery): Listed {
  const { organizationId, filters, limit = 100, offset = 0 } = query
  const accountType = filters.find(({ name }) => name === 'account-type')?.values[0] ?? 'regular'
  const visible = visibleGroups(world, callerUserId, organizationId)
  const asked: Asked = { callerUserId, organizationId, accountType, visible }
  const isArchivedNamed = filters.some(({ name, values }) => name === 'state' && lowered(values).includes('archived'))
  const found = world.people
    .filter((person) => accountTypesOf(person, organizationId).includes(accountType))
    .filter(
      ({ userId, groupIds }) => !visible || [...visible].some((id) => groupIds.has(id)) || userId === callerUserId,
    )
    .filter(({ attributes }) => attributes.state !== 'archived' || isArchivedNamed)
    .filter((person) => filters.every((filter) => holds(world, asked, person, filter)))
  const sorted = inOrder(found, query.sort.length > 0 ? query.sort : ['last-name'])
  return {
    total: found.length,
    items: sorted.slice(offset, offset + limit).map((person) => ({
      id: person.id,
      attributes: wireAttributes(person, query.fields),
    })),
  }
}

export function accountTypesOf({ memberships }: ModelPerson, organizationId: string): string[] {
  const roles = memberships.filter((one) => one.organizationId === organizationId).map(({ role }) => role)
  return [
    ...(roles.includes('patient') ? ['regular'] : []),
    ...(roles.some((role) => role !== 'patient') ? ['provider'] : []),
  ]
}

/** The groups of this organization that a person is in as a patient. */
export const groupsOf = (world: World, person: ModelPerson, organizationId: string): ModelGroup[] =>
  world.groups.filter((group) => group.organizationId === organizationId && person.groupIds.has(group.id))

/** The groups whose individuals a user sees; null for everyone. */
function visibleGroups(world: World, userId: string, organizationId: string): Set<string> | null {
  const roles = rolesOf(world, userId, organizationId)
  const isRestricted = world.restricted.has(organizationId)
  if (roles.includes('org-admin') || (roles.includes('provider') && !isRestricted)) return null
  const inside = world.groups.filter((group) => group.organizationId === organizationId)
  const visible = new Set(inside.filter(({ staff }) => staff.some((one) => one.userId === userId)).map(({ id }) => id))
  for (let before = -1; before !== visible.size; ) {
    before = visible.size
    for (const { id, parentGroupId } of inside) if (parentGroupId && visible.has(parentGroupId)) visible.add(id)
  }
  return visible
}

const rolesOf = (world: World, userId: string, organizationId: string): string[] =>
  world.people
    .filter((person) => person.userId === userId)
    .flatMap(({ memberships }) => memberships.filter((one) => one.organizationId === organizationId))
    .map(({ role }) => role)

interface Asked {
  callerUserId: string
  organizationId: string
  accountType: string
  visible: Set<string> | null
}

function holds(world: World, asked: Asked, person: ModelPerson, filter: FilterParameter): boolean {
  const { name, operator, values } = filter
  const { callerUserId, organizationId } = asked
  switch (name) {
    case 'account-type':
      return true
    case 'exclude-self':
      return values[0] !== 'true' || person.userId !== callerUserId
    case 'individual-ids':
      return lowered(values).includes(person.id)
    case 'tag-ids':
      return lowered(values).some((id) => person.tagIds.has(id) && world.tags.get(id) === organizationId)
    case 'individual-group-id':
      return lowered(values).some((id) => isInGroup(world, asked, person, id))
    case 'only-in-groups-with-leader-id':
      return groupsOf(world, person, organizationId).some(({ staff }) =>
        staff.some(({ kind, userId }) => kind === 'leader' && lowered(values).includes(userId)),
      )
    case 'last-text-status':
    case 'sms-mode':
    case 'workflowtype-name':
      return false
    case 'phone':
      return values.some((value) => textHolds(person.phone, operator, value))
    default: {
      const own = person.attributes[camel(name) as IndividualField]
      return values.some((value) => textHolds(own == null ? null : String(own), operator, value))
    }
  }
}

/** A group the caller does not see has nobody in it. The two automatic groups are made of patients. */
function isInGroup(world: World, { organizationId, accountType, visible }: Asked, person: ModelPerson, id: string) {
  const group = world.groups.find((one) => one.id === id && one.organizationId === organizationId)
  if (!group || (visible && !visible.has(id))) return false
  if (group.type === 'all_participants') return accountType === 'regular'
  if (group.type === 'unassigned')
    return accountType === 'regular' && groupsOf(world, person, organizationId).length === 0
  return person.groupIds.has(id)
}

function textHolds(own: string | null, operator: FilterParameter['operator'], value: string): boolean {
  if (own === null) return false
  if (operator === 'is') return lower(own) === lower(value)
  if (operator === 'contains') return lower(own).includes(lower(value))
  const order = compareText(sortKey(own), sortKey(value))
  return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[operator]
}

/** Letter by letter, as PostgreSQL does it: a sigma is the same at the end of a word. */
const lower = (text: string): string => Array.from(text, (letter) => letter.toLowerCase()).join('')
const lowered = (values: string[]): string[] => values.map((value) => value.toLowerCase())

export const sortKey = (text: string): string => lower(text.normalize('NFKD')).replace(/[\u0300-\u036f]/g, '')

/** By code point, which is the order of the bytes of UTF-8 and not that of JavaScript's own comparison. */
const compareText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const TEXTS = new Set<string>(['firstName', 'lastName', 'preferredName', 'email'])

function sortValue({ attributes }: ModelPerson, field: IndividualField): string | number | null {
  const own = attributes[field]
  if (own === null || own === undefined) return null
  if (own instanceof Date) return own.getTime()
  if (typeof own === 'boolean') return own ? 1 : 0
  if (typeof own === 'object') return [...printedJson(own)].slice(0, 500).join('')
  return TEXTS.has(field) ? sortKey(own) : own
}

/** Whoever has no value comes last in both directions, and the id decides between equals. */
function inOrder(people: ModelPerson[], sort: string[]): ModelPerson[] {
  const keys = sort.map((key) => ({ field: camel(key.replace(/^-/, '')) as IndividualField, isUp: key[0] !== '-' }))
  const lines = people.map((person) => ({ person, values: keys.map(({ field }) => sortValue(person, field)) }))
  const compared = lines.toSorted((a, b) => {
    for (const [index, { isUp }] of keys.entries()) {
      const [first, second] = [a.values[index] ?? null, b.values[index] ?? null]
      if (first === second) continue
      if (first === null || second === null) return first === null ? 1 : -1
      const order = typeof first === 'number' ? first - Number(second) : compareText(first, String(second))
      return isUp ? order : -order
    }
    return compareText(a.person.id, b.person.id)
  })
  return compared.map(({ person }) => person)
}

/** As PostgreSQL prints jsonb: shorter keys first, and a space after each colon and comma. */
function printedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printedJson).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).sort(
    ([a], [b]) => Buffer.byteLength(a) - Buffer.byteLength(b) || compareText(a, b),
  )
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${printedJson(member)}`).join(', ')}}`
}

function wireAttributes({ attributes }: ModelPerson, fields = INDIVIDUAL_FIELDS): Record<string, unknown> {
  const chosen = fields.map((field) => {
    const own = attributes[field] ?? null
    return [kebab(field), own instanceof Date ? printDatetime(own) : own]
  })
  return Object.fromEntries(chosen)
}

// People to list. Some values collide, some differ in case or accents alone, some mean something to LIKE.

const spaced = (text: string) => text.split('  ')
export const CROWD = {
  firstNames: ['', 'ana maria', ' ana', 'back\\slash', 'A\u0301NA', '\ue000'].concat(
    spaced(
      "Ana  ana  Ána  Änä  Zoë  ZOE  O'Brien  o'brien  100%  1000  under_score  underXscore  Ærø  straße  STRASSE",
    ),
    spaced('Łukasz  ﬁn  FIN  ｆｉｎ  ΣΟΦΟΣ  σοφος  Ǆ  김  😀  Ⅷ  viii'),
  ),
  lastNames: spaced('Ruiz  RUIZ  ruíz  Ruiz-Ørn  van der Berg  Øster  Å  a  Z  %  _  \\'),
  emails: [null, ...spaced('a@b.org  A@B.org  á@b.org  b_c@b.org  bxc@b.org  100%@b.org')],
  phones: [null, ...spaced('+12025550100  +12025550101  +442079460000  +4420794600  +12025550100')],
  birthDates: [null, ...spaced('1990-02-28  1990-03-01  0001-01-01  2024-02-29  9999-12-31  1990-02-28')],
  preferences: [
    ...[{}, { sms: { on: true } }, { email: { on: true } }, {}, { sms: { on: false }, web: {} }],
    ...[{ voice: { a: 1, bb: 2, c: null } }, { web: { 'é"\n': ['😀', 1.5] } }],
    ...['0', '1'].map((last) => ({ email: { note: 'x'.repeat(500) + last } })),
  ],
  states: 'init confirmed registered disabled registered_disabled force_reset_password archived'.split(' '),
  invites: ['none', 'sent', 'accepted', 'failed'],
  moments: spaced('2024-01-01T00:00:00.001Z  2024-01-01T00:00:00Z  1999-12-31T23:59:59.999Z  2024-01-01T00:00:00.001Z'),
}

export const at = <T>(values: readonly T[], index: number): T => values[index % values.length] as T
const momentAt = (index: number) => (index % 3 === 0 ? null : new Date(at(CROWD.moments, index)))

export const personal = (index: number) => ({
  firstName: at(CROWD.firstNames, index * 7),
  lastName: at(CROWD.lastNames, index * 5 + 1),
  preferredName: index % 3 === 0 ? null : at(CROWD.firstNames, index),
  email: at(CROWD.emails, index),
  mobilePhone: at(CROWD.phones, index * 5),
  birthDate: at(CROWD.birthDates, index * 3),
  communicationPreferences: at(CROWD.preferences, index),
})
export const account = (index: number) => ({
  state: at(CROWD.states, Math.floor(index / 3)) as 'init',
  registrationInvite: at(CROWD.invites, index) as 'none',
  emailVerified: index % 3 === 0,
  phoneVerified: index % 4 === 1,
  registeredAt: momentAt(index),
  lastLoginAt: momentAt(index * 2 + 1),
  lastActivityAt: momentAt(index * 4 + 1),
})

/** Patients, staff and those who are both; three of four in the first organization, every ninth in both. */
export async function makeCrowd(db: Database, size: number, organizations: [string, string]): Promise<void> {
  const createdAt = new Date()
  const everyone = Array.from({ length: size }, (_, index) => ({ index, individualId: v7(), userId: v7() }))
  const individuals = everyone.map(({ index, individualId: id }) => ({
    ...{ id, ...personal(index) },
    createdAt: momentAt(index * 2 + 1) ?? createdAt,
  }))
  const users = everyone.map(({ index, individualId, userId: id }) => ({
    ...{ id, individualId, username: id, passwordHash: null, createdAt },
    ...account(index),
  }))
  const memberships = everyone.flatMap(({ index, userId }) => {
    const [home, away] = index % 4 === 3 ? organizations.toReversed() : organizations
    const roles = index % 6 === 0 ? ['provider'] : index % 10 === 0 ? ['org-admin', 'provider'] : ['patient']
    if (index % 12 === 0) roles.push('patient')
    const held = roles.map((role) => ({ userId, organizationId: home as string, role: role as 'patient' }))
    return index % 9 === 0 ? [...held, { userId, organizationId: away as string, role: 'patient' as const }] : held
  })
  await db.insertInto('individuals').values(individuals).execute()
  await db.insertInto('users').values(users).execute()
  await db.insertInto('memberships').values(memberships).execute()
  const { groups, tags } = await readWorld(db)
  const own = groups.filter(({ type }) => type === 'regular' || type === 'provider_only')
  const joined = everyone.flatMap(({ index, individualId }) => {
    const some = own.filter((_, number) => (index * 5 + number * 3) % 7 === 0)
    return some.map(({ id }) => ({ groupId: id, individualId, addedAt: createdAt }))
  })
  const tagged = everyone.flatMap(({ index, individualId }) => {
    const some = [...tags.keys()].filter((_, number) => (index + number) % 5 === 0)
    return some.map((tagId) => ({ tagId, individualId }))
  })
  await db.insertInto('groupIndividuals').values(joined).execute()
  await db.insertInto('individualTags').values(tagged).execute()
}

/** A division with a group below it and one below that, two groups beside it, one for staff alone, and tags. */
export async function makeGroups(db: Database, organizationId: string, first: string, second: string) {
  const ids = { division: v7(), below: v7(), farBelow: v7(), beside: v7(), inactive: v7() }
  const [addedAt, { division, below, farBelow, beside, inactive }] = [new Date(), ids]
  const common = { organizationId, name: 'A group', tags: [], createdAt: addedAt, lastModifiedTime: addedAt }
  const group = { ...common, nodeType: 'group' as const, type: 'regular' as const }
  const groups = [
    { ...group, id: division, nodeType: 'division' as const },
    { ...group, id: below, parentGroupId: division },
    { ...group, id: farBelow, parentGroupId: below },
    { ...group, id: beside },
    { ...group, id: inactive, isActive: false },
    { ...group, id: v7(), type: 'provider_only' as const },
  ]
  const staff = [
    { groupId: division, kind: 'leader' as const, userId: first, addedAt },
    { groupId: below, kind: 'leader' as const, userId: second, addedAt },
    { groupId: beside, kind: 'member' as const, userId: second, addedAt },
  ]
  const tags = ['red', 'Blue', 'é'].map((name) => ({ id: v7(), organizationId, name, createdAt: addedAt }))
  await db.insertInto('individualGroups').values(groups).execute()
  await db.insertInto('groupStaff').values(staff).execute()
  await db.insertInto('tags').values(tags).execute()
  return { ...ids, tagIds: tags.map(({ id }) => id) }
}
