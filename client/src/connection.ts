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
import type { CallOptions, ConnectOptions, TokenStore, Tokens } from './options.ts'
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
  readonly #store: TokenStore
  #refreshing: Promise<void> | null = null
  /** Counts sign-ins and sign-outs, to tell an answer of an earlier one. */
  #signIn = 0

  constructor(options: ConnectOptions) {
    this.#options = options
    this.#store = options.store ?? storeInMemory(options)
  }

  /** Another number for each sign-in and sign-out. */
  get signIn(): number {
    return this.#signIn
  }

  async call(operation: Operation, input: Input, options: CallOptions): Promise<unknown> {
    const { accessToken, refreshToken } = this.#store.get() ?? {}
    const signIn = this.#signIn
    const isRefreshable = operation.access.kind !== 'anyone' && refreshToken !== undefined
    try {
      return this.#adopt(operation, await this.#send(operation, input, options))
    } catch (error) {
      // A token that expired long ago may be forgotten altogether.
      const isExpired =
        error instanceof AlmonerError && (error.code === 'TokenExpired' || error.code === 'TokenInvalid')
      if (!isExpired || !isRefreshable) throw error
      await this.#refresh(accessToken)
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
    } else if (operation === refresh) {
      this.#keepAnswer(answer)
    } else if (operation === logout) {
      this.#signIn++
      this.#store.set(null)
    }
    return answer
  }

  #keepAnswer(answer: unknown): void {
    const { accessToken, refreshToken } = answer as Required<Tokens>
    this.#store.set({ accessToken, refreshToken, refreshKey: randomKey() })
  }

  /** Calls that find the token expired at the same time share one refresh: a refresh token works once. */
  async #refresh(expired: string | undefined): Promise<void> {
    if (!this.#isStill(expired)) return
    this.#refreshing ??= this.#store
      .exclusively(() => this.#refreshOnce(expired))
      .finally(() => {
        this.#refreshing = null
      })
    await this.#refreshing
  }

  /** Another call, or another who shares the sign-in, may have refreshed in the meantime. */
  #isStill(accessToken: string | undefined): boolean {
    return this.#store.get()?.accessToken === accessToken
  }

  async #refreshOnce(expired: string | undefined): Promise<void> {
    if (!this.#isStill(expired)) return
    const signIn = this.#signIn
    const { refreshToken, refreshKey = randomKey() } = this.#store.get() ?? {}
    try {
      // The key lets the service answer the same again, should an answer be lost on the way.
      const answer = await this.#send(refresh, { body: { refreshToken } }, { idempotencyKey: refreshKey })
      if (this.#signIn === signIn) this.#keepAnswer(answer)
    } catch (error) {
      const hasEnded = error instanceof AlmonerError && error.status === 403
      if (hasEnded && this.#signIn === signIn) this.#store.set(null)
      throw error
    }
  }

  async #send(operation: Operation, input: Input, options: CallOptions): Promise<unknown> {
    const { parameters, encodeBody, decodeAnswer } = this.#prepare(operation)
    const path = fillPath(operation.path, pathValues(operation, input))
    const query = printQuery(parameters, input).toString()
    const url = new URL(query ? `${path}?${query}` : path, this.#options.baseUrl)
    const headers = new Headers({ accept: operation.answer.kind === 'stream' ? 'text/event-stream' : MEDIA_TYPE })
    const tokens = operation.access.kind === 'anyone' ? null : this.#store.get()
    if (tokens) headers.set('authorization', `Bearer ${tokens.accessToken}`)
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

/** Not `randomUUID`, which browsers have on pages of secure origins only. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

function storeInMemory({ token, onTokens }: ConnectOptions): TokenStore {
  let tokens: Tokens | null = typeof token === 'string' ? { accessToken: token } : (token ?? null)
  return {
    get: () => tokens,
    set: (given) => {
      tokens = given
      onTokens?.(given)
    },
    exclusively: (work) => work(),
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
