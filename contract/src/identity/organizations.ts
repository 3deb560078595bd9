import {
  anyone,
  boolean,
  create,
  datetime,
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
  ROLES,
  resource,
  roles,
  signedIn,
  text,
  uuid,
} from '../vocabulary/index.ts'

const PATH = '/identity/v1/organizations/'
const DOCUMENTS_PATH = '/identity/v1/service-documents/'
const name = text({ minLength: 1, maxLength: 255 })

export const Organization = resource('organizations', {
  name: text(),
  requireSecondFactor: boolean({ description: 'Whether its users need a second factor to sign in.' }),
  restrictProvidersToGroups: boolean({
    description: 'Whether providers see only the individuals of the groups they lead or belong to.',
  }),
  createdAt: datetime(),
  roles: listOf(oneOf(ROLES), { description: 'The roles the caller holds in it.' }),
})

export const listOrganizations = list({
  id: 'list-organizations',
  summary: 'List the organizations you belong to',
  path: PATH,
  access: signedIn,
  filter: { name: matches(text({ maxLength: 255 }), ['contains']) },
  answer: many(Organization),
})

export const modifyOrganization = modify({
  id: 'modify-organization',
  summary: "Change an organization's settings",
  recorded: true,
  path: `${PATH}{id}/`,
  access: roles('org-admin'),
  resource: Organization,
  attributes: {
    name: optional(name),
    requireSecondFactor: optional(boolean()),
    restrictProvidersToGroups: optional(boolean()),
  },
})

export const ServiceDocument = resource('service-documents', {
  organizationId: uuid(),
  title: text(),
  body: text({ description: 'Markdown.' }),
  isActive: boolean({ description: 'Whether it must be agreed to.' }),
  createdAt: datetime(),
})

export const listServiceDocuments = list({
  id: 'list-service-documents',
  summary: 'List the documents that users agree to',
  path: DOCUMENTS_PATH,
  access: roles('org-admin', 'provider', 'patient'),
  query: { organizationId: uuid() },
  filter: { includeInactive: flag() },
  answer: many(ServiceDocument),
})

export const getServiceDocument = get({
  id: 'get-service-document',
  summary: 'Read a document that users agree to',
  description: 'Open to anyone who knows its id, because it is read before signing in.',
  path: `${DOCUMENTS_PATH}{id}/`,
  access: anyone,
  answer: one(ServiceDocument),
})

export const createServiceDocument = create({
  id: 'create-service-document',
  summary: 'Ask users to agree to a document',
  recorded: true,
  path: DOCUMENTS_PATH,
  access: roles('org-admin'),
  resource: ServiceDocument,
  attributes: { organizationId: uuid(), title: name, body: text({ minLength: 1, maxLength: 200_000 }) },
})

export const modifyServiceDocument = modify({
  id: 'modify-service-document',
  summary: 'Put a document into or out of force',
  recorded: true,
  description: 'A changed text is a new document, to be agreed to anew.',
  path: `${DOCUMENTS_PATH}{id}/`,
  access: roles('org-admin'),
  resource: ServiceDocument,
  attributes: { isActive: boolean() },
})
