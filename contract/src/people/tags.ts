// Words that an organization marks its patients with.

import {
  action,
  create,
  datetime,
  exactly,
  list,
  listOf,
  many,
  one,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'
import { AggregationIndividual } from './individuals.ts'

const PATH = '/caredb/v1/tags/'
const INDIVIDUALS = '/caredb/v1/aggregation-individuals/'
const tagIds = listOf(uuid(), { minItems: 1, maxItems: 100 })

export const Tag = resource('tags', { organizationId: uuid(), name: text(), createdAt: datetime() })

export const listTags = list({
  id: 'list-tags',
  summary: 'List the tags of an organization',
  path: PATH,
  access: roles('org-admin', 'provider'),
  query: { organizationId: uuid() },
  filter: {
    individualId: exactly(uuid({ description: 'Those on this individual.' })),
    text: exactly(text({ maxLength: 255, description: 'Part of the name.' })),
  },
  answer: many(Tag),
})

export const createTag = create({
  id: 'create-tag',
  summary: 'Create a tag',
  path: PATH,
  access: roles('org-admin'),
  recorded: true,
  resource: Tag,
  attributes: { organizationId: uuid(), name: text({ minLength: 1, maxLength: 127 }) },
})

export const addTags = action({
  id: 'add-tags',
  summary: 'Put tags on an individual',
  path: `${INDIVIDUALS}{id}/add-tags/`,
  access: roles('org-admin', 'provider'),
  recorded: true,
  body: { tagIds },
  answer: one(AggregationIndividual),
})

export const removeTags = action({
  id: 'remove-tags',
  summary: 'Take tags off an individual',
  path: `${INDIVIDUALS}{id}/remove-tags/`,
  access: roles('org-admin', 'provider'),
  recorded: true,
  body: { tagIds },
  answer: one(AggregationIndividual),
})
