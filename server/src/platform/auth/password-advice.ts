import type { Locale } from '@almoner/contract'
import { Problem } from '../errors/problem.ts'
import { PasswordStrength } from './password-strength.ts'

/**
 * Strength for those who only ask. Judging takes up to a quarter of a second on one thread, so each caller has one
 * question at a time, and a thread apart from the one that registrations and resets wait for.
 */
export class PasswordAdvice {
  readonly #strength = new PasswordStrength()
  readonly #asking = new Set<string>()

  async check(caller: string, password: string, locale: Locale | undefined) {
    if (this.#asking.has(caller)) throw new Problem('StillChecking', { seconds: 1 })
    this.#asking.add(caller)
    try {
      return await this.#strength.check(password, [], locale)
    } finally {
      this.#asking.delete(caller)
    }
  }

  close(): Promise<void> {
    return this.#strength.close()
  }
}
