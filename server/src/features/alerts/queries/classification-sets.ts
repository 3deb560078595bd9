import type { AnswerOf, InputOf, Page } from '@almoner/contract'
import type { createClassificationSet, listClassificationSets } from '@almoner/contract/alerts/classification-sets'
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import { textHolds, valueHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'
import { pageOf } from '../../../platform/db/paging.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { shippedSets } from '../shipped-classifications.ts'

export type SetRow = Omit<AnswerOf<typeof createClassificationSet>, 'meta'>

export function setsPage(
  db: Database,
  reach: string[],
  { filter, page }: InputOf<typeof listClassificationSets>,
): Promise<Page<SetRow>> {
  let query = db
    .selectFrom('classificationSets')
    .selectAll()
    .where(sql<SqlBool>`(organization_id is null or organization_id = any(${reach}::uuid[]))`)
  if (filter.metricType) query = query.where(textHolds(sql`metric_type`, filter.metricType))
  if (filter.isActive) query = query.where(valueHolds(sql`is_active`, filter.isActive))
  return pageOf(query.orderBy(sql`lower(name)`).orderBy('id'), page)
}

export const findSetToChange = (db: Database, reach: string[], id: string): Promise<SetRow | undefined> =>
  db
    .selectFrom('classificationSets')
    .selectAll()
    .where('id', '=', id)
    .where(sql<SqlBool>`organization_id = any(${reach}::uuid[])`)
    .forUpdate()
    .executeTakeFirst()

export const isShipped = (id: string): boolean => shippedSets.some((set) => set.id === id)

const asJson = (ranges: SetRow['ranges']) => JSON.stringify(ranges) as unknown as SetRow['ranges']

export const insertSet = (db: Database, set: Insertable<Tables['classificationSets']>): Promise<SetRow> =>
  db
    .insertInto('classificationSets')
    .values({ ...set, ranges: asJson(set.ranges) })
    .returningAll()
    .executeTakeFirstOrThrow()

export const changeSet = (
  db: Database,
  id: string,
  { ranges, ...change }: Updateable<Tables['classificationSets']>,
): Promise<SetRow> =>
  db
    .updateTable('classificationSets')
    .set({ ...change, ...(ranges ? { ranges: asJson(ranges) } : {}) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Only one set of a field is active; whoever activates one takes the place of the other. */
export async function deactivateOthers(
  db: Database,
  { organizationId, metricType, field }: Pick<SetRow, 'organizationId' | 'metricType' | 'field'>,
): Promise<void> {
  await db
    .updateTable('classificationSets')
    .set({ isActive: false })
    .where('organizationId', '=', organizationId)
    .where('metricType', '=', metricType)
    .where('field', '=', field)
    .where('isActive', '=', true)
    .execute()
}

export async function deleteSet(db: Database, id: string): Promise<void> {
  await db.deleteFrom('classificationSets').where('id', '=', id).execute()
}

/**
 * Taken before anything else. Readings wait until the set is saved and are then called by it, and those who save sets
 * take turns.
 */
export async function lockReadings(db: Database): Promise<void> {
  await sql`lock table listed_readings in share row exclusive mode`.execute(db)
}

/** Every write of a listed reading classifies it, this one too. */
export async function reclassify(db: Database, organizationId: string | null, metricType: string): Promise<void> {
  await sql`update listed_readings set state = state where type = ${metricType}
    ${organizationId ? sql`and organization_id = ${organizationId}` : sql``}`.execute(db)
}

/** At every start: the shipped sets are as this version ships them. */
export async function writeShippedSets(db: Database): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const { ranges, ...set } of shippedSets) {
      const { rows } = await sql`insert into classification_sets
          (id, organization_id, name, metric_type, field, origin, ranges, is_active, created_at, last_modified_at)
        values (${set.id}, null, ${set.name}, ${set.metricType}, ${set.field}, ${set.origin},
          ${JSON.stringify(ranges)}::jsonb, true, now(), now())
        on conflict (id) do update set name = excluded.name, origin = excluded.origin, ranges = excluded.ranges,
          last_modified_at = excluded.last_modified_at
        where (classification_sets.name, classification_sets.origin, classification_sets.ranges)
          is distinct from (excluded.name, excluded.origin, excluded.ranges)
        returning id`.execute(trx)
      if (rows.length === 0) continue
      await lockReadings(trx)
      await reclassify(trx, null, set.metricType)
    }
  })
}
