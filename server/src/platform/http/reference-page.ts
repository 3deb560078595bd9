// The page that shows the interface. It is large and seldom asked for, so it is loaded when it first is.

import { type FastifyInstance, fastify } from 'fastify'

const PATHS = ['/reference/', '/reference/js/scalar.js']
// The page brings its own script and styles; it may talk to this service and to nobody else.
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'"

export function serveReferencePage(app: FastifyInstance): void {
  let loading: Promise<FastifyInstance> | undefined
  for (const path of PATHS) {
    app.get(path, async (_, reply) => {
      loading ??= loadPage()
      const page = await loading
      const { headers, rawPayload } = await page.inject(path)
      return reply
        .headers({
          'content-type': String(headers['content-type']),
          'content-security-policy': POLICY,
          'cache-control': 'no-cache',
        })
        .send(rawPayload)
    })
  }
}

async function loadPage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const page = fastify()
  await page.register(scalar, {
    routePrefix: '/reference',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      // Nothing on the page leads to anyone else's service.
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      pageTitle: 'Almoner API reference',
    },
  })
  return page
}
