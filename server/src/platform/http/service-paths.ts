// The paths for those who run the service: is it alive, is it ready, how is it doing, what can it do.

import { hash, timingSafeEqual } from 'node:crypto'
import { openapi } from '@almoner/contract/openapi'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors/problem.ts'
import type { Measures } from './measures.ts'
import { serveReferencePage } from './reference-page.ts'

export interface ServicePaths {
  /** Resolves when what a request needs is there, by name. */
  readiness: Record<string, () => Promise<unknown>>
  measures: Measures
  metricsToken: string | undefined
  publicUrl: string | undefined
}

const READY_WITHIN_MS = 2000
const READY_FOR_MS = 500

export function serveServicePaths(
  app: FastifyInstance,
  { readiness, measures, metricsToken, publicUrl }: ServicePaths,
): void {
  app.get('/health/', async () => ({ status: 'alive' }))

  // Asked by many at once, it is looked into once a second.
  let lately: { at: number; checks: Promise<(readonly [string, boolean])[]> } | undefined
  app.get('/ready/', async (_, reply) => {
    if (!lately || Date.now() - lately.at > READY_FOR_MS) lately = { at: Date.now(), checks: checkAll(readiness) }
    const checks = await lately.checks
    const ready = checks.every(([, answers]) => answers)
    return reply.code(ready ? 200 : 503).send({ ready, checks: Object.fromEntries(checks) })
  })

  app.get('/metrics/', async (request, reply) => {
    if (metricsToken && !isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`))
      throw new Problem('NotAuthenticated')
    return reply.header('content-type', measures.contentType).send(await measures.print())
  })

  const document = openapi(publicUrl)
  app.get('/openapi.json', async () => document)
  serveReferencePage(app)
}

const checkAll = (readiness: ServicePaths['readiness']) =>
  Promise.all(Object.entries(readiness).map(async ([name, check]) => [name, await answersInTime(check)] as const))

async function answersInTime(check: () => Promise<unknown>): Promise<boolean> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('late')), READY_WITHIN_MS)
  return Promise.race([check(), late])
    .then(() => true)
    .catch(() => false)
    .finally(() => clearTimeout(timer))
}

/** In a time that does not depend on how much of it is right. */
const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
