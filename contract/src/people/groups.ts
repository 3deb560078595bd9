import {
  boolean,
  comparison,
  create,
  datetime,
  defaulted,
  exactly,
  flag,
  get,
  list,
  listOf,
  many,
  matches,
  modify,
  one,
  oneOf,
  optional,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'

export const NODE_TYPES = ['division', 'group'] as const
export const GROUP_TYPES = ['all_participants', 'provider_only', 'regular', 'unassigned'] as const

const PATH = '/identity/v1/individual-groups/'
const name = text({ minLength: 1, maxLength: 255 })
const tags = listOf(text({ minLength: 1, maxLength: 127 }), { maxItems: 100 })

export const IndividualGroup = resource('individual-groups', {
  name: text(),
  nodeType: oneOf(NODE_TYPES),
  type: oneOf(GROUP_TYPES),
  tags: listOf(text()),
  organizationId: uuid(),
  isActive: boolean(),
  selfCanWrite: boolean({ description: 'Whether the caller may change this group.' }),
  lastModifiedTime: datetime(),
})

export const listGroups = list({
  id: 'list-groups',
  summary: 'List groups',
  path: PATH,
  access: roles('org-admin', 'provider'),
  deprecated: { since: '2026-08-11' },
  query: {
    organizationId: optional(uuid()),
    name: optional(text({ maxLength: 255 })),
    type: defaulted(listOf(oneOf(GROUP_TYPES)), ['regular', 'provider_only']),
  },
  filter: {
    cmpLastModifiedTime: comparison(),
    includeInactive: flag(),
    nodeType: matches(oneOf(NODE_TYPES)),
    tags: exactly(listOf(text({ maxLength: 127 }))),
    text: exactly(text({ maxLength: 255 })),
  },
  answer: many(IndividualGroup),
})

export const createGroup = create({
  id: 'create-group',
  summary: 'Create a group',
  recorded: true,
  path: PATH,
  access: roles('org-admin'),
  resource: IndividualGroup,
  attributes: {
    name,
    organizationId: uuid(),
    nodeType: defaulted(oneOf(NODE_TYPES), 'group'),
    type: defaulted(oneOf(['regular', 'provider_only']), 'regular'),
    tags: defaulted(tags, []),
  },
})

export const getGroup = get({
  id: 'get-group',
  summary: 'Get a group',
  path: `${PATH}{id}/`,
  access: roles('org-admin', 'provider'),
  answer: one(IndividualGroup),
})

export const updateGroup = modify({
  id: 'update-group',
  summary: 'Change a group',
  recorded: true,
  path: `${PATH}{id}/`,
  access: roles('org-admin'),
  resource: IndividualGroup,
  attributes: { name: optional(name), tags: optional(tags) },
})
