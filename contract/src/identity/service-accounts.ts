import {
  action,
  boolean,
  create,
  datetime,
  defaulted,
  flat,
  integer,
  list,
  listOf,
  many,
  modify,
  nullable,
  oneOf,
  optional,
  remove,
  resource,
  roles,
  SERVICE_ROLES,
  text,
  uuid,
} from '../vocabulary/index.ts'

const PATH = '/identity/v1/service-accounts/'
const TOKENS_PATH = '/identity/v1/service-account-tokens/'
const access = roles('org-admin')
const name = text({ minLength: 1, maxLength: 255 })
const scopes = listOf(text({ minLength: 1, maxLength: 127 }), {
  minItems: 1,
  maxItems: 100,
  description: 'The ids of the operations it may call, such as `push-timeseries`.',
})

const individualIds = listOf(uuid(), {
  maxItems: 1000,
  description: 'The patients a device may push points of. A job sees all of its organization.',
})

export const ServiceAccount = resource('service-accounts', {
  organizationId: uuid(),
  name: text(),
  kind: oneOf(SERVICE_ROLES),
  scopes: listOf(text()),
  individualIds: listOf(uuid()),
  isActive: boolean(),
  createdAt: datetime(),
})

export const listServiceAccounts = list({
  id: 'list-service-accounts',
  summary: 'List service accounts',
  path: PATH,
  access,
  query: { organizationId: uuid() },
  answer: many(ServiceAccount),
})

export const createServiceAccount = create({
  id: 'create-service-account',
  summary: 'Create a service account',
  recorded: true,
  path: PATH,
  access,
  resource: ServiceAccount,
  attributes: {
    organizationId: uuid(),
    name,
    kind: oneOf(SERVICE_ROLES),
    scopes,
    individualIds: defaulted(individualIds, []),
  },
})

export const modifyServiceAccount = modify({
  id: 'modify-service-account',
  summary: 'Change a service account',
  recorded: true,
  path: `${PATH}{id}/`,
  access,
  resource: ServiceAccount,
  attributes: {
    name: optional(name),
    scopes: optional(scopes),
    individualIds: optional(individualIds),
    isActive: optional(boolean()),
  },
})

export const createServiceAccountToken = action({
  id: 'create-service-account-token',
  summary: 'Give a service account a named token',
  givesSecrets: true,
  recorded: true,
  description: 'The token is answered once and cannot be read again.',
  path: `${PATH}{id}/create-token/`,
  access,
  body: { name, expiresInDays: optional(integer({ minimum: 1, maximum: 3650, description: 'Never when left out.' })) },
  answer: flat({ id: uuid(), token: text(), expiresAt: nullable(datetime()) }),
})

export const ServiceAccountToken = resource('service-account-tokens', {
  serviceAccountId: uuid(),
  name: text(),
  expiresAt: nullable(datetime()),
  createdAt: datetime(),
})

export const listServiceAccountTokens = list({
  id: 'list-service-account-tokens',
  summary: "List a service account's tokens",
  path: TOKENS_PATH,
  access,
  query: { serviceAccountId: uuid() },
  answer: many(ServiceAccountToken),
})

export const revokeServiceAccountToken = remove({
  id: 'revoke-service-account-token',
  summary: 'Revoke a token',
  recorded: true,
  path: `${TOKENS_PATH}{id}/`,
  access,
})
