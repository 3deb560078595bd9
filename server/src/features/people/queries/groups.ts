import type { AnswerOf, InputOf, Page } from '@almoner/contract'
import type { getGroup, listGroups } from '@almoner/contract/people/groups'
import { sql } from 'kysely'
import { anyOf } from '../../../platform/db/any-of.ts'
import { escapeLike, textHolds, valueHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'
import { pageOf } from '../../../platform/db/paging.ts'

type Group = AnswerOf<typeof getGroup>

const groupColumns = [
  'id',
  'name',
  'nodeType',
  'type',
  'tags',
  'organizationId',
  'isActive',
  'lastModifiedTime',
] as const

export type GroupRow = Omit<Group, 'selfCanWrite'>

export function groupsPage(db: Database, reach: string[], input: InputOf<typeof listGroups>): Promise<Page<GroupRow>> {
  const { filter, name, type, page } = input
  let query = db
    .selectFrom('individualGroups')
    .select(groupColumns)
    .where('organizationId', '=', anyOf(reach))
    .where('type', 'in', type)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
  if (!filter.includeInactive) query = query.where('isActive', '=', true)
  if (name !== undefined) query = query.where(sql`lower(name)`, '=', sql`lower(${name})`)
  if (filter.text !== undefined)
    query = query.where(sql`lower(name)`, 'like', sql`lower(${`%${escapeLike(filter.text)}%`})`)
  if (filter.tags)
    query = query.where(
      sql<boolean>`exists (select from unnest(tags) tag where lower(tag) = any(${filter.tags.map((tag) => tag.toLowerCase())}::text[]))`,
    )
  if (filter.nodeType) query = query.where(textHolds(sql.ref('nodeType'), filter.nodeType))
  if (filter.cmpLastModifiedTime)
    query = query.where(valueHolds(sql.ref('lastModifiedTime'), filter.cmpLastModifiedTime))
  return pageOf(query, page)
}

export const findGroup = (db: Database, reach: string[], id: string): Promise<GroupRow | undefined> =>
  db
    .selectFrom('individualGroups')
    .select(groupColumns)
    .where('id', '=', id)
    .where('organizationId', '=', anyOf(reach))
    .executeTakeFirst()

export const insertGroup = (db: Database, row: Omit<GroupRow, 'isActive'> & { createdAt: Date }): Promise<GroupRow> =>
  db.insertInto('individualGroups').values(row).returning(groupColumns).executeTakeFirstOrThrow()

export const changeGroup = (
  db: Database,
  reach: string[],
  id: string,
  change: Partial<GroupRow>,
): Promise<GroupRow | undefined> =>
  db
    .updateTable('individualGroups')
    .set(change)
    .where('id', '=', id)
    .where('organizationId', '=', anyOf(reach))
    .returning(groupColumns)
    .executeTakeFirst()
