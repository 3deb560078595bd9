const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** What a program says of itself, in two words: enough to tell one's own devices apart. */
export function deviceOf(userAgent: string | null): string | null {
  if (!userAgent) return null
  const named = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const words = [named(BROWSERS), named(SYSTEMS)].filter(Boolean)
  return words.length > 0 ? words.join(', ') : (userAgent.split(/[\s/]/)[0] ?? null)
}
