import {
  createServiceDocument,
  getServiceDocument,
  listOrganizations,
  listServiceDocuments,
  modifyOrganization,
  modifyServiceDocument,
} from '@almoner/contract/identity/organizations'
import { v7 } from 'uuid'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import {
  changeDocument,
  documentsPage,
  findDocument,
  insertDocument,
  organizationFor,
  organizationsPage,
} from './queries/organizations.ts'

export const organizations = [
  implement(listOrganizations, (input, { db, actor }) => organizationsPage(db, actor.userId, input)),

  implement(modifyOrganization, async ({ id, body }, { db, actor, reach }) => {
    if (!reach.includes(id)) throw new Problem('NotFound', { what: 'organization' })
    if (Object.keys(body).length > 0) await db.updateTable('organizations').set(body).where('id', '=', id).execute()
    return organizationFor(db, actor.userId, id)
  }),

  implement(listServiceDocuments, (input, { db, reach }) => documentsPage(db, reach, input)),

  implement(getServiceDocument, async ({ id }, { db }) => foundDocument(await findDocument(db, id))),

  implement(createServiceDocument, ({ body }, { db, now }) =>
    insertDocument(db, { ...body, id: v7(), createdAt: now }),
  ),

  implement(modifyServiceDocument, async ({ id, body }, { db, reach }) =>
    foundDocument(await changeDocument(db, reach, id, body)),
  ),
]

function foundDocument<T>(document: T | undefined): T {
  if (!document) throw new Problem('NotFound', { what: 'document' })
  return document
}
