import { type ErrorCode, type ErrorEntry, type ErrorMeta, errorEntry } from '@almoner/contract'

type MetaArgument<Code extends ErrorCode> = keyof ErrorMeta<Code> extends never
  ? [meta?: Record<string, unknown>]
  : [meta: ErrorMeta<Code> & Record<string, unknown>]

/** A failure the caller is told about: `throw new Problem('NotFound', { what: 'group' })`. All else thrown is a 500. */
export class Problem<Code extends ErrorCode = ErrorCode> extends Error {
  readonly entries: ErrorEntry[]

  constructor(code: Code, ...[meta]: MetaArgument<Code>) {
    const entry = errorEntry(code, meta)
    super(entry.detail)
    this.entries = [entry]
  }

  /** Several faults of one request. They share a status. */
  static of(entries: ErrorEntry[]): Problem {
    const problem: Problem = Object.create(Problem.prototype)
    return Object.assign(problem, { entries, message: entries.map(({ detail }) => detail).join(' ') })
  }

  get status(): number {
    return Number(this.entries[0]?.status)
  }

  get code(): ErrorCode | undefined {
    return this.entries[0]?.code
  }
}
