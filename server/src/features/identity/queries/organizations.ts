import type { AnswerOf, InputOf } from '@almoner/contract'
import type { listOrganizations, listServiceDocuments } from '@almoner/contract/identity/organizations'
import { sql } from 'kysely'
import { anyOf } from '../../../platform/db/any-of.ts'
import { textHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'
import { pageOf } from '../../../platform/db/paging.ts'

type Roles = AnswerOf<typeof listOrganizations>['items'][number]['roles']

const organizationsOf = (db: Database, userId: string) =>
  db
    .selectFrom('organizations')
    .innerJoin('memberships', 'memberships.organizationId', 'organizations.id')
    .select(['organizations.id', 'name', 'requireSecondFactor', 'restrictProvidersToGroups', 'createdAt'])
    .select(sql<Roles>`array_agg(role order by role)`.as('roles'))
    .where('userId', '=', userId)
    .groupBy('organizations.id')

export function organizationsPage(db: Database, userId: string, { filter, page }: InputOf<typeof listOrganizations>) {
  const query = organizationsOf(db, userId).orderBy(sql`lower(name)`).orderBy('organizations.id')
  return pageOf(filter.name ? query.where(textHolds(sql.ref('name'), filter.name)) : query, page)
}

export const organizationFor = (db: Database, userId: string, id: string) =>
  organizationsOf(db, userId).where('organizations.id', '=', id).executeTakeFirstOrThrow()

export const findOrganization = (db: Database, id: string) =>
  db.selectFrom('organizations').select(['id', 'name']).where('id', '=', id).executeTakeFirstOrThrow()

export async function organizationIdsOf(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('organizationId')
    .distinct()
    .where('userId', '=', userId)
    .execute()
  return rows.map(({ organizationId }) => organizationId)
}

export async function requiresSecondFactor(db: Database, organizationIds: string[]): Promise<boolean> {
  const strict = db.selectFrom('organizations').select('id').where('requireSecondFactor', '=', true)
  return (await strict.where('id', '=', anyOf(organizationIds)).executeTakeFirst()) !== undefined
}

const documentColumns = ['id', 'organizationId', 'title', 'body', 'isActive', 'createdAt'] as const

export function documentsPage(db: Database, reach: string[], { filter, page }: InputOf<typeof listServiceDocuments>) {
  const query = db
    .selectFrom('serviceDocuments')
    .select(documentColumns)
    .where('organizationId', '=', anyOf(reach))
    .orderBy('createdAt')
    .orderBy('id')
  return pageOf(filter.includeInactive ? query : query.where('isActive', '=', true), page)
}

export const findDocument = (db: Database, id: string) =>
  db.selectFrom('serviceDocuments').select(documentColumns).where('id', '=', id).executeTakeFirst()

export const insertDocument = (
  db: Database,
  row: { id: string; organizationId: string; title: string; body: string; createdAt: Date },
) => db.insertInto('serviceDocuments').values(row).returning(documentColumns).executeTakeFirstOrThrow()

export const changeDocument = (db: Database, reach: string[], id: string, change: { isActive: boolean }) =>
  db
    .updateTable('serviceDocuments')
    .set(change)
    .where('id', '=', id)
    .where('organizationId', '=', anyOf(reach))
    .returning(documentColumns)
    .executeTakeFirst()

/** The documents in force in these organizations that the user has not agreed to. */
export const documentsToAgree = (db: Database, userId: string, organizationIds: string[]) =>
  db
    .selectFrom('serviceDocuments')
    .select(['id', 'title'])
    .where('isActive', '=', true)
    .where('organizationId', '=', anyOf(organizationIds))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('serviceDocumentAgreements')
            .select('userId')
            .whereRef('serviceDocumentId', '=', 'serviceDocuments.id')
            .where('userId', '=', userId),
        ),
      ),
    )
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export async function recordAgreements(db: Database, userId: string, documentIds: string[], now: Date): Promise<void> {
  if (documentIds.length === 0) return
  await db
    .insertInto('serviceDocumentAgreements')
    .values(documentIds.map((serviceDocumentId) => ({ userId, serviceDocumentId, agreedAt: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
