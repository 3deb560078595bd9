// Calls over one connection that is kept, by the way that costs the caller least: what is measured is the service.

import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

export async function fetched(url: string, token: string): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get(url, { agent, headers: { authorization: `Bearer ${token}` } }, resolve).on('error', reject)
  const response = await promise
  return { status: response.statusCode ?? 0, text: await text(response) }
}

export const hangUp = () => agent.destroy()
