// Ranges of a reading, with a name for each: what a care team calls 150 mmHg.

import { METRIC_TYPE_NAMES } from '../metrics/metric-types.ts'
import {
  boolean,
  datetime,
  defaulted,
  list,
  listOf,
  many,
  matches,
  nullable,
  number,
  objectOf,
  oneOf,
  oneWith,
  operation,
  optional,
  remove,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'

const PATH = '/lachesis/v1/classification-sets/'
export const TONES = ['good', 'watch', 'bad', 'danger'] as const

const range = objectOf({
  label: text({ minLength: 1, maxLength: 63, description: 'Such as `stage-1`.' }),
  from: nullable(number({ description: 'Included; null for no lower end.' })),
  to: nullable(number({ description: 'Not included; null for no upper end.' })),
  context: defaulted(
    nullable(text({ maxLength: 63, description: 'Only readings of this context; null for those of any other.' })),
    null,
  ),
  tone: oneOf(TONES, { description: 'How it is shown.' }),
})

export const ClassificationSet = resource('classification-sets', {
  organizationId: nullable(uuid({ description: 'Null for those that are shipped, which cannot be changed.' })),
  name: text(),
  metricType: text(),
  field: text(),
  origin: text({ description: 'Where the ranges come from.' }),
  ranges: listOf(range),
  isActive: boolean({ description: 'Whether it is used. An active set takes the place of a shipped one.' }),
  createdAt: datetime(),
  lastModifiedAt: datetime(),
})

const attributes = {
  name: text({ minLength: 1, maxLength: 255 }),
  origin: text({ maxLength: 1000, description: 'Where the ranges come from: a guideline, a clinic’s own rule.' }),
  ranges: listOf(range, { minItems: 1, maxItems: 100 }),
}

export const listClassificationSets = list({
  id: 'list-classification-sets',
  summary: 'List classification sets',
  description: 'Those of the organization and those that are shipped, in the order of names.',
  path: PATH,
  access: roles('org-admin', 'provider', 'patient', 'job'),
  query: { organizationId: optional(uuid()) },
  filter: {
    metricType: matches(text({ maxLength: 63 })),
    isActive: matches(boolean()),
  },
  answer: many(ClassificationSet),
})

const saved = oneWith(ClassificationSet, {
  warnings: listOf(text({ description: 'Values between the ranges that have no name.' })),
})

export const createClassificationSet = operation({
  id: 'create-classification-set',
  summary: 'Create a classification set',
  description:
    'Ranges of the same context must not overlap; gaps between them are allowed and named in `meta.warnings`. An active set takes the place of the one that was active for the same field, and the states of all individuals follow.',
  method: 'POST',
  path: PATH,
  status: 201,
  access: roles('org-admin'),
  recorded: true,
  body: {
    shape: 'resource',
    type: ClassificationSet.type,
    modifies: false,
    fields: {
      organizationId: uuid(),
      metricType: oneOf(METRIC_TYPE_NAMES),
      field: text({ maxLength: 63, description: 'A numeric field of the type.' }),
      ...attributes,
      origin: defaulted(attributes.origin, ''),
      isActive: defaulted(boolean(), true),
    },
  },
  answer: saved,
})

export const modifyClassificationSet = operation({
  id: 'modify-classification-set',
  summary: 'Modify a classification set',
  method: 'PATCH',
  path: `${PATH}{id}/`,
  status: 200,
  access: roles('org-admin'),
  recorded: true,
  body: {
    shape: 'resource',
    type: ClassificationSet.type,
    modifies: true,
    fields: {
      name: optional(attributes.name),
      origin: optional(attributes.origin),
      ranges: optional(attributes.ranges),
      isActive: optional(boolean()),
    },
  },
  answer: saved,
})

export const deleteClassificationSet = remove({
  id: 'delete-classification-set',
  summary: 'Delete a classification set',
  description: 'The shipped one for the same field, if there is one, holds again.',
  path: `${PATH}{id}/`,
  access: roles('org-admin'),
  recorded: true,
})
