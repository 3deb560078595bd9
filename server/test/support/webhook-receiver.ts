// A real HTTP server on loopback that keeps what webhooks send it, and answers as told.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { cleanUp } from './clean-up.ts'

interface ReceivedWebhook {
  path: string | undefined
  method: string | undefined
  headers: IncomingHttpHeaders
  id: string
  raw: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  body: any
}

type Answer =
  | { status: number; headers?: Record<string, string>; body?: string; after?: Promise<unknown> }
  | 'hang'
  | 'hang up'
  | 'endless'
  | 'slow body'
type Behaviour = Answer | ((received: ReceivedWebhook) => Answer)

export interface WebhookReceiver {
  url: string
  port: number
  received: ReceivedWebhook[]
  /** How many requests are waiting for an answer, and how many did at once at most. */
  open: number
  mostOpen: number
  behaviour: Behaviour
  /** Ends every connection there is. */
  hangUp(): void
}

/** Closed by itself after the file's tests. */
export async function startReceiver(behaviour: Behaviour = { status: 204 }): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    receiver.open++
    receiver.mostOpen = Math.max(receiver.mostOpen, receiver.open)
    response.on('close', () => receiver.open--)
    const { method, url: path, headers } = request
    const raw = await text(request)
    const one = { path, method, headers, id: String(headers['webhook-id']), raw, body: JSON.parse(raw) }
    receiver.received.push(one)
    answer(receiver.behaviour, one, response, request.socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/hooks?tenant=7`
  const hangUp = () => server.closeAllConnections()
  const receiver: WebhookReceiver = { url, port, received: [], open: 0, mostOpen: 0, behaviour, hangUp }
  return receiver
}

function answer(told: Behaviour, received: ReceivedWebhook, response: ServerResponse, socket: Socket): void {
  const behaviour = typeof told === 'function' ? told(received) : told
  if (behaviour === 'hang') return
  if (behaviour === 'hang up') return void socket.resetAndDestroy()
  if (behaviour === 'slow body') return void response.writeHead(200).write('begun')
  if (behaviour === 'endless') {
    response.writeHead(200)
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', pour)
    return void pour()
  }
  const { status, headers, body = '', after = Promise.resolve() } = behaviour
  after.then(() => response.writeHead(status, headers).end(body))
}
