// How bodies are taken: as JSON, in one of two media types, strictly.

import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors/problem.ts'
import { NotAcceptable, parseStrictJson } from './strict-json.ts'

const ACCEPTED = /^application\/(?:vnd\.api\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

export function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/(?:vnd\.api\+)?json/i, { parseAs: 'buffer' }, (request, bytes, done) => {
    if (!ACCEPTED.test(request.headers['content-type'] ?? '')) return done(new Problem('UnsupportedMediaType'))
    if (bytes.length === 0) return done(null, undefined)
    try {
      // With a key, a body is compared with that of another time, as the usual way reads it.
      const own = request.headers['idempotency-key'] === undefined ? request.routeOptions.config.parse : undefined
      done(null, (own ?? parseStrictJson)(bytes as Buffer))
    } catch (error) {
      done(error instanceof NotAcceptable ? new Problem('MalformedBody', { reason: error.message }) : (error as Error))
    }
  })
}
