import { datetime, list, listOf, many, matches, oneOf, ROLES, resource, signedIn, text } from '../vocabulary/index.ts'

export const Organization = resource('organizations', {
  name: text({ maxLength: 255 }),
  createdAt: datetime(),
  roles: listOf(oneOf(ROLES), { description: 'The roles the caller holds in it.' }),
})

export const listOrganizations = list({
  id: 'list-organizations',
  summary: 'List the organizations you belong to',
  path: '/identity/v1/organizations/',
  access: signedIn,
  filter: { name: matches(text({ maxLength: 255 }), ['contains']) },
  answer: many(Organization),
})
