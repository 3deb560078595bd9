import { REGISTRATION_INVITES } from '../identity/users.ts'
import {
  action,
  boolean,
  comparison,
  create,
  data,
  date,
  datetime,
  defaulted,
  exactly,
  flag,
  get,
  integer,
  list,
  listOf,
  many,
  matches,
  modify,
  nullable,
  objectOf,
  one,
  oneOf,
  optional,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'
import { communicationPreferences } from './individuals.ts'

export const NODE_TYPES = ['division', 'group'] as const
export const GROUP_TYPES = ['all_participants', 'provider_only', 'regular', 'unassigned'] as const
const TREE_NODE_TYPES = ['leaf', 'non-leaf'] as const

export const GROUPS_PATH = '/identity/v1/individual-groups/'
const name = text({ minLength: 1, maxLength: 255 })
const tags = listOf(text({ minLength: 1, maxLength: 127 }), { maxItems: 100 })
/** So many people may be named at once. */
export const MOST_AT_ONCE = 1000
const people = (description: string) => listOf(uuid(), { maxItems: MOST_AT_ONCE, description })

const THE_REST =
  'In the order of ids, at most 10,000. `list-individuals` with `filter[individual-group-id]` lists them all.'

const GroupIndividual = objectOf({
  birthDate: nullable(date()),
  communicationPreferences: communicationPreferences(),
  emailVerified: boolean(),
  firstName: text(),
  id: uuid(),
  lastName: text(),
  name: text({ description: 'The first and the last name.' }),
  owner: objectOf({ id: uuid(), type: oneOf(['organizations']) }),
  phoneVerified: boolean(),
  preferredName: nullable(text()),
  registered: boolean(),
  registrationInvite: oneOf(REGISTRATION_INVITES),
  tz: nullable(text()),
  verified: boolean({ description: 'Whether the email or the phone is verified.' }),
})

const member = {
  communicationPreferences: communicationPreferences(),
  createdById: nullable(uuid({ description: 'Who made the user; null when that is not known.' })),
  email: nullable(text()),
  emailVerified: boolean(),
  firstName: text(),
  id: uuid({ description: 'The user id.' }),
  individualId: uuid(),
  lastName: text(),
  phoneVerified: boolean(),
  registrationInvite: oneOf(REGISTRATION_INVITES),
  verified: boolean({ description: 'Whether the email or the phone is verified.' }),
}

export const IndividualGroup = resource('individual-groups', {
  name: text(),
  nodeType: oneOf(NODE_TYPES),
  type: oneOf(GROUP_TYPES, {
    description:
      '`provider_only` is a care team, without individuals. `all_participants` (every patient) and `unassigned` (every patient in no other group) keep themselves.',
  }),
  tags: listOf(text()),
  organizationId: uuid(),
  parentGroup: nullable(objectOf({ id: uuid(), name: text() })),
  childCount: integer({ description: 'How many active groups are directly below it.' }),
  individualsCount: integer({ description: 'How many individuals are in it. Archived ones do not count.' }),
  individualIds: optional(listOf(uuid(), { description: `${THE_REST} In a list only with \`with-individuals\`.` })),
  individuals: optional(listOf(GroupIndividual, { description: `With \`with-individuals\`. ${THE_REST}` })),
  leaderIds: listOf(uuid(), { description: 'User ids.' }),
  leaders: optional(
    listOf(objectOf({ ...member, enabled: boolean({ description: 'Whether the user is registered.' }) }), {
      description: 'With `with-members`.',
    }),
  ),
  members: optional(listOf(objectOf(member), { description: 'With `with-members`.' })),
  isActive: boolean(),
  selfCanWrite: boolean({ description: 'Whether the caller may change this group.' }),
  lastModifiedTime: datetime(),
})

export const listGroups = list({
  id: 'list-groups',
  summary: 'List groups',
  description:
    'In the order of names. Providers who are restricted to their groups see those they lead or belong to, and those below.',
  path: GROUPS_PATH,
  access: roles('org-admin', 'provider'),
  deprecated: { since: '2026-08-11' },
  query: {
    ids: optional(listOf(uuid())),
    organizationId: optional(uuid()),
    name: optional(text({ maxLength: 255 })),
    type: defaulted(listOf(oneOf(GROUP_TYPES)), ['regular', 'provider_only']),
    withIndividuals: defaulted(
      boolean({
        description:
          'Deprecated. Answers the individuals of each group, 10,000 at most of each and 50,000 in the whole list; ask for fewer groups at once when `individuals-count` tells of more.',
      }),
      false,
    ),
  },
  filter: {
    cmpLastModifiedTime: comparison(),
    eligibleIndividualId: exactly(
      uuid({ description: 'Active regular groups and divisions that this patient could be added to.' }),
    ),
    excludeIds: exactly(listOf(uuid())),
    includeInactive: flag(),
    individualId: matches(uuid({ description: 'Groups that this individual is in.' })),
    leaderId: matches(uuid({ description: 'Groups led by the user with this id.' })),
    nodeType: matches(oneOf(NODE_TYPES)),
    parentGroupId: matches(uuid({ description: 'Groups directly below this one.' })),
    tags: exactly(listOf(text({ maxLength: 127 }))),
    text: exactly(text({ maxLength: 255, description: 'Part of the name.' })),
    top: exactly(
      boolean({ description: 'With true, those that no group stands above, of the groups this list would answer.' }),
    ),
    treeNodeType: matches(oneOf(TREE_NODE_TYPES, { description: 'A leaf has no active group below it.' })),
  },
  exclude: { individualId: uuid({ description: 'Leaves out the groups that this individual is in.' }) },
  answer: many(IndividualGroup),
})

export const createGroup = create({
  id: 'create-group',
  summary: 'Create a group',
  recorded: true,
  path: GROUPS_PATH,
  access: roles('org-admin'),
  resource: IndividualGroup,
  attributes: {
    name,
    organizationId: uuid(),
    nodeType: defaulted(oneOf(NODE_TYPES), 'group'),
    type: defaulted(oneOf(['regular', 'provider_only']), 'regular'),
    tags: defaulted(tags, []),
    individualIds: defaulted(people('Patients of the organization.'), []),
    leaderIds: defaulted(people('User ids of its providers or administrators.'), []),
  },
})

export const getGroup = get({
  id: 'get-group',
  summary: 'Get a group',
  description: '`parent-group` is null at the top, and where the caller does not see the group above.',
  path: `${GROUPS_PATH}{id}/`,
  access: roles('org-admin', 'provider'),
  query: { withIndividuals: defaulted(boolean(), false), withMembers: defaulted(boolean(), false) },
  answer: one(IndividualGroup),
})

export const updateGroup = modify({
  id: 'update-group',
  summary: 'Change a group',
  description: 'Open to administrators, and to providers who lead the group or one above it.',
  recorded: true,
  path: `${GROUPS_PATH}{id}/`,
  access: roles('org-admin', 'provider'),
  resource: IndividualGroup,
  attributes: {
    name: optional(name),
    tags: optional(tags),
    leaderIds: optional(people('User ids: these lead the group from now on, and no one else.')),
    isActive: optional(boolean()),
  },
})

export const moveGroup = action({
  id: 'move-group',
  summary: 'Move a group below another',
  description: 'With all that is below it. The answer names a task, to be asked about with `get-task`.',
  recorded: true,
  path: `${GROUPS_PATH}{id}/move/`,
  access: roles('org-admin'),
  body: { toParentGroupId: nullable(uuid({ description: 'Null for the top.' })) },
  answer: data({ taskId: uuid() }),
})
