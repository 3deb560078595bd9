// The HTTP side, drawn from the catalogue.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { catalogue, type Operation, QUOTA_HEADERS } from '@almoner/contract'
import cors from '@fastify/cors'
import { type FastifyInstance, type FastifyRequest, fastify, LogController } from 'fastify'
import type { Logger } from 'pino'
import { AuditNote } from '../audit/audit-note.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { callerId } from '../auth/actor.ts'
import { Problem } from '../errors/problem.ts'
import { admit } from './admission.ts'
import { takeJsonBodies } from './bodies.ts'
import { ConsolePages } from './console-pages.ts'
import { answerBrokenConnection, answerFailure } from './failures.ts'
import { type Implementation, pairUp } from './implementation.ts'
import { operationRoutes, type RouteServices } from './operation-route.ts'
import { securityHeaders } from './security-headers.ts'
import { OpenStreams } from './server-sent-events.ts'
import { type ServicePaths, serveServicePaths } from './service-paths.ts'
import { silentConnections } from './silent-connections.ts'
import { KnownPaths } from './unknown-paths.ts'
import { Validators } from './validation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    parse?: Implementation['parse'] | undefined
    operation?: Operation
  }
}

export interface AppOptions extends Omit<RouteServices, 'validators' | 'streams'>, ServicePaths {
  implementations: Implementation[]
  log: Logger
  trustProxy: false | number | string[]
  corsOrigins: string[]
  requireHttps: boolean
  tls?: { cert: string; key: string }
  /** The folder of the built console. Without one the service has no pages. */
  consoleFolder: string | undefined
}

// Load balancers ask for these from nearby, without TLS.
const PLAIN_PATHS = new Set(['/health/', '/ready/'])
const REQUEST_ID = /^[\w.-]{1,64}$/

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { log, admission, measures, tls } = options
  const security = securityHeaders({ https: tls !== undefined || options.requireHttps })
  const app = fastify({
    loggerInstance: log as never,
    // One line a request, written below.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies(options.trustProxy),
    // A body that stalls gives its connection back.
    requestTimeout: 120_000,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => answerBrokenConnection(error, socket),
    // An address that cannot be read passes no hooks: it is admitted here, so that it is metered and answered like others.
    frameworkErrors: (error, request, reply) => {
      reply.headers(security).header('x-request-id', request.id)
      admit(admission, undefined, request, reply)
        .then(
          () => error,
          (refusal) => refusal,
        )
        .then((failure) => answerFailure(failure, request, reply))
    },
    ...(tls ? { https: { cert: readFileSync(tls.cert), key: readFileSync(tls.key) } } : {}),
  }) as unknown as FastifyInstance
  app.decorateRequest('actor', null)
  app.decorateRequest('audit')
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Problem && isRefusal(error, request)) recordRefusal(options.auditTrail, request, error)
    return answerFailure(error, request, reply)
  })
  takeJsonBodies(app)

  app.addHook('onRequest', (request, reply, done) => {
    request.audit = new AuditNote()
    reply.headers(security).header('x-request-id', request.id)
    const mustBeSecure = options.requireHttps && !PLAIN_PATHS.has(request.routeOptions.url ?? '')
    done(mustBeSecure && request.protocol !== 'https' ? new Problem('HttpsRequired') : undefined)
  })
  if (options.corsOrigins.length > 0) {
    const exposedHeaders = ['X-Request-Id', ...Object.values(QUOTA_HEADERS), 'Retry-After', 'Deprecation', 'Link']
    await app.register(cors, {
      origin: options.corsOrigins,
      exposedHeaders,
      methods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
      maxAge: 600,
      strictPreflight: false,
    })
  }

  const pages = options.consoleFolder ? new ConsolePages(options.consoleFolder) : undefined
  const paths = new KnownPaths()
  app.addHook('onRoute', ({ url, method }) => {
    for (const one of [method].flat()) if (one !== 'HEAD' && one !== 'OPTIONS') paths.add(url, one)
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    if (pages?.isPage(request)) return pages.sendPage(reply)
    await admit(admission, undefined, request, reply)
    return paths.answer(request, reply)
  })
  const streams = new OpenStreams()
  measures.watchStreams(() => streams.size)
  const silent = silentConnections(app.server, { tls: tls !== undefined })
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    streams.endAll()
    silent.close()
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
        caller: request.actor ? callerId(request.actor) : undefined,
      },
      'answered',
    )
    done()
  })

  const services: RouteServices = { ...options, streams, validators: new Validators() }
  for (const implementation of pairUp(Object.values(catalogue), options.implementations)) {
    for (const route of operationRoutes(implementation, services)) app.route(route)
  }
  serveServicePaths(app, options)
  pages?.serve(app)
  return app
}

// Guesses, though they are not answered as a lack of rights.
const GUESSES = ['PasswordWrong', 'TooManySignInAttempts']
/** What belongs to others is answered as not found; asking for it is a refusal all the same. */
const isRefusal = ({ status, code }: Problem, { routeOptions, actor }: FastifyRequest): boolean =>
  status === 403 ||
  GUESSES.some((one) => one === code) ||
  (status === 404 && actor !== null && routeOptions.config.operation?.recorded === true)

/** Every refusal for lack of rights is recorded: with the organizations the caller belongs to, as far as there are any. */
function recordRefusal(trail: AuditTrail, request: FastifyRequest, problem: Problem): void {
  const { operation } = request.routeOptions.config
  if (!operation) return
  const { actor, audit, ip, id: requestId } = request
  const organizations = actor ? [...new Set(actor.memberships.map(({ organizationId }) => organizationId))] : []
  trail.later(
    audit.entries({ operation, actor, ip, requestId, now: new Date() }, 'refused', problem.code ?? null, organizations),
  )
}

/** A number of proxies means: those nearest to us, and nobody beyond. */
function trustedProxies(setting: AppOptions['trustProxy']) {
  return typeof setting === 'number' ? (_: string, hop: number) => hop < setting : setting
}
