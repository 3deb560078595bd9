// From a parsed filter to SQL: every group must hold (AND), and a group holds when one of its tests does (OR).

import type { Conditions, Operator } from '@almoner/contract'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

type Test = Conditions<unknown>[number][number]

const COMPARISONS = { is: sql`=`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const

/**
 * For text columns: compared without regard to case. The values of a group go as one list, so that the statement is
 * the same however many there are.
 */
export function textHolds(column: Expression<unknown>, conditions: Conditions<string>): RawBuilder<SqlBool> {
  const groups = conditions.map((group) => {
    const operators = [...new Set(group.map(({ operator }) => operator))]
    const tests = operators.map((operator) =>
      textTest(
        column,
        operator,
        group.filter((test) => test.operator === operator),
      ),
    )
    return sql<SqlBool>`(${sql.join(tests, sql` or `)})`
  })
  return joined(groups)
}

function textTest(column: Expression<unknown>, operator: Operator, tests: Test[]): RawBuilder<SqlBool> {
  const isPart = operator === 'contains'
  const values = tests.map(({ value }) => (isPart ? `%${escapeLike(String(value))}%` : value))
  const comparison = isPart ? sql`like` : COMPARISONS[operator]
  return sql`lower(${column}) ${comparison} any(array(select lower(value) from unnest(${values}::text[]) value))`
}

/** For every other column: moments, numbers, uuids. A null in the filter asks for absent values. */
export const valueHolds = (column: Expression<unknown>, conditions: Conditions<unknown>) =>
  combine(conditions, ({ operator, value }) => {
    if (operator === 'contains') throw new Error('contains is for text columns')
    return value === null ? sql`${column} is null` : sql`${column} ${COMPARISONS[operator]} ${value}`
  })

function combine(conditions: Conditions<unknown>, test: (test: Test) => RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  const groups = conditions.map((group) => sql<SqlBool>`(${sql.join(group.map(test), sql` or `)})`)
  return joined(groups)
}

const joined = (groups: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  groups.length > 0 ? sql<SqlBool>`(${sql.join(groups, sql` and `)})` : sql<SqlBool>`true`

/** A pattern for what holds this text somewhere, where the text is made in SQL and so is to be escaped there. */
export const partHolding = (text: RawBuilder<unknown>): RawBuilder<string> =>
  sql`'%' || regexp_replace(${text}, '([\\\\%_])', '\\\\\\1', 'g') || '%'`

export const escapeLike = (value: string): string => value.replace(/[\\%_]/g, (character) => `\\${character}`)
