// Follows a stream of events for as long as the caller wants: a connection that is lost is made anew, and goes on after
// the last event that came.

import { type Answer, decoder, type Operation, streamedSchema } from '@almoner/contract'
import type { Connection } from './connection.ts'
import { AlmonerError } from './error.ts'
import type { CallOptions } from './options.ts'
import { pause } from './pause.ts'

type Input = Record<string, unknown>
export type StreamOperation = Operation & { answer: Extract<Answer, { kind: 'stream' }> }

/** Without a sign of life for so long, the connection is dead though nobody said so. The service sends one every 30 s at least. */
const SILENCE_MS = 75_000
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000

export async function* follow(connection: Connection, operation: StreamOperation, input: Input, options: CallOptions) {
  const decode = decoder(streamedSchema(operation.answer.resource))
  const { signal, onConnection } = options
  const { signIn } = connection
  let isBegun = false
  let { lastEventId } = input
  let delay = FIRST_DELAY_MS
  for (;;) {
    signal?.throwIfAborted()
    // What one person asked for is never done as another.
    if (connection.signIn !== signIn) throw new Error('The client has signed in or out since then. Follow anew.')
    const line = new Line(signal)
    try {
      const asked = lastEventId === undefined ? input : { ...input, lastEventId }
      const body = (await connection.call(operation, asked, { ...options, signal: line.signal })) as Body
      isBegun = true
      let count = 0
      for await (const { id, data } of blocksOf(line.heard(body))) {
        // One that only greets is not yet well again.
        if (++count > 1) delay = FIRST_DELAY_MS
        if (id !== '') lastEventId = Number(id)
        if (count === 1) onConnection?.(true, lastEventId as number | undefined)
        if (data !== '') yield decode(JSON.parse(data))
      }
    } catch (error) {
      signal?.throwIfAborted()
      // An address that never answered is more likely wrong than busy.
      if (!isBegun || isFinal(error)) throw error
    } finally {
      line.hangUp()
      onConnection?.(false, lastEventId as number | undefined)
    }
    // Not all at once, when a service that many follow comes back.
    await pause(delay * (0.5 + Math.random() / 2), signal ?? null)
    delay = Math.min(delay * 2, LONGEST_DELAY_MS)
  }
}

/** What asking again would not change. */
const isFinal = (error: unknown): boolean =>
  error instanceof AlmonerError && error.status >= 400 && error.status < 500 && error.status !== 429

type Body = ReadableStream<Uint8Array>

/** One connection, which is given up when the caller wants, and when nothing is heard for long. */
class Line {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined
  readonly #abort = () => this.#controller.abort(this.#outer?.reason)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer
    outer?.addEventListener('abort', this.#abort)
    this.#wait()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  async *heard(body: Body): AsyncGenerator<string> {
    const decoder = new TextDecoder()
    const reader = body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      this.#wait()
      yield decoder.decode(value, { stream: true })
    }
  }

  hangUp(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#abort)
    this.#controller.abort()
  }

  #wait(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(new Error('Nothing was heard for long.')), SILENCE_MS)
  }
}

interface Block {
  id: string
  data: string
}

/** The blocks of a stream of Server-Sent Events; one that the connection cut off is left out. */
async function* blocksOf(pieces: AsyncIterable<string>): AsyncGenerator<Block> {
  let rest = ''
  for await (const piece of pieces) {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) yield { id: fieldOf(block, 'id'), data: fieldOf(block, 'data') }
  }
}

const fieldOf = (block: string, field: string): string =>
  block
    .split('\n')
    .filter((line) => line.startsWith(`${field}: `))
    .map((line) => line.slice(field.length + 2))
    .join('\n')
