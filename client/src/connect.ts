// The typed client. Every operation of the contract is a function here; nothing is generated.

import { type AnswerOf, type CallOf, type Catalogue, catalogue, type Operation, type Page } from '@almoner/contract'
import { Connection } from './connection.ts'
import { follow, type StreamOperation } from './follow.ts'
import type { CallOptions, ConnectOptions } from './options.ts'

/** An operation without anything that must be given can be called without arguments. */
type Arguments<Call> =
  Record<never, never> extends Call ? [input?: Call, options?: CallOptions] : [input: Call, options?: CallOptions]

/** A stream is followed with `for await`, everything else is awaited. */
type Call<O extends Operation> = (
  ...args: Arguments<CallOf<O>>
) => AnswerOf<O> extends AsyncIterable<infer T> ? AsyncGenerator<T, never, undefined> : Promise<AnswerOf<O>>

/** A list can also be walked item by item, over all its pages. */
type Each<O extends Operation> =
  AnswerOf<O> extends Page<infer T>
    ? { each(...args: Arguments<CallOf<O>>): AsyncGenerator<T, void, undefined> }
    : unknown

export type Almoner = { readonly [Name in keyof Catalogue]: Call<Catalogue[Name]> & Each<Catalogue[Name]> }

/** What a call resolves to. */
export type AnswerTo<Name extends keyof Catalogue> = AnswerOf<Catalogue[Name]>

export function connect(options: ConnectOptions): Almoner {
  const connection = new Connection(options)
  const functions = Object.entries(catalogue).map(([name, operation]) => [name, callOf(connection, operation)])
  return Object.freeze(Object.fromEntries(functions)) as Almoner
}

const isStream = (operation: Operation): operation is StreamOperation => operation.answer.kind === 'stream'

type Input = Record<string, unknown> & { page?: { limit?: number; offset?: number } }

function callOf(connection: Connection, operation: Operation) {
  if (isStream(operation))
    return (input: Input = {}, options: CallOptions = {}) => follow(connection, operation, input, options)
  const call = (input: Input = {}, options: CallOptions = {}) => connection.call(operation, input, options)
  if (operation.answer.kind !== 'many' && operation.answer.kind !== 'rows') return call
  return Object.assign(call, {
    async *each(input: Input = {}, options: CallOptions = {}) {
      let offset = input.page?.offset ?? 0
      for (;;) {
        const { items, total } = (await call({ ...input, page: { ...input.page, offset } }, options)) as Page<unknown>
        yield* items
        offset += items.length
        if (items.length === 0 || offset >= total) return
      }
    },
  })
}
