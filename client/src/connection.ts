// One service and one sign-in: sends calls, keeps the tokens fresh, waits when the quota is used up.

import {
  answerSchema,
  bodySchema,
  camel,
  decoder,
  encoder,
  fillPath,
  MEDIA_TYPE,
  type Operation,
  type Parameter,
  pathNames,
  printQuery,
  queryParameters,
  unwrap,
} from '@almoner/contract'
import { login, logout, refresh } from '@almoner/contract/identity/sessions'
import { AlmonerError } from './error.ts'
import type { CallOptions, ConnectOptions, Tokens } from './options.ts'

type Input = Record<string, unknown>

interface Prepared {
  parameters: Parameter[]
  encodeBody: ((value: unknown) => unknown) | null
  decodeAnswer: (value: unknown) => unknown
}

const LONGEST_WAIT_SECONDS = 120

export class Connection {
  readonly #options: ConnectOptions
  readonly #prepared = new Map<Operation, Prepared>()
  #tokens: Tokens | null
  #refreshing: Promise<void> | null = null

  constructor(options: ConnectOptions) {
    this.#options = options
    const { token } = options
    this.#tokens = typeof token === 'string' ? { accessToken: token } : (token ?? null)
  }

  async call(operation: Operation, input: Input, options: CallOptions): Promise<unknown> {
    const { accessToken } = this.#tokens ?? {}
    const isRefreshable = operation.access.kind !== 'anyone' && this.#tokens?.refreshToken !== undefined
    try {
      return this.#adopt(operation, await this.#send(operation, input, options))
    } catch (error) {
      // A token that expired long ago may be forgotten altogether.
      const isExpired =
        error instanceof AlmonerError && (error.code === 'TokenExpired' || error.code === 'TokenInvalid')
      if (!isExpired || !isRefreshable) throw error
      // Another call may have refreshed in the meantime.
      if (this.#tokens?.accessToken === accessToken) await this.#refresh()
      return this.#adopt(operation, await this.#send(operation, input, options))
    }
  }

  /** Signing in through the client signs the client in; signing out forgets the tokens. */
  #adopt(operation: Operation, answer: unknown): unknown {
    if (operation === login || operation === refresh) {
      const { accessToken, refreshToken } = answer as Required<Tokens>
      this.#keep({ accessToken, refreshToken })
    } else if (operation === logout) this.#keep(null)
    return answer
  }

  #keep(tokens: Tokens | null): void {
    this.#tokens = tokens
    this.#options.onTokens?.(tokens)
  }

  /** Calls that find the token expired at the same time share one refresh: a refresh token works once. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.call(refresh, { body: { refreshToken: this.#tokens?.refreshToken } }, {})
      .then(() => {})
      .catch((error: unknown) => {
        if (error instanceof AlmonerError && error.status === 403) this.#keep(null)
        throw error
      })
      .finally(() => {
        this.#refreshing = null
      })
    return this.#refreshing
  }

  async #send(operation: Operation, input: Input, options: CallOptions): Promise<unknown> {
    const { parameters, encodeBody, decodeAnswer } = this.#prepare(operation)
    const path = fillPath(operation.path, pathValues(operation, input))
    const query = printQuery(parameters, input).toString()
    const url = new URL(query ? `${path}?${query}` : path, this.#options.baseUrl)
    const headers = new Headers({ accept: MEDIA_TYPE })
    if (operation.access.kind !== 'anyone' && this.#tokens)
      headers.set('authorization', `Bearer ${this.#tokens.accessToken}`)
    if (options.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey)
    const request: RequestInit = { method: operation.method, headers, signal: options.signal ?? null }
    if (encodeBody) {
      headers.set('content-type', 'application/json')
      request.body = JSON.stringify(encodeBody(wrapBody(operation, input)))
    }
    const response = await this.#fetchPatiently(url, request)
    if (!response.ok) throw await AlmonerError.from(response)
    return response.status === 204 ? undefined : unwrap(operation.answer, decodeAnswer(await response.json()))
  }

  async #fetchPatiently(url: URL, request: RequestInit): Promise<Response> {
    const { fetch: send = fetch, retries = 3 } = this.#options
    for (let attempt = 0; ; attempt++) {
      const response = await send(url, request)
      const seconds = Number(response.headers.get('retry-after'))
      if (response.status !== 429 || attempt >= retries || !(seconds >= 0 && seconds <= LONGEST_WAIT_SECONDS))
        return response
      await response.body?.cancel()
      await pause(seconds * 1000, request.signal ?? null)
    }
  }

  #prepare(operation: Operation): Prepared {
    const known = this.#prepared.get(operation)
    if (known) return known
    const schema = answerSchema(operation.answer)
    const prepared = {
      parameters: queryParameters(operation),
      encodeBody: operation.body ? encoder(bodySchema(operation.body)) : null,
      decodeAnswer: schema ? decoder(schema) : (value: unknown) => value,
    }
    this.#prepared.set(operation, prepared)
    return prepared
  }
}

const pathValues = (operation: Operation, input: Input) =>
  Object.fromEntries(pathNames(operation.path).map((name) => [name, input[camel(name)] as string]))

function wrapBody({ body }: Operation, input: Input): unknown {
  if (body?.shape === 'attributes') return { data: { attributes: input.body } }
  if (body?.shape !== 'resource') return input.body ?? {}
  const data = { type: body.type, ...(body.modifies ? { id: input.id } : {}), attributes: input.body }
  return { data }
}

function pause(milliseconds: number, signal: AbortSignal | null): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  signal?.addEventListener('abort', () => {
    clearTimeout(timer)
    reject(signal.reason)
  })
  return promise
}
