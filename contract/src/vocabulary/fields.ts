// A set of named values (attributes, body fields, query parameters), and the two TypeScript types it has:
// as the handler receives it (defaults filled in) and as the caller gives it (defaults may be left out).

import { type Static, type TOptional, type TSchema, Type } from 'typebox'

export type Fields = Record<string, TSchema>

type OptionalNames<F extends Fields> = {
  [N in keyof F]: F[N] extends TOptional<TSchema> ? N : never
}[keyof F]

type DefaultedNames<F extends Fields> = { [N in keyof F]: F[N] extends { default: unknown } ? N : never }[keyof F]

export type Received<F extends Fields> = Simplify<
  { [N in Exclude<keyof F, OptionalNames<F>>]: Static<F[N]> } & { [N in OptionalNames<F>]?: Static<F[N]> }
>

export type Given<F extends Fields> = Simplify<
  { [N in Exclude<keyof F, OptionalNames<F> | DefaultedNames<F>>]: Static<F[N]> } & {
    [N in OptionalNames<F> | DefaultedNames<F>]?: Static<F[N]>
  }
>

export type Simplify<T> = { [N in keyof T]: T[N] } & {}

export const isOptional = (schema: TSchema): boolean => Type.IsOptional(schema) || 'default' in schema

export const objectOf = <F extends Fields>(fields: F) => Type.Object(fields, { additionalProperties: false })
