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
      done(null, parseStrictJson(bytes as Buffer))
    } catch (error) {
      done(error instanceof NotAcceptable ? new Problem('MalformedBody', { reason: error.message }) : (error as Error))
    }
  })
}
