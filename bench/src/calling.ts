// Calls over one connection that is kept, by the way that costs the caller least: what is measured is the service.

import { Agent, get } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

export function fetched(url: string, token: string): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    response.on('error', reject)
  })
  request.on('error', reject)
  return promise
}

export const hangUp = () => agent.destroy()
