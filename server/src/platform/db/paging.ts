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
  const rows = await query
    .select(sql<number>`(count(*) over ())::int`.as('total'))
    .limit(limit)
    .offset(offset)
    .execute()
  const [first] = rows
  if (first) return { items: rows as Row[], total: first.total }
  // Beyond the last row there is none to carry the count.
  return { items: [], total: offset === 0 ? 0 : await countOf(query) }
}

async function countOf(query: AnyQuery<unknown>): Promise<number> {
  const { count } = await query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}
