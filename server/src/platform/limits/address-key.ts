import { isIPv6 } from 'node:net'

/** What an address is counted under: one who has an IPv6 address has the whole network of its first 64 bits. */
export function addressKey(ip: string): string {
  if (!isIPv6(ip) || ip.includes('.')) return ip
  const [head = '', tail] = ip.split('::')
  const parts = head.split(':').filter((part) => part !== '')
  const rest = tail === undefined ? [] : tail.split(':').filter((part) => part !== '')
  const zeros = tail === undefined ? [] : Array(8 - parts.length - rest.length).fill('0')
  return [...parts, ...zeros, ...rest]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')
}
