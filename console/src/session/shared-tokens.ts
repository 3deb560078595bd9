// The tokens of the sign-in, shared by the tabs of one browser and gone with the last of them.
//
// The access token is in memory alone. The refresh token is besides in the tab's sessionStorage, so that a reload does
// not sign out. It is not in localStorage, where it would outlive the browser on a workstation that others use next. A
// new tab asks the open ones for both. A refresh token works once, so tabs refresh one at a time and tell each other.

import type { TokenStore, Tokens } from '@almoner/client'

const NAME = 'almoner-sign-in'
const ANSWER_WITHIN_MS = 150

export interface SignIn {
  tokens: Tokens
  userId: string
}

/** How a sign-in ends: by the person's wish, or by itself. */
export type Ending = 'signed-out' | 'expired'
type Message = { kind: 'signed-in'; signIn: SignIn } | { kind: Ending } | { kind: 'asking' }

export class SharedTokens implements TokenStore {
  readonly #channel = new BroadcastChannel(NAME)
  readonly #onChange: (change: SignIn | Ending) => void
  #signIn: SignIn | null = null
  #userId: string | null = null

  constructor(onChange: (change: SignIn | Ending) => void) {
    this.#onChange = onChange
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#hear(data))
  }

  get(): Tokens | null {
    return this.#signIn?.tokens ?? null
  }

  set(tokens: Tokens | null): void {
    if (tokens) {
      this.#keep({ tokens, userId: this.#userId ?? '' })
      if (this.#userId !== null) this.#share()
    } else this.end('expired')
  }

  /** Nobody knows whose the next tokens are, until their answer has said so. */
  async adopt<T extends { userId: string }>(signingIn: () => Promise<T>): Promise<T> {
    this.#userId = null
    const answer = await signingIn()
    this.#userId = answer.userId
    if (this.#signIn) this.#keep({ ...this.#signIn, userId: answer.userId })
    this.#share()
    return answer
  }

  end(ending: Ending): void {
    this.#keep(null)
    this.#tell({ kind: ending })
    this.#onChange(ending)
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    // Browsers have locks on pages of secure origins only; elsewhere two tabs seldom refresh at the same moment.
    return navigator.locks ? navigator.locks.request(NAME, work) : work()
  }

  /** What another tab has, or else what this one had before it was reloaded: then without an access token. */
  async find(): Promise<SignIn | null> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const listener = ({ data }: MessageEvent<Message>) => data.kind === 'signed-in' && resolve()
    this.#channel.addEventListener('message', listener)
    this.#tell({ kind: 'asking' })
    const stored = sessionStorage.getItem(NAME)
    setTimeout(resolve, ANSWER_WITHIN_MS)
    await promise
    this.#channel.removeEventListener('message', listener)
    if (!this.#signIn && stored) {
      this.#signIn = JSON.parse(stored) as SignIn
      this.#userId = this.#signIn.userId
    }
    return this.#signIn
  }

  #keep(signIn: SignIn | null): void {
    this.#signIn = signIn
    if (!signIn) sessionStorage.removeItem(NAME)
    else sessionStorage.setItem(NAME, JSON.stringify({ ...signIn, tokens: { ...signIn.tokens, accessToken: '' } }))
  }

  #share(): void {
    if (this.#signIn) this.#tell({ kind: 'signed-in', signIn: this.#signIn })
  }

  #tell(message: Message): void {
    this.#channel.postMessage(message)
  }

  #hear(message: Message): void {
    if (message.kind === 'asking') {
      if (this.#signIn?.tokens.accessToken && this.#userId !== null) this.#share()
      return
    }
    const change = message.kind === 'signed-in' ? message.signIn : message.kind
    this.#keep(typeof change === 'string' ? null : change)
    this.#userId = typeof change === 'string' ? null : change.userId
    this.#onChange(change)
  }
}
