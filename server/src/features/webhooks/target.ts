import { Problem } from '../../platform/errors/problem.ts'
import type { AddressGuard } from '../../platform/outbound/address-guard.ts'

/** Refuses what can never be sent to. Where a name leads is found at each attempt. */
export function checkTarget(guard: AddressGuard, url: string): void {
  const fault = faultOf(guard, url)
  if (fault) throw new Problem('InvalidValue', { pointer: '/data/attributes/url', fault })
}

function faultOf(guard: AddressGuard, text: string): string | null {
  // URL would leave out or escape these without a word.
  const url = /[\s\p{Cc}\\]/u.test(text) ? null : URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return 'must be an http or https address such as https://example.org/hooks'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password'
  if (guard.refusesAtSight(url.hostname))
    return 'must lead to a public host; the operator can allow others with WEBHOOK_ALLOW'
  return null
}
