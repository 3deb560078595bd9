import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

/** The headers never differ between answers, so helmet is asked once and not for every answer. */
export function securityHeaders({ https }: { https: boolean }): Record<string, string> {
  // Answers hold health records and tokens: nobody on the way keeps them.
  const headers: Record<string, string> = { 'cache-control': 'no-store' }
  const collect = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => {},
  }
  const apply = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: https,
    xFrameOptions: { action: 'deny' },
    // For browsers that are gone, or for documents only: these answers are data.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  apply({} as IncomingMessage, collect as unknown as ServerResponse, () => {})
  return headers
}
