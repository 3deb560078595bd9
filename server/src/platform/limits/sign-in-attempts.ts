// Ten failed sign-ins within fifteen minutes close a username, and likewise an address, for the rest of that time.

import type { Redis } from 'ioredis'
import { Problem } from '../errors/problem.ts'
import { Counter } from './quota.ts'

const MAXIMUM_FAILURES = 10
const WINDOW_SECONDS = 15 * 60

export class SignInAttempts {
  readonly #failures: Counter

  constructor(redis: Redis | undefined) {
    this.#failures = new Counter('sign-in-failures', WINDOW_SECONDS, redis)
  }

  /** Refuses when either is closed, whether or not the user exists. */
  async check(username: string, ip: string): Promise<void> {
    for (const key of keysOf(username, ip)) {
      const { remaining, secondsLeft } = await this.#failures.look(key, MAXIMUM_FAILURES)
      if (remaining === 0) throw new Problem('TooManySignInAttempts', { seconds: secondsLeft })
    }
  }

  async failed(username: string, ip: string): Promise<void> {
    for (const key of keysOf(username, ip)) await this.#failures.consume(key, 1, MAXIMUM_FAILURES)
  }

  async succeeded(username: string): Promise<void> {
    await this.#failures.forget(usernameKey(username))
  }
}

const usernameKey = (username: string) => `user:${username.toLowerCase()}`
const keysOf = (username: string, ip: string) => [usernameKey(username), `ip:${ip}`]
