// What is counted while devices send, in one line and in a summary.

import { AlmonerError } from '../index.ts'

/** The simulated network lost a request, or its answer. */
class LostOnTheWay extends Error {}

const LOST = 0.02
/** The line shows what was of late. */
const WINDOW_MS = 5000

const number = (value: number) => Math.round(value).toLocaleString('en-US')
const milliseconds = (value: number) => (value < 9.95 ? value.toFixed(1) : number(value))

export class Figures {
  measured = 0
  taken = 0
  resent = 0
  stored = 0
  updated = 0
  unchanged = 0
  errors = 0
  lost = 0
  firstError: string | undefined
  readonly #start = performance.now()
  #end: number | undefined
  readonly #took: number[] = []
  #marks = [{ at: this.#start, taken: 0, requests: 0 }]

  answered(line: { stored: number; updated: number; unchanged: number }): void {
    this.stored += line.stored
    this.updated += line.updated
    this.unchanged += line.unchanged
  }

  failed(error: unknown): void {
    if (error instanceof LostOnTheWay) {
      this.lost++
      return
    }
    this.errors++
    const { cause, message } = error as Error & { cause?: { code?: string } }
    const code = error instanceof AlmonerError ? `${error.status} ` : ''
    this.firstError ??= `${code}${cause?.code ?? message}`
  }

  /** A fetch that is timed, and that loses requests and answers as a network of telephones does. */
  readonly fetch: typeof fetch = async (url, request) => {
    const fate = Math.random()
    if (fate < LOST / 2) throw new LostOnTheWay('The request was lost.')
    const start = performance.now()
    const response = await fetch(url, request)
    this.#took.push(performance.now() - start)
    if (fate >= LOST) return response
    await response.body?.cancel()
    throw new LostOnTheWay('The answer was lost.')
  }

  end(): void {
    this.#end = performance.now()
  }

  line(): string {
    const now = { at: performance.now(), taken: this.taken, requests: this.#took.length }
    this.#marks = [
      ...this.#marks.filter(({ at }, place) => place === this.#marks.length - 1 || now.at - at < WINDOW_MS),
      now,
    ]
    const [first = now] = this.#marks
    const seconds = Math.max((now.at - first.at) / 1000, 0.001)
    const recent = percentiles(this.#took.slice(first.requests))
    return [
      `${number(this.taken)} points`,
      `${number((now.taken - first.taken) / seconds)} points/s`,
      `${number((now.requests - first.requests) / seconds)} requests/s`,
      recent,
      `${number(this.errors)} errors`,
      `${number(this.resent)} resent`,
    ].join(', ')
  }

  summary(): string {
    const seconds = Math.max(((this.#end ?? performance.now()) - this.#start) / 1000, 0.001)
    return [
      `${number(this.taken)} of ${number(this.measured)} points taken in ${number(seconds)} s: ${number(this.taken / seconds)} points/s`,
      `${number(this.#took.length)} requests: ${number(this.#took.length / seconds)} requests/s, ${percentiles(this.#took)}`,
      `${number(this.resent)} points sent again; the service says ${number(this.stored)} stored, ${number(this.unchanged)} unchanged, ${number(this.updated)} updated`,
      `${number(this.lost)} requests or answers lost on purpose, ${number(this.errors)} errors${this.firstError ? `, the first: ${this.firstError}` : ''}`,
    ].join('\n')
  }
}

function percentiles(values: number[]): string {
  const sorted = Float64Array.from(values).sort()
  const at = (part: number) => milliseconds(sorted[Math.floor(part * sorted.length)] ?? 0)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`
}
