import type { Page } from '@almoner/contract'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

// biome-ignore lint/suspicious/noExplicitAny: Kysely's own way to say "a query over any tables of this database"
type AnyQuery<Row> = SelectQueryBuilder<Tables, any, Row>

/** One page of an ordered query, and how many rows there are in all, in one statement. */
export async function pageOf<Row>(
  query: AnyQuery<Row>,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<Row>> {
  const counted = query.select(sql<number>`(count(*) over ())::int`.as('total'))
  const rows = await counted.limit(limit).offset(offset).execute()
  // Beyond the last row there is none to carry the count, so the first row is asked for it.
  const first = rows[0] ?? (offset === 0 ? undefined : await counted.limit(1).executeTakeFirst())
  return { items: rows as Row[], total: first?.total ?? 0 }
}
