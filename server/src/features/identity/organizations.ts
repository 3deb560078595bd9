import { listOrganizations } from '@almoner/contract/identity/organizations'
import { implement } from '../../platform/http/implementation.ts'
import { organizationsPage } from './queries.ts'

export const organizations = [
  implement(listOrganizations, (input, { db, actor }) => organizationsPage(db, actor.userId, input)),
]
