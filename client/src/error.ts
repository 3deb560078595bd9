import type { ErrorCode, ErrorEntry } from '@almoner/contract'

/** A call that the service refused or could not answer. `errors` lists every fault it found. */
export class AlmonerError extends Error {
  readonly status: number
  readonly errors: ErrorEntry[]
  /** To quote when reporting a failure. */
  readonly requestId: string | null

  constructor(status: number, errors: ErrorEntry[], requestId: string | null) {
    super(errors.map(({ detail }) => detail).join(' ') || `The service answered ${status}.`)
    this.name = 'AlmonerError'
    this.status = status
    this.errors = errors
    this.requestId = requestId
  }

  /** The code of the first fault. Undefined when the answer did not come from the service itself. */
  get code(): ErrorCode | undefined {
    return this.errors[0]?.code
  }

  static async from(response: Response): Promise<AlmonerError> {
    const body = (await response.json().catch(() => null)) as { errors?: ErrorEntry[] } | null
    return new AlmonerError(response.status, body?.errors ?? [], response.headers.get('x-request-id'))
  }
}
