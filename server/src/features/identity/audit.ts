import { listAuditEvents } from '@almoner/contract/identity/audit'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import { textHolds, valueHolds } from '../../platform/db/conditions.ts'
import { pageOf } from '../../platform/db/paging.ts'
import { implement } from '../../platform/http/implementation.ts'

export const audit = [
  implement(listAuditEvents, async ({ filter, page }, { db, reach }) => {
    let query = db
      .selectFrom('auditEvents')
      .select(['id', 'organizationId', 'occurredAt', 'operation', 'outcome', 'code', 'userId', 'serviceAccountId'])
      .select(['individualIds', 'ip', 'requestId'])
      .where('organizationId', '=', anyOf(reach))
      .orderBy('occurredAt', 'desc')
      .orderBy('id', 'desc')
    if (filter.userId) query = query.where('userId', '=', filter.userId)
    if (filter.individualId) query = query.where(sql<boolean>`individual_ids @> array[${filter.individualId}]::uuid[]`)
    if (filter.operation) query = query.where(textHolds(sql.ref('operation'), filter.operation))
    if (filter.outcome) query = query.where(textHolds(sql.ref('outcome'), filter.outcome))
    if (filter.cmpOccurredAt) query = query.where(valueHolds(sql.ref('occurredAt'), filter.cmpOccurredAt))
    return pageOf(query, page)
  }),
]
