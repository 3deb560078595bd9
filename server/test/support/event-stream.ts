// Server-Sent Events, read as they are on the wire.

import { cleanUp } from './clean-up.ts'

export const EVENT_STREAM = '/integrator/v1/event-stream/'

interface Block {
  id: number
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of any kind
  data: any
}

export interface OpenedStream {
  headers: Headers
  /** Everything that came so far, as text. */
  text(): string
  /** The events that came so far. */
  events(): Block[]
  /** Resolves when the service has ended it; true when it ended in order, false when it was cut off. */
  ended: Promise<boolean>
  isEnded(): boolean
  close(): void
}

interface How {
  token: string
  query?: string
  headers?: Record<string, string>
}

/** Closed by itself after the file's tests. */
export async function openStream(url: string, { token, query = '', headers = {} }: How): Promise<OpenedStream> {
  const controller = new AbortController()
  cleanUp(async () => controller.abort())
  const response = await fetch(new URL(`${EVENT_STREAM}?${query}`, url), {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: controller.signal,
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  let text = ''
  let isEnded = false
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
      text += decoder.decode(piece, { stream: true })
  }
  const ended = read()
    .then(
      () => true,
      () => false,
    )
    .finally(() => {
      isEnded = true
    })
  return {
    headers: response.headers,
    text: () => text,
    events: () => eventsOf(text),
    ended,
    isEnded: () => isEnded,
    close: () => controller.abort(),
  }
}

function eventsOf(text: string): Block[] {
  // What is behind the last empty line has not come whole.
  const blocks = text.split('\n\n').slice(0, -1)
  return blocks.flatMap((block) => {
    const fields = new Map(
      block
        .split('\n')
        .filter((line) => !line.startsWith(':'))
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    )
    const data = fields.get('data')
    if (data === undefined) return []
    return [{ id: Number(fields.get('id')), event: fields.get('event') ?? '', data: JSON.parse(data) }]
  })
}
