// How hard a password is to guess. Judging one takes long enough to hold up every request, and one made for the purpose
// takes seconds, so it is done in a thread of its own that can be ended. The dictionaries are in that thread only.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Locale } from '@almoner/contract'

const LABELS = ['very-weak', 'weak', 'fair', 'good', 'strong'] as const

interface Strength {
  value: 0 | 1 | 2 | 3 | 4
  label: (typeof LABELS)[number]
  /** What is wrong and what would be better, as sentences in the language asked for. */
  suggestions: string[]
}

/** What is said to the thread. */
export interface StrengthQuestion {
  password: string
  userInputs: string[]
  locale: Locale
}

/** What the thread says back. Before the first it says once that it is ready. */
export type StrengthAnswer = Pick<Strength, 'value' | 'suggestions'>

const DEADLINE_MS = 1000

// How strong it is nobody knows then. A verdict too low costs another try, one too high may cost an account.
const VALUE_AFTER_DEADLINE = 1
const SUGGESTION_AFTER_DEADLINE: Record<Locale, string> = {
  en_US: 'This password could not be judged in time. Use a few uncommon words instead.',
  es_US: 'No se pudo evaluar esta contraseña a tiempo. Usa en su lugar algunas palabras poco comunes.',
}

export class PasswordStrength {
  readonly #closing = new AbortController()
  #worker: Worker | undefined
  #turn: Promise<unknown> = Promise.resolve()

  /** `userInputs` are words an attacker would try first for this person: names, e-mail address, organization. */
  check(password: string, userInputs: string[] = [], locale: Locale = 'en_US'): Promise<Strength> {
    // One after the other: the deadline is then about this password, not about those before it.
    const strength = this.#turn.then(() => this.#judge({ password, userInputs, locale }))
    this.#turn = strength.catch(() => undefined)
    return strength
  }

  /** Checks that have not been answered are refused. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('Passwords are no longer judged: the service is stopping.'))
    await this.#turn
    await this.#worker?.terminate()
  }

  async #judge(question: StrengthQuestion): Promise<Strength> {
    const closing = this.#closing.signal
    closing.throwIfAborted()
    const worker = this.#worker ?? (await this.#start())
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    worker.ref()
    try {
      worker.postMessage(question)
      const [answer] = (await once(worker, 'message', { signal: AbortSignal.any([closing, deadline]) })) as [
        StrengthAnswer,
      ]
      return described(answer)
    } catch (error) {
      this.#worker = undefined
      await worker.terminate()
      closing.throwIfAborted()
      if (!deadline.aborted) throw error
      return described({ value: VALUE_AFTER_DEADLINE, suggestions: [SUGGESTION_AFTER_DEADLINE[question.locale]] })
    } finally {
      // While it waits for questions it does not keep the process alive.
      worker.unref()
    }
  }

  async #start(): Promise<Worker> {
    // Flags of the process may be about its own script, and would stop the thread from starting.
    const worker = new Worker(new URL('./password-strength-worker.ts', import.meta.url), { execArgv: [] })
    // Loading the dictionaries is not counted against the first password's time.
    await once(worker, 'message')
    worker.on('error', () => {
      this.#worker = undefined
    })
    this.#worker = worker
    return worker
  }
}

const described = ({ value, suggestions }: StrengthAnswer): Strength => ({ value, label: LABELS[value], suggestions })
