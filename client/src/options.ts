export interface Tokens {
  accessToken: string
  refreshToken?: string
  /** Goes with the refresh token: repeated with the same key, a refresh whose answer was lost is answered again. */
  refreshKey?: string
}

/** Where the tokens of a sign-in are kept when several share it, such as the tabs of a browser. */
export interface TokenStore {
  get(): Tokens | null
  /** Null when the sign-in has ended. */
  set(tokens: Tokens | null): void
  /** Lets nobody else who shares the tokens do the same meanwhile: a refresh token works once. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

export interface ConnectOptions {
  /** Where the service is, such as `https://care.example.org`. */
  baseUrl: string
  /** An access token, or both tokens of a sign-in: with both, an expired access token is refreshed by itself. */
  token?: string | Tokens
  /** Told of every new pair of tokens, to keep them. Null when the sign-in has ended. */
  onTokens?: (tokens: Tokens | null) => void
  /** Keeps the tokens, in place of `token` and `onTokens`. */
  store?: TokenStore
  /** How often a call that meets its quota waits for the time the service names and tries again. 3 when not given. */
  retries?: number
  /** Another `fetch` than the platform's own. */
  fetch?: typeof fetch
}

export interface CallOptions {
  signal?: AbortSignal
  /** For a POST: the same key within 24 hours carries the call out only once. */
  idempotencyKey?: string
  /** For a stream: told when its connection stands, and when it is lost, with the position to go on after. */
  onConnection?: (stands: boolean, lastEventId: number | undefined) => void
}
