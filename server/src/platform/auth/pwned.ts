// Passwords known from leaks, asked of a range service. It is told the first five digits of the password's SHA-1 and
// answers with every leaked hash that begins so; the password itself, and the rest of its hash, stay here.

import { hash } from 'node:crypto'

const TIMEOUT_MS = 3000
const MAXIMUM_BYTES = 1024 * 1024
const SENT_DIGITS = 5

const NOT_CONFIGURED = 'No service of leaked passwords is configured, so this password was not looked up.'
const NO_ANSWER = 'The service of leaked passwords gave no usable answer, so this password was not looked up.'

interface Leaks {
  /** Null when it is not known. */
  times: number | null
  message: string
}

export class PwnedPasswords {
  readonly #rangeUrl: string | undefined

  constructor(rangeUrl: string | undefined) {
    this.#rangeUrl = rangeUrl?.replace(/\/+$/, '')
  }

  /** Never fails: a service that is away must not keep anybody from setting a password. */
  async timesSeen(password: string): Promise<Leaks> {
    if (!this.#rangeUrl) return { times: null, message: NOT_CONFIGURED }
    const digest = hash('sha1', password, 'hex').toUpperCase()
    try {
      const range = await readRange(`${this.#rangeUrl}/range/${digest.slice(0, SENT_DIGITS)}`)
      const times = range.get(digest.slice(SENT_DIGITS)) ?? 0
      return { times, message: wording(times) }
    } catch {
      return { times: null, message: NO_ANSWER }
    }
  }
}

function wording(times: number): string {
  if (times === 0) return 'This password is not known from leaks.'
  return `This password is known from leaks, where it was seen ${times === 1 ? 'once' : `${times} times`}. Choose another.`
}

async function readRange(address: string): Promise<Map<string, number>> {
  const response = await fetch(address, {
    // Padding makes every answer about as long, so that its length does not tell which range was asked for.
    headers: { 'Add-Padding': 'true', 'User-Agent': 'Almoner' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`The range service answered ${response.status}.`)
  }
  const lines = (await readLimited(response)).split(/\r?\n/).filter((line) => line !== '')
  return new Map(lines.map(readLine))
}

async function readLimited({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAXIMUM_BYTES) throw new Error(`The range service answered more than ${MAXIMUM_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1')
}

/** A page of some other kind must not pass for a range in which the password is missing. */
function readLine(line: string): [suffix: string, times: number] {
  const [, suffix, times] = /^([0-9A-F]{35}):(\d{1,15})$/i.exec(line) ?? []
  if (!suffix || !times) throw new Error('The range service answered something that is not a range.')
  return [suffix.toUpperCase(), Number(times)]
}
