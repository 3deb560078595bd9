import type { InputOf, Page } from '@almoner/contract'
import type { listAlertRules } from '@almoner/contract/alerts/alert-rules'
import { type Insertable, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import { textHolds, valueHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'
import { pageOf } from '../../../platform/db/paging.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { RuleRow } from '../rule.ts'

/** Rules for everyone are seen by all staff, the others by those who see whom they are for. */
const isRuleSeen = (sight: Sight, reach: string[]): RawBuilder<SqlBool> =>
  sql`(organization_id = any(${reach}::uuid[]) and (target = 'organization'
    or (target = 'group' and (organization_id = any(${sight.organizationIds}::uuid[]) or target_id = any(${sight.groupIds}::uuid[])))
    or (target = 'individual' and ${isSeen(sight, sql`organization_id`, sql`target_id`)})))`

const rules = (db: Database, sight: Sight, reach: string[]) =>
  db.selectFrom('alertRules').selectAll().where('deletedAt', 'is', null).where(isRuleSeen(sight, reach))

export function rulesPage(
  db: Database,
  sight: Sight,
  reach: string[],
  { filter, page }: InputOf<typeof listAlertRules>,
): Promise<Page<RuleRow>> {
  let query = rules(db, sight, reach)
  if (filter.individualId)
    query = query.where('target', '=', 'individual').where(valueHolds(sql`target_id`, filter.individualId))
  if (filter.groupId) query = query.where('target', '=', 'group').where(valueHolds(sql`target_id`, filter.groupId))
  if (filter.metricType) query = query.where(textHolds(sql`metric_type`, filter.metricType))
  if (filter.kind) query = query.where(textHolds(sql`kind`, filter.kind))
  if (filter.severity) query = query.where(textHolds(sql`severity`, filter.severity))
  if (filter.name) query = query.where(textHolds(sql`name`, filter.name))
  if (filter.enabled) query = query.where(valueHolds(sql`enabled`, filter.enabled))
  return pageOf(query.orderBy(sql`lower(name)`).orderBy('id'), page)
}

export const findRule = (db: Database, sight: Sight, reach: string[], id: string): Promise<RuleRow | undefined> =>
  rules(db, sight, reach).where('id', '=', id).executeTakeFirst()

/** Locked, so that two who change it do so one after the other. */
export const findRuleToChange = (
  db: Database,
  sight: Sight,
  reach: string[],
  id: string,
): Promise<RuleRow | undefined> => rules(db, sight, reach).where('id', '=', id).forUpdate().executeTakeFirst()

export const insertRule = (db: Database, rule: Insertable<Tables['alertRules']>): Promise<RuleRow> =>
  db.insertInto('alertRules').values(rule).returningAll().executeTakeFirstOrThrow()

export const changeRule = (db: Database, id: string, change: Updateable<Tables['alertRules']>): Promise<RuleRow> =>
  db.updateTable('alertRules').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export async function forgetRuns(db: Database, ruleId: string): Promise<void> {
  await db.deleteFrom('alertRuns').where('ruleId', '=', ruleId).execute()
}

interface Named {
  individualId: string | null
  groupId: string | null
  staffIds: string[]
  groupIds: string[]
}

/** Which of those a rule names are there, in its organization and in the caller's sight. */
export async function knownAmong(db: Database, sight: Sight, organizationId: string, named: Named) {
  const { rows } = await sql<{ isIndividual: boolean; groupIds: string[]; staffIds: string[]; isGroup: boolean }>`
    select
      exists (select from listed_individuals l where l.individual_id = ${named.individualId}::uuid
        and l.organization_id = ${organizationId} and l.account_type = 'regular'
        and ${isSeen(sight, sql`l.organization_id`, sql`l.individual_id`)}) as is_individual,
      exists (select from individual_groups g where g.id = ${named.groupId}::uuid and g.type = 'regular'
        and g.organization_id = ${organizationId} and (g.organization_id = any(${sight.organizationIds}::uuid[])
          or g.id = any(${sight.groupIds}::uuid[]))) as is_group,
      array(select g.id from individual_groups g where g.id = any(${named.groupIds}::uuid[])
        and g.organization_id = ${organizationId}) as group_ids,
      array(select u.individual_id from users u join memberships m on m.user_id = u.id
        where u.individual_id = any(${named.staffIds}::uuid[]) and m.organization_id = ${organizationId}
        and m.role <> 'patient') as staff_ids`.execute(db)
  return rows[0] ?? { isIndividual: false, isGroup: false, groupIds: [], staffIds: [] }
}
