// From a parsed filter to SQL: every group must hold (AND), and a group holds when one of its tests does (OR).

import type { Conditions } from '@almoner/contract'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

type Test = Conditions<unknown>[number][number]

const COMPARISONS = { is: sql`=`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const

/** For text columns: compared without regard to case. */
export const textHolds = (column: Expression<unknown>, conditions: Conditions<string>) =>
  combine(conditions, ({ operator, value }) =>
    operator === 'contains'
      ? sql`lower(${column}) like lower(${`%${escapeLike(String(value))}%`})`
      : sql`lower(${column}) ${COMPARISONS[operator]} lower(${value})`,
  )

/** For every other column: moments, numbers, uuids. A null in the filter asks for absent values. */
export const valueHolds = (column: Expression<unknown>, conditions: Conditions<unknown>) =>
  combine(conditions, ({ operator, value }) => {
    if (operator === 'contains') throw new Error('contains is for text columns')
    return value === null ? sql`${column} is null` : sql`${column} ${COMPARISONS[operator]} ${value}`
  })

function combine(conditions: Conditions<unknown>, test: (test: Test) => RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  const groups = conditions.map((group) => sql<SqlBool>`(${sql.join(group.map(test), sql` or `)})`)
  return groups.length > 0 ? sql<SqlBool>`(${sql.join(groups, sql` and `)})` : sql<SqlBool>`true`
}

export const escapeLike = (value: string): string => value.replace(/[\\%_]/g, (character) => `\\${character}`)
