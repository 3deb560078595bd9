// One page of the list of individuals, in any order, by any filter. The list is a copy that the database keeps; its
// indexes are named after the orders they serve.

import type { InputOf, Page } from '@almoner/contract'
import type { IndividualField, listIndividuals } from '@almoner/contract/people/individuals'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isReading, LISTED_FIELDS, type ListedField } from '../listed-fields.ts'
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

const fields = Object.entries(LISTED_FIELDS) as [IndividualField, ListedField | null][]
const columns = sql.raw(
  [
    'r.individual_id as id',
    'r.organization_id as "organizationId"',
    `(select jsonb_object_agg(k.type, jsonb_build_array(k.time, k.value, k.second, k.context,
        k.state, k.second_state)) from listed_readings k
      where k.organization_id = r.organization_id and k.account_type = r.account_type
      and k.individual_id = r.individual_id) as readings`,
    ...fields.flatMap(([field, at]) => {
      if (!at || isReading(at)) return []
      // Without fractions and zone: hundreds of moments need not become dates and text again.
      return [`${at.isMoment ? `left(r.${at.column}::text, 19)` : `r.${at.column}`} as "${field}"`]
    }),
  ].join(', '),
)
const readingFields = fields.flatMap(([field, at]) => (isReading(at) ? [[field, at] as const] : []))
const absent = Object.fromEntries(fields.flatMap(([field, at]) => (at && !isReading(at) ? [] : [[field, null]])))

interface Row extends ListedIndividual {
  /** For each type of metric that was ever measured: time, value, second, context and states. */
  readings: Record<string, [time: string, value: number, ...others: (string | number | null)[]]> | null
  /** Of the whole list; the same in every row. */
  total?: number
}
const PARTS = { time: 0, value: 1, second: 2, context: 3, state: 4, second_state: 5 } as const

/** From how JSON in the database writes a moment, in UTC, to how the interface does. */
const wireTime = (moment: string) => `${moment.slice(0, 10)} ${moment.slice(11, 19)}`

/** The columns are named as in code already: 100 rows of them need not be renamed one by one. */
async function individualsOf(db: Database, query: RawBuilder<Row>): Promise<Row[]> {
  const { rows } = await query.execute(db.withoutPlugins())
  return rows.map((row) => {
    const individual: Row = { ...absent, ...row }
    for (const [field, { metric, part, isText }] of row.readings ? readingFields : []) {
      const value = row.readings?.[metric]?.[PARTS[part]] ?? null
      if (value === null) continue
      individual[field] = part === 'time' ? wireTime(String(value)) : isText ? String(value) : value
    }
    return individual
  })
}

export async function individualsPage(
  db: Database,
  sight: Sight,
  self: string,
  request: ListRequest,
): Promise<Page<ListedIndividual>> {
  const { conditions, total } = await listConditions(db, sight, self, request)
  const keys = keysOf(request.sort)
  const { limit, offset } = request.page
  const totalOf = async (at: Database) => (await sql<{ total: number }>`select ${total} as total`.execute(at)).rows[0]
  if (keys[0]?.blank == null) {
    const items = await rowsOf(db, conditions, keys, { limit, offset, total })
    const first = items[0] ?? (offset > 0 ? await totalOf(db) : undefined)
    return { items, total: first?.total ?? 0 }
  }
  // Several statements see one moment, so that nobody is on a page twice or on none.
  const read = async (trx: Database) => ({
    items: await walk(trx, conditions, keys, request.page),
    total: (await totalOf(trx))?.total ?? 0,
  })
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}

/** A field that came already decides nothing any more. */
function keysOf(sort: SortKey[]): Key[] {
  const fields = new Set<string>()
  return sort.flatMap(({ field, descending }): Key[] => {
    const at = LISTED_FIELDS[field]
    if (!at || fields.has(field)) return []
    fields.add(field)
    if (isReading(at)) return [{ column: at.part, blank: 0, metric: at.metric, descending }]
    return [{ column: at.key ?? at.column, blank: at.blank ?? null, metric: null, descending }]
  })
}

interface Key {
  column: string
  /** The bit that says there is no value; null where everyone has one. */
  blank: number | null
  /** Where it is a part of a reading. */
  metric: string | null
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
  if (!first || first.blank === null) return rowsOf(db, conditions, keys, { limit, offset })
  const rows = await rowsOf(db, [...conditions, isThere(first)], keys, { limit, offset })
  if (rows.length === limit) return rows
  const isKnown = rows.length > 0 || offset === 0
  const passed = isKnown ? offset + rows.length : await countOf(db, first, conditions)
  const remaining = { limit: limit - rows.length, offset: Math.max(0, offset - passed) }
  return [...rows, ...(await walk(db, [...conditions, isBlank(first)], rest, remaining))]
}

const readingOf = ({ metric, column }: Key): Condition => sql`exists (select from listed_readings k
  where k.organization_id = l.organization_id and k.account_type = l.account_type
  and k.individual_id = l.individual_id and k.type = ${metric} and ${sql.ref(`k.${column}`)} is not null)`
/** Of the first key, whose reading is joined. */
const isThere = (key: Key): Condition => sql`${columnOf('l', key, 0)} is not null`
const isBlank = (key: Key): Condition =>
  key.metric ? sql`not ${readingOf(key)}` : sql`l.blanks & ${sql.lit(key.blank)} <> 0`

/** Up to here the rows before a page are read with it sooner than its own are looked up again. */
const NEAR = 200

/**
 * A page from the beginning is read as its index leads to it. For a page from further on the ids are found by the index
 * alone, and only its own rows are read. Limit and offset are part of the text, so that the plan is made for them.
 */
function rowsOf(
  db: Database,
  conditions: Condition[],
  keys: Key[],
  { limit, offset, total }: ListRequest['page'] & { total?: RawBuilder<number> },
): Promise<Row[]> {
  // The archived come first in the index of states, and are passed over soonest there.
  const isNear = offset <= NEAR && keys[0]?.column !== 'state'
  const found = isNear ? sql`l.*` : sql`l.organization_id, l.account_type, l.individual_id`
  const page = sql`(select ${found} from listed_individuals l ${readingsJoined('l', keys)}
    where ${sql.join(conditions, sql` and `)} order by ${orderOf('l', keys)}
    limit ${sql.lit(limit)} offset ${sql.lit(offset)})`
  const rows = isNear
    ? sql`${page} r`
    : sql`${page} page join listed_individuals r using (organization_id, account_type, individual_id)`
  return individualsOf(
    db,
    sql<Row>`select ${columns}${total ? sql`, ${total} as total` : sql``}
      from ${rows} ${readingsJoined('r', keys)} order by ${orderOf('r', keys)}`,
  )
}

const columnOf = (table: string, { column, metric }: Key, place: number) =>
  sql.ref(metric ? `${table}${place}.${column}` : `${table}.${column}`)

/** A key that is part of a reading stands in a table of its own beside the list. */
const readingsJoined = (table: string, keys: Key[]): RawBuilder<unknown> =>
  sql.join(
    keys.flatMap(({ metric }, place) => {
      if (!metric) return []
      const [own, list] = [sql.ref(`${table}${place}`), sql.ref(table)]
      return [
        sql`left join listed_readings ${own} on ${own}.organization_id = ${list}.organization_id
          and ${own}.account_type = ${list}.account_type and ${own}.individual_id = ${list}.individual_id
          and ${own}.type = ${metric}`,
      ]
    }),
    sql` `,
  )

function orderOf(table: string, keys: Key[]): RawBuilder<unknown> {
  const order = keys.map((key, place) => {
    // The first key is there in every row that is asked for, and saying more would keep its index from being used.
    const nulls = place === 0 || key.blank === null ? sql`` : sql` nulls last`
    return sql`${columnOf(table, key, place)}${key.descending ? sql` desc` : sql``}${nulls}`
  })
  return sql.join([...order, sql.ref(`${table}.individual_id`)])
}

/** How many have a value of the key. */
async function countOf(db: Database, key: Key, conditions: Condition[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from listed_individuals l ${readingsJoined('l', [key])}
    where ${sql.join([...conditions, isThere(key)], sql` and `)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Someone the caller sees; in the organization first joined, where there are several. */
export async function findIndividual(db: Database, sight: Sight, id: string): Promise<ListedIndividual | undefined> {
  const query = sql<Row>`
    select ${columns} from listed_individuals r
    where r.individual_id = ${id} and ${isSeen(sight, sql`r.organization_id`, sql`r.individual_id`)}
    order by r.account_type desc, r.organization_id limit 1`
  return (await individualsOf(db, query))[0]
}
