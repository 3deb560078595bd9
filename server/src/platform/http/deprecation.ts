import { catalogue, type Operation } from '@almoner/contract'

/** RFC 9745 for when it was deprecated, and a link to what replaces it or, failing that, to the reference. */
export function deprecationHeaders({ deprecated }: Operation): Record<string, string> {
  if (!deprecated) return {}
  const since = Date.parse(`${deprecated.since}T00:00:00Z`) / 1000
  const successor = Object.values(catalogue).find(({ id }) => id === deprecated.replacedBy)
  const link = successor ? `<${successor.path}>; rel="successor-version"` : '</reference/>; rel="deprecation"'
  return { deprecation: `@${since}`, link }
}
