// Ten failed sign-ins within fifteen minutes close a username, and likewise an address, for the rest of that time.

import type { Redis } from 'ioredis'
import { Problem } from '../errors/problem.ts'
import { addressKey } from './address-key.ts'
import { Counter } from './quota.ts'

const MAXIMUM_FAILURES = 10
const WINDOW_SECONDS = 15 * 60

export class SignInAttempts {
  readonly #failures: Counter

  constructor(redis: Redis | undefined) {
    this.#failures = new Counter('sign-in-failures', WINDOW_SECONDS, redis)
  }

  /**
   * Counts an attempt as failed before it is made, so that many at the same moment count too; refuses when either is
   * closed, whether or not the user exists. `who` is the user's id, or the username where there is no such user.
   */
  async begin(who: string, ip: string): Promise<void> {
    for (const key of keysOf(who, ip)) {
      const { exceeded, secondsLeft } = await this.#failures.consume(key, 1, MAXIMUM_FAILURES)
      if (exceeded) throw new Problem('TooManySignInAttempts', { seconds: secondsLeft })
    }
  }

  /** It was no failure, though nobody is signed in yet: both have their attempt back. */
  async wasNoFailure(who: string, ip: string): Promise<void> {
    for (const key of keysOf(who, ip)) await this.#failures.giveBack(key, 1)
  }

  /** Someone is signed in: the username is open again, and the address has its attempt back. */
  async succeeded(who: string, ip: string): Promise<void> {
    const [address, user] = keysOf(who, ip)
    await this.#failures.forget(user)
    await this.#failures.giveBack(address, 1)
  }
}

// The address first: one that is closed already must not close usernames besides.
const keysOf = (who: string, ip: string) => [`ip:${addressKey(ip)}`, `user:${who.toLowerCase()}`] as const
