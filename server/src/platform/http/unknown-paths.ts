// Requests that match no route: a missing slash, a wrong method, or a path that leads nowhere.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors/problem.ts'

interface KnownPath {
  pattern: RegExp
  methods: string[]
}

export class KnownPaths {
  readonly #paths = new Map<string, KnownPath>()

  add(path: string, method: string): void {
    const known = this.#paths.get(path)
    if (known) known.methods.push(method)
    else
      this.#paths.set(path, {
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:[a-z-]+/g, '[^/]+')}$`),
        methods: [method],
      })
  }

  #find(path: string): KnownPath | undefined {
    return this.#paths.values().find(({ pattern }) => pattern.test(path))
  }

  answer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const [path = '', ...query] = request.url.split('?')
    if (!path.endsWith('/') && this.#find(`${path}/`)) {
      // Relative to the host, so that it holds behind any proxy. 308 keeps the method and the body.
      return reply
        .code(308)
        .header('location', [`${path}/`, ...query].join('?'))
        .send()
    }
    const known = this.#find(path)
    if (!known) throw new Problem('NotFound', { what: 'path' })
    const allowed = known.methods.join(', ')
    reply.header('allow', allowed)
    throw new Problem('MethodNotAllowed', { method: request.method, allowed })
  }
}
