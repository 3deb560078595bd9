// Which addresses requests to other people's servers may go to: those of the internet, and what the operator allows.

import { BlockList, isIP } from 'node:net'

/** What is not somebody's own public address, by the registries of special-purpose addresses. */
const SPECIAL_IPV4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])
// Everything else of IPv6 is loopback, mapped, translated, local, multicast, or not given out.
const GLOBAL_IPV6 = blockList('ipv6', ['2000::/3'])
// Teredo and 6to4 carry IPv4 addresses inside.
const SPECIAL_IPV6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/i

export class AddressGuard {
  readonly #names: Set<string>
  readonly #networks: BlockList

  /** Takes host names, addresses and networks such as 10.0.0.0/8. */
  constructor(allowed: string[]) {
    const isName = (one: string) => isIP(one.split('/')[0] ?? '') === 0
    this.#names = new Set(allowed.filter(isName).map(plainHost))
    this.#networks = new BlockList()
    for (const one of allowed.filter((target) => !isName(target))) addNetwork(this.#networks, one)
  }

  /** Whether the operator allows this very name, wherever it leads. */
  isAllowedName(hostname: string): boolean {
    return this.#names.has(plainHost(hostname))
  }

  permits(address: string): boolean {
    const family = isIP(address)
    // An address with a zone is a link-local one.
    if (family === 0 || address.includes('%')) return false
    if (family === 4) return !SPECIAL_IPV4.check(address) || this.#networks.check(address)
    const isPublic = GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6')
    return isPublic || this.#networks.check(address, 'ipv6')
  }

  /** What can be said of a URL's host without looking its name up. */
  refusesAtSight(hostname: string): boolean {
    const host = plainHost(hostname)
    if (this.#names.has(host)) return false
    return isIP(host) > 0 ? !this.permits(host) : host === 'localhost' || host.endsWith('.localhost')
  }
}

/** Without the brackets of IPv6 and the dot that ends a full name. URL has put odd spellings of addresses right before. */
export const plainHost = (hostname: string): string => hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '')

export const isHostOrNetwork = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0) return prefix === undefined && HOST_NAME.test(text)
  if (prefix === undefined) return !address.includes('%')
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)
}

function addNetwork(list: BlockList, text: string): void {
  const [address = '', prefix] = text.split('/')
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  if (prefix === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(prefix), family)
}

function blockList(family: 'ipv4' | 'ipv6', networks: string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}
