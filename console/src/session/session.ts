// Who is signed in, and the calls that are made as that person.

import { type Almoner, AlmonerError, type AnswerTo, connect } from '@almoner/client'
import { useSyncExternalStore } from 'react'
import { type Ending, SharedTokens, type SignIn } from './shared-tokens.ts'

export type SessionState = 'signed-out' | 'signed-in' | 'expired'
export type SignInRequest = Parameters<Almoner['login']>[0]['body']

/** A working day: refreshed while someone works, and gone the next morning. */
const REFRESH_SECONDS = 12 * 3600
const ENDED = ['TokenExpired', 'TokenInvalid', 'NotAuthenticated']

let state: SessionState = 'signed-out'
let userId: string | null = null
const listeners = new Set<() => void>()
/** Calls that wait for the person to sign in again. */
let waiting: { resolve: () => void; reject: (reason: Error) => void }[] = []

const tokens = new SharedTokens(react)
const direct = connect({ baseUrl: location.origin, store: tokens })

/**
 * Every operation of the service. A call that finds the sign-in expired waits until the person has signed in again. A
 * stream is followed and not awaited: it looks after itself.
 */
export const almoner = {
  ...Object.fromEntries(
    Object.entries(direct).map(([name, call]) => [name, Object.assign(patiently(call as Call), call)]),
  ),
  streamEvents: direct.streamEvents,
} as unknown as Almoner

export const useSessionState = (): SessionState => useSyncExternalStore(subscribe, () => state)
export const sessionState = (): SessionState => state

/** Goes on with the sign-in of another tab, or with the one this tab had before it was reloaded. */
export async function resumeSession(): Promise<void> {
  const found = await tokens.find()
  if (!found) return
  const { refreshToken, refreshKey, accessToken } = found.tokens
  if (accessToken) return become('signed-in', found.userId)
  if (!refreshToken) return
  const idempotencyKey = refreshKey ? { idempotencyKey: refreshKey } : {}
  await tokens
    .exclusively(() => direct.refresh({ body: { refreshToken } }, idempotencyKey))
    .then(() => become('signed-in', found.userId))
    .catch((error: unknown) => {
      if (!(error instanceof AlmonerError)) throw error
      tokens.end('signed-out')
    })
}

export async function signIn(body: SignInRequest): Promise<AnswerTo<'login'>> {
  const answer = await tokens.adopt(() =>
    direct.login({ body: { ...body, refreshTokenExpirationSeconds: REFRESH_SECONDS } }),
  )
  belongsTo(answer.userId)
  return answer
}

/** What someone else left open is not for the next person. */
function belongsTo(who: string): void {
  if (userId !== null && userId !== who) location.assign('/')
  else become('signed-in', who)
}

export async function signOut(): Promise<void> {
  // Also when the service cannot be reached, nobody stays signed in here.
  if (tokens.get()) await direct.logout().catch(() => {})
  tokens.end('signed-out')
}

function react(change: SignIn | Ending): void {
  if (change === 'signed-out') become('signed-out', null)
  else if (change !== 'expired') belongsTo(change.userId)
  else if (state === 'signed-in') become('expired', userId)
}

function become(next: SessionState, who: string | null): void {
  state = next
  userId = who
  const calls = waiting
  if (next !== 'expired') waiting = []
  if (next === 'signed-in') for (const { resolve } of calls) resolve()
  if (next === 'signed-out') for (const { reject } of calls) reject(new Error('Signed out.'))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

type Call = (...args: unknown[]) => Promise<unknown>

function patiently(call: Call): Call {
  return async (...args) => {
    for (;;) {
      try {
        return await call(...args)
      } catch (error) {
        const hasEnded = error instanceof AlmonerError && ENDED.includes(error.code ?? '')
        if (!hasEnded || state !== 'expired') throw error
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        waiting.push({ resolve, reject })
        await promise
      }
    }
  }
}
