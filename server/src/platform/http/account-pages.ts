// The pages behind the links in messages: small and without a framework, because whoever opens them is in a hurry.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const FOLDER = join(import.meta.dirname, '../../../pages')
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

const FILES = {
  '/register': ['account.html', 'text/html'],
  '/reset-password': ['account.html', 'text/html'],
  '/account-pages/account.js': ['account.js', 'text/javascript'],
  '/account-pages/account.css': ['account.css', 'text/css'],
} as const

export function serveAccountPages(app: FastifyInstance): void {
  for (const [path, [file, type]] of Object.entries(FILES)) {
    const content = readFileSync(join(FOLDER, file))
    app.get(path, async (_, reply) =>
      reply
        .headers({
          'content-type': `${type}; charset=utf-8`,
          'content-security-policy': POLICY,
        })
        .send(content),
    )
  }
}
