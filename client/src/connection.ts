// One service and one sign-in: sends calls, keeps the tokens fresh, waits when the quota is used up.

import {
  answerSchema,
  bodySchema,
  camel,
  decoder,
  encoder,
  type FileContent,
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
import { pause } from './pause.ts'

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
  /** Counts sign-ins and sign-outs, to tell an answer of an earlier one. */
  #signIn = 0

  constructor(options: ConnectOptions) {
    this.#options = options
    const { token } = options
    this.#tokens = typeof token === 'string' ? { accessToken: token } : (token ?? null)
  }

  /** Another number for each sign-in and sign-out. */
  get signIn(): number {
    return this.#signIn
  }

  async call(operation: Operation, input: Input, options: CallOptions): Promise<unknown> {
    const { accessToken } = this.#tokens ?? {}
    const signIn = this.#signIn
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
      // Or someone else has signed in: what one person asked for is never done as another.
      if (this.#signIn !== signIn) throw error
      return this.#adopt(operation, await this.#send(operation, input, options))
    }
  }

  /** Signing in through the client signs the client in; signing out forgets the tokens. */
  #adopt(operation: Operation, answer: unknown): unknown {
    if (operation === login) {
      this.#signIn++
      this.#keepAnswer(answer)
    } else if (operation === logout) {
      this.#signIn++
      this.#keep(null)
    }
    return answer
  }

  #keepAnswer(answer: unknown): void {
    const { accessToken, refreshToken } = answer as Required<Tokens>
    this.#keep({ accessToken, refreshToken })
  }

  #keep(tokens: Tokens | null): void {
    this.#tokens = tokens
    this.#options.onTokens?.(tokens)
  }

  /** Calls that find the token expired at the same time share one refresh: a refresh token works once. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshOnce().finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  async #refreshOnce(): Promise<void> {
    const signIn = this.#signIn
    const body = { refreshToken: this.#tokens?.refreshToken }
    try {
      // The key lets the service answer the same again, should an answer be lost on the way.
      const answer = await this.#send(refresh, { body }, { idempotencyKey: crypto.randomUUID() })
      if (this.#signIn === signIn) this.#keepAnswer(answer)
    } catch (error) {
      const hasEnded = error instanceof AlmonerError && error.status === 403
      if (hasEnded && this.#signIn === signIn) this.#keep(null)
      throw error
    }
  }

  async #send(operation: Operation, input: Input, options: CallOptions): Promise<unknown> {
    const { parameters, encodeBody, decodeAnswer } = this.#prepare(operation)
    const path = fillPath(operation.path, pathValues(operation, input))
    const query = printQuery(parameters, input).toString()
    const url = new URL(query ? `${path}?${query}` : path, this.#options.baseUrl)
    const headers = new Headers({ accept: operation.answer.kind === 'stream' ? 'text/event-stream' : MEDIA_TYPE })
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
    if (operation.answer.kind === 'nothing') return undefined
    if (operation.answer.kind === 'file') return fileOf(response)
    if (operation.answer.kind === 'stream') return response.body
    return unwrap(operation.answer, decodeAnswer(await response.json()))
  }

  async #fetchPatiently(url: URL, request: RequestInit): Promise<Response> {
    const { fetch: send = fetch, retries = 3 } = this.#options
    for (let attempt = 0; ; attempt++) {
      const response = await send(url, request)
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
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
  if (body?.shape === 'resources')
    return { data: (input.body as unknown[]).map((attributes) => ({ type: body.type, attributes })) }
  if (body?.shape !== 'resource') return input.body ?? {}
  const data = { type: body.type, ...(body.modifies ? { id: input.id } : {}), attributes: input.body }
  return { data }
}

function fileOf(response: Response): FileContent {
  const [, name = 'file'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { name, content: response.body as unknown as FileContent['content'] }
}
