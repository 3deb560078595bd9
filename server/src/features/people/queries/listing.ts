// One page of the list of individuals, in any order, by any filter. The list is a copy that the database keeps; its
// indexes are named after the orders they serve.

import type { InputOf, Page } from '@almoner/contract'
import type { IndividualField, listIndividuals } from '@almoner/contract/people/individuals'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import type { Database } from '../../../platform/db/database.ts'
import { LISTED_FIELDS } from '../listed-fields.ts'
import { type ListFilters, listConditions } from './listing-conditions.ts'

type Condition = RawBuilder<SqlBool>
type SortKey = InputOf<typeof listIndividuals>['sort'][number]
export type ListedIndividual = { id: string; organizationId: string } & Partial<Record<IndividualField, unknown>>

export interface ListRequest {
  organizationId: string
  filter: ListFilters
  sort: SortKey[]
  page: { limit: number; offset: number }
}

const fields = Object.entries(LISTED_FIELDS)
const columns = sql.raw(
  [
    'r.individual_id as id',
    'r.organization_id as "organizationId"',
    ...fields.flatMap(([field, at]) => (at ? [`r.${at.column} as "${field}"`] : [])),
  ].join(', '),
)
const absent = Object.fromEntries(fields.flatMap(([field, at]) => (at ? [] : [[field, null]])))

/** The columns are named as in code already: 100 rows of them need not be renamed one by one. */
async function individualsOf(db: Database, query: RawBuilder<ListedIndividual>): Promise<ListedIndividual[]> {
  const { rows } = await query.execute(db.withoutPlugins())
  return rows.map((row) => ({ ...absent, ...row }))
}

export async function individualsPage(
  db: Database,
  sight: Sight,
  self: string,
  request: ListRequest,
): Promise<Page<ListedIndividual>> {
  const { conditions, counted } = await listConditions(db, sight, self, request)
  const keys = request.sort.flatMap(({ field, descending }) => {
    const at = LISTED_FIELDS[field]
    return at ? [{ column: at.key ?? at.column, blank: at.blank, descending }] : []
  })
  const [items, total] = await Promise.all([
    walk(db, conditions, keys, request.page),
    counted ? sumOf(db, counted) : countOf(db, conditions),
  ])
  const isSelfCounted = counted && request.filter.excludeSelf && (await countOf(db, [...counted, isOneself(self)])) > 0
  return { items, total: isSelfCounted ? total - 1 : total }
}

const isOneself = (self: string): Condition => sql`l.individual_id = ${self}`

interface Key {
  column: string
  blank: number | undefined
  descending: boolean
}

/**
 * Those with a value of the first key come first, by the index of that key; those without follow, in the order of the
 * keys that remain. Each part is a walk along one index that stops when the page is full.
 */
async function walk(
  db: Database,
  conditions: Condition[],
  keys: Key[],
  { limit, offset }: ListRequest['page'],
): Promise<ListedIndividual[]> {
  const [first, ...rest] = keys
  if (!first?.blank) return rowsOf(db, conditions, keys, limit, offset)
  const column = sql.ref(`l.${first.column}`)
  const there: Condition[] = [...conditions, sql`${column} is not null`]
  const rows = await rowsOf(db, there, keys, limit, offset)
  if (rows.length === limit) return rows
  const passed = rows.length > 0 || offset === 0 ? offset + rows.length : await countOf(db, there)
  const remaining = { limit: limit - rows.length, offset: Math.max(0, offset - passed) }
  return [...rows, ...(await walk(db, [...conditions, sql`l.blanks & ${sql.lit(first.blank)} <> 0`], rest, remaining))]
}

/**
 * The ids are found by the index alone, and only the page's rows are read. Limit and offset are part of the text, so
 * that the plan is made for them.
 */
async function rowsOf(
  db: Database,
  conditions: Condition[],
  keys: Key[],
  limit: number,
  offset: number,
): Promise<ListedIndividual[]> {
  const query = sql<ListedIndividual>`
    select ${columns} from (
      select l.organization_id, l.account_type, l.individual_id from listed_individuals l
      where ${sql.join(conditions, sql` and `)} order by ${orderOf('l', keys)}
      limit ${sql.lit(limit)} offset ${sql.lit(offset)}) page
    join listed_individuals r using (organization_id, account_type, individual_id)
    order by ${orderOf('r', keys)}`
  return individualsOf(db, query)
}

function orderOf(table: string, keys: Key[]): RawBuilder<unknown> {
  const order = keys.map(({ column, blank, descending }, index) => {
    // The first key is there in every row that is asked for, and saying more would keep its index from being used.
    const nulls = index === 0 || !blank ? sql`` : sql` nulls last`
    return sql`${sql.ref(`${table}.${column}`)}${descending ? sql` desc` : sql``}${nulls}`
  })
  return sql.join([...order, sql.ref(`${table}.individual_id`)])
}

async function countOf(db: Database, conditions: Condition[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from listed_individuals l where ${sql.join(conditions, sql` and `)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** By what the database keeps counted. */
async function sumOf(db: Database, conditions: Condition[]): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(change), 0)::int as sum from listed_counts l where ${sql.join(conditions, sql` and `)}`.execute(
    db,
  )
  return rows[0]?.sum ?? 0
}

/** Someone the caller sees; in the organization first joined, where there are several. */
export async function findIndividual(db: Database, sight: Sight, id: string): Promise<ListedIndividual | undefined> {
  const query = sql<ListedIndividual>`
    select ${columns} from listed_individuals r
    where r.individual_id = ${id} and ${isSeen(sight, sql`r.organization_id`, sql`r.individual_id`)}
    order by r.account_type desc, r.organization_id limit 1`
  return (await individualsOf(db, query))[0]
}
