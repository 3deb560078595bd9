// Filters of a list: `filter[<field>]=<value>`. A comma is OR, a repeated parameter is AND.

import { type Static, type TSchema, Type } from 'typebox'
import { datetime } from './formats.ts'

export const OPERATORS = ['gt', 'gte', 'lt', 'lte', 'contains'] as const
type Suffix = (typeof OPERATORS)[number]
export type Operator = 'is' | Suffix

/** A parsed filter: every group must hold (AND), and a group holds when one of its tests does (OR). */
export type Conditions<T> = { operator: Operator; value: T | null }[][]

/** `filter[<field>]`, exact and case-insensitive, with the operators as suffixes. */
export interface Match<T extends TSchema = TSchema, O extends Suffix = Suffix> {
  kind: 'match'
  schema: T
  operators: readonly O[]
}
/** `filter[cmp-<field>]`: a comparator and a moment, at most two of them, `null` for absent ones. */
export interface Comparison {
  kind: 'comparison'
  schema: ReturnType<typeof datetime>
}
/** A filter that is one typed value (or a set of them), not a comparison. */
export interface Plain<T extends TSchema = TSchema> {
  kind: 'plain'
  schema: T
}
export type Filter = Match | Comparison | Plain
export type Filters = Record<string, Filter>

export const matches = <T extends TSchema, const O extends Suffix = never>(
  schema: T,
  operators: readonly O[] = [],
): Match<T, O> => ({ kind: 'match', schema, operators })
export const comparison = (): Comparison => ({ kind: 'comparison', schema: datetime() })
export const exactly = <T extends TSchema>(schema: T): Plain<T> => ({ kind: 'plain', schema })
export const flag = () =>
  exactly({ ...Type.Boolean(), default: false } as ReturnType<typeof Type.Boolean> & { default: boolean })

export const COMPARATORS = { '>=': 'gte', '<=': 'lte', '>': 'gt', '<': 'lt' } as const
export const COMPARISON_LIMITS = { items: 2, length: 40 }

export type ReceivedFilters<F extends Filters> = {
  [N in keyof F]?: F[N] extends Plain<infer S>
    ? Static<S>
    : F[N] extends Filter
      ? Conditions<Static<F[N]['schema']>>
      : never
}

type Bounds<T> = { gt?: T; gte?: T; lt?: T; lte?: T }
type Suffixed<O extends Suffix, T> = [O] extends [never]
  ? never
  : { [Name in O]?: Name extends 'contains' ? string : T }

export type GivenFilters<F extends Filters> = {
  [N in keyof F]?: F[N] extends Plain<infer S>
    ? Static<S>
    : F[N] extends Comparison
      ? Bounds<Date> & { orAbsent?: boolean }
      : F[N] extends Match<infer S, infer O>
        ? Static<S> | readonly Static<S>[] | Suffixed<O, Static<S>>
        : never
}
