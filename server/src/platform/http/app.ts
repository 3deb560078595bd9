// The HTTP side, drawn from the catalogue.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { catalogue, type Operation } from '@almoner/contract'
import cors from '@fastify/cors'
import { type FastifyInstance, fastify, LogController } from 'fastify'
import type { Logger } from 'pino'
import { type Admission, admit } from './admission.ts'
import { takeJsonBodies } from './bodies.ts'
import { answerBrokenConnection, answerFailure } from './failures.ts'
import { type Implementation, pairUp } from './implementation.ts'
import { operationRoutes, type RouteServices } from './operation-route.ts'
import { securityHeaders } from './security-headers.ts'
import { type ServicePaths, serveServicePaths } from './service-paths.ts'
import { KnownPaths } from './unknown-paths.ts'
import { Validators } from './validation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
  }
}

export interface AppOptions extends Omit<RouteServices, 'validators' | 'admission'>, ServicePaths {
  implementations: Implementation[]
  admission: Admission
  log: Logger
  trustProxy: boolean
  corsOrigins: string[]
  tls?: { cert: string; key: string }
}

const REQUEST_ID = /^[\w.-]{1,64}$/

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { log, admission, measures, tls } = options
  const app = fastify({
    loggerInstance: log as never,
    // One line a request, written below.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => answerBrokenConnection(error, socket),
    frameworkErrors: (error, request, reply) => answerFailure(error, request, reply) as never,
    ...(tls ? { https: { cert: readFileSync(tls.cert), key: readFileSync(tls.key) } } : {}),
  }) as unknown as FastifyInstance
  app.decorateRequest('actor', null)
  app.setErrorHandler(answerFailure)
  takeJsonBodies(app)

  const security = securityHeaders({ https: tls !== undefined || admission.requireHttps })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(security).header('x-request-id', request.id)
    done()
  })
  if (options.corsOrigins.length > 0) {
    const exposedHeaders = [
      'X-Request-Id',
      'X-Ratelimit-Limit',
      'X-Ratelimit-Used',
      'X-Ratelimit-Remaining',
      'X-Ratelimit-Reset',
      'Retry-After',
      'Deprecation',
      'Link',
    ]
    await app.register(cors, {
      origin: options.corsOrigins,
      exposedHeaders,
      methods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
      maxAge: 600,
    })
  }

  const paths = new KnownPaths()
  app.addHook('onRoute', ({ url, method }) => {
    for (const one of [method].flat()) if (one !== 'HEAD' && one !== 'OPTIONS') paths.add(url, one)
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    await admit(admission, undefined, request, reply)
    return paths.answer(request, reply)
  })
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // A connection that was busy when closing began would otherwise stay open, waiting for a further request.
    if (closing) setImmediate(() => app.server.closeIdleConnections())
    const operation = request.routeOptions.config.operation?.id ?? request.routeOptions.url ?? 'none'
    measures.answered(operation, reply.statusCode, reply.elapsedTime / 1000)
    request.log.info(
      {
        operation,
        method: request.method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        user: request.actor?.userId,
      },
      'answered',
    )
    done()
  })

  const services: RouteServices = { ...options, validators: new Validators() }
  for (const implementation of pairUp(Object.values(catalogue), options.implementations)) {
    for (const route of operationRoutes(implementation, services)) app.route(route)
  }
  serveServicePaths(app, options)
  return app
}
