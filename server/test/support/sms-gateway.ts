// A real HTTP server on loopback that keeps what it is sent as an SMS gateway would, and answers as told.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { cleanUp } from './clean-up.ts'

interface ReceivedRequest {
  method: string | undefined
  path: string | undefined
  authorization: string | undefined
  contentType: string | undefined
  form: Record<string, string>
}

export interface SmsGateway {
  /** The settings by which the service finds it. */
  settings: { smsGatewayUrl: string; smsAccount: string; smsToken: string; smsFrom: string }
  requests: ReceivedRequest[]
  answer: { status: number; body?: unknown; location?: string } | 'hang up' | 'silence'
}

/** Closed by itself after the file's tests. */
export async function startSmsGateway(): Promise<SmsGateway> {
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    gateway.requests.push({
      method,
      path,
      authorization: headers.authorization,
      contentType: headers['content-type'],
      form,
    })
    const { answer } = gateway
    if (answer === 'silence') return
    if (answer === 'hang up') return void request.socket.destroy()
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...(answer.location ? { location: answer.location } : {}),
    })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const gateway: SmsGateway = {
    settings: {
      smsGatewayUrl: `http://127.0.0.1:${port}`,
      smsAccount: 'AC0123',
      smsToken: 'sesame',
      smsFrom: '+15550100',
    },
    requests: [],
    answer: { status: 201, body: { sid: 'SM0123', status: 'queued' } },
  }
  return gateway
}
