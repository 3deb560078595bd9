// The console: its files, and its page at every address that belongs to nobody else.

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { catalogue, type Operation } from '@almoner/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors/problem.ts'

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
/** The better one first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const
const ASSETS = '/assets/'
const NONCE = '__STYLE_NONCE__'

const policy = (nonce: string) =>
  "default-src 'none'; script-src 'self'; connect-src 'self'; font-src 'self'; img-src 'self' data: blob:; " +
  `style-src 'self' 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

interface Asset {
  type: string
  forms: Map<string, Buffer>
}

/** What the service itself answers below is never the console's, also where nothing is found. */
const taken = new Set([
  ...Object.values(catalogue as Record<string, Operation>).map(({ path }) => firstPart(path)),
  ...['assets', 'health', 'ready', 'metrics', 'reference', 'openapi.json'],
])

export class ConsolePages {
  readonly #page: string
  readonly #assets: Map<string, Asset>

  /** Everything is read at once: it is small, and a later build does not mix with this one. */
  constructor(folder: string) {
    this.#page = readFileSync(join(folder, 'index.html'), 'utf8')
    this.#assets = readAssets(join(folder, ASSETS))
  }

  serve(app: FastifyInstance): void {
    app.get('/', (_, reply) => this.sendPage(reply))
    app.get<{ Params: { name: string } }>(`${ASSETS}:name`, (request, reply) => {
      const asset = this.#assets.get(request.params.name)
      if (!asset) throw new Problem('NotFound', { what: 'file' })
      return sendAsset(asset, request, reply)
    })
  }

  /** Whether someone with a browser asks for a page here. */
  isPage({ method, url, headers }: FastifyRequest): boolean {
    const [path = ''] = url.split('?')
    return (
      (method === 'GET' || method === 'HEAD') &&
      (headers.accept ?? '').includes('text/html') &&
      !taken.has(firstPart(path)) &&
      extname(path) === ''
    )
  }

  sendPage(reply: FastifyReply): FastifyReply {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy(nonce) })
      .send(this.#page.replace(NONCE, nonce))
  }
}

function firstPart(path: string): string {
  return path.split('/')[1] ?? ''
}

function readAssets(folder: string): Map<string, Asset> {
  const names = readdirSync(folder).filter((name) => !/\.(br|gz)$/.test(name))
  const present = new Set(readdirSync(folder))
  return new Map(
    names.map((name) => {
      const forms = new Map<string, Buffer>([['identity', readFileSync(join(folder, name))]])
      for (const [encoding, ending] of Object.entries(ENCODINGS))
        if (present.has(name + ending)) forms.set(encoding, readFileSync(join(folder, name + ending)))
      return [name, { type: TYPES[extname(name)] ?? 'application/octet-stream', forms }]
    }),
  )
}

/** The name changes with the content, so whoever has it need not ask again. */
function sendAsset({ type, forms }: Asset, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const accepted = String(headers['accept-encoding'] ?? '')
  const encoding = Object.keys(ENCODINGS).find((one) => forms.has(one) && accepts(accepted, one)) ?? 'identity'
  return reply
    .headers({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    })
    .send(forms.get(encoding))
}

const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((part) => {
    const [name = '', quality = ''] = part.split(';').map((piece) => piece.trim())
    return name === encoding && !/^q=0(\.0*)?$/.test(quality)
  })
