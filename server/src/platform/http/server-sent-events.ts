// Answers without an end: text that is sent to one caller as it comes.

import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { MOST_STREAMS } from '@almoner/contract/integrator/events'
import { Problem } from '../errors/problem.ts'

/** Bytes that may wait for a caller who reads slowly. Whoever has more waiting is cut off. */
const MOST_WAITING = 1024 * 1024
const ROOM = 64 * 1024
/** When a caller who went away without a word has been noticed, as a rule. */
const TRY_AGAIN_SECONDS = 15
const END_WITHIN_MS = 500

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  // Nginx and those who follow it would otherwise keep events until there are many.
  'x-accel-buffering': 'no',
}

export class ServerSentEvents extends Readable {
  #isOver = false
  #roomMade: (() => void)[] = []

  constructor() {
    super({ highWaterMark: ROOM })
    this.once('close', () => this.#makeRoom())
  }

  override _read(): void {
    this.#makeRoom()
  }

  get isOver(): boolean {
    return this.#isOver || this.destroyed
  }

  send(text: string): void {
    if (this.isOver) return
    this.push(text)
    if (this.readableLength > MOST_WAITING) this.destroy(new Error('The caller of a stream reads too slowly.'))
  }

  /** What was sent before still arrives. */
  end(): void {
    if (this.isOver) return
    this.#isOver = true
    this.push(null)
  }

  /** Resolves when the caller has taken most of what was sent, or is gone: for whoever has much to send. */
  room(): Promise<void> {
    if (this.isOver || this.readableLength < ROOM) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#roomMade.push(resolve)
    return promise
  }

  #makeRoom(): void {
    for (const resolve of this.#roomMade.splice(0)) resolve()
  }
}

/** The streams of this process: not too many of one caller, and ended when it stops. */
export class OpenStreams {
  readonly #counts = new Map<string, number>()
  readonly #open = new Map<ServerSentEvents, ServerResponse>()
  #isClosing = false

  get size(): number {
    return this.#open.size
  }

  /** Refuses one too many, before it is made. */
  async open(
    caller: string,
    response: ServerResponse,
    make: () => Promise<ServerSentEvents>,
  ): Promise<ServerSentEvents> {
    const leave = this.#enter(caller)
    try {
      const stream = await make()
      this.#open.set(stream, response)
      stream.once('close', () => {
        this.#open.delete(stream)
        leave()
      })
      if (this.#isClosing) stream.end()
      return stream
    } catch (error) {
      leave()
      throw error
    }
  }

  #enter(caller: string): () => void {
    const count = this.#counts.get(caller) ?? 0
    if (count >= MOST_STREAMS) throw new Problem('TooManyStreams', { limit: MOST_STREAMS, seconds: TRY_AGAIN_SECONDS })
    this.#counts.set(caller, count + 1)
    return () => {
      const left = (this.#counts.get(caller) ?? 1) - 1
      if (left > 0) this.#counts.set(caller, left)
      else this.#counts.delete(caller)
    }
  }

  /** Whoever does not read to the end in time is cut off, so that nobody holds up the stop. */
  endAll(): void {
    this.#isClosing = true
    const responses = [...this.#open.values()]
    for (const stream of this.#open.keys()) stream.end()
    setTimeout(() => {
      for (const response of responses) if (!response.closed) response.destroy()
    }, END_WITHIN_MS).unref()
  }
}
