import { listOutboundMessages } from '@almoner/contract/identity/outbound-messages'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import { textHolds } from '../../platform/db/conditions.ts'
import { pageOf } from '../../platform/db/paging.ts'
import { implement } from '../../platform/http/implementation.ts'
import type { IdentityServices } from './services.ts'

export const outboundMessages = ({ secrets }: Pick<IdentityServices, 'secrets'>) => [
  implement(listOutboundMessages, async ({ filter, page }, { db, reach, audit }) => {
    let query = db
      .selectFrom('outboundMessages')
      .select([
        'id',
        'individualId',
        'channel',
        'purpose',
        'recipient',
        'subject',
        'body',
        'status',
        'attempts',
        'error',
      ])
      .select(['createdAt', 'sentAt', sql<string>`organization_id`.as('organizationId')])
      .where('organizationId', '=', anyOf(reach))
      .orderBy('createdAt', 'desc')
      .orderBy('id')
    if (filter.status) query = query.where(textHolds(sql.ref('status'), filter.status))
    if (filter.channel) query = query.where(textHolds(sql.ref('channel'), filter.channel))
    const { items, total } = await pageOf(query, page)
    audit.touched(items.flatMap(({ individualId }) => individualId ?? []))
    // A code that signs someone in is nobody else's to read, though it waits here like the rest.
    const textOf = (body: Buffer | null, purpose: string): string | null =>
      body && purpose !== 'mfa-code' ? JSON.parse(secrets.decrypt(body)).text : null
    return { items: items.map(({ body, ...message }) => ({ ...message, text: textOf(body, message.purpose) })), total }
  }),
]
