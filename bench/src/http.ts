// What the whole stack costs: an authenticated list against the bare query behind it.

import { join } from 'node:path'
import autocannon from 'autocannon'
import { contest } from './contest.ts'
import { startBenchService } from './service.ts'

const BARE_PORT = 18_081
const PATH = '/identity/v1/organizations/'
const ROUND = { connections: 16, duration: 4 }

export async function httpBenchmark(): Promise<void> {
  const service = await startBenchService()
  try {
    await service.alongside(join(import.meta.dirname, 'bare-fastify.ts'), [
      service.databaseUrl,
      String(BARE_PORT),
      service.userId,
    ])
    const load = (url: string, headers: Record<string, string>) => async () => {
      const result = await autocannon({ url, headers, ...ROUND })
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} calls failed.`)
      return result.requests.average
    }
    await contest('GET /identity/v1/organizations/', 'requests a second', [
      {
        name: 'Almoner, whole stack',
        round: load(service.baseUrl + PATH, { authorization: `Bearer ${service.token}` }),
      },
      { name: 'bare Fastify, same query', round: load(`http://127.0.0.1:${BARE_PORT}${PATH}`, {}) },
    ])
  } finally {
    await service.stop()
  }
}
