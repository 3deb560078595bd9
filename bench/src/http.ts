// What the whole stack costs: an authenticated list against the bare query behind it.

import { join } from 'node:path'
import { contest } from './contest.ts'
import { load } from './load.ts'
import { startBenchService } from './service.ts'

const BARE_PORT = 18_081
const PATH = '/identity/v1/organizations/'
const ROUND = { connections: 16, seconds: 4 }

export async function httpBenchmark(): Promise<void> {
  const service = await startBenchService()
  try {
    await service.alongside(join(import.meta.dirname, 'bare-fastify.ts'), [
      service.databaseUrl,
      String(BARE_PORT),
      service.userId,
    ])
    await contest('GET /identity/v1/organizations/', 'requests a second', [
      {
        name: 'Almoner, whole stack',
        round: () =>
          load({ url: service.baseUrl + PATH, headers: { authorization: `Bearer ${service.token}` }, ...ROUND }),
      },
      {
        name: 'bare Fastify, same query',
        round: () => load({ url: `http://127.0.0.1:${BARE_PORT}${PATH}`, ...ROUND }),
      },
    ])
  } finally {
    await service.stop()
  }
}
