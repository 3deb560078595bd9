import { describe, expect, test } from 'vitest'
import { AddressGuard, isHostOrNetwork } from './address-guard.ts'

const guard = new AddressGuard([])

// The last address before each special network, its first and its last, and the next one after it.
describe.each([
  ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255', null],
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, null],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff:ffff::', '2003::'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::', null],
])('from %s to %s', (first, last, before, after) => {
  test('nothing is sent, and next to it something may be', () => {
    expect([first, last].map((one) => guard.permits(one))).toEqual([false, false])
    for (const one of [before, after]) if (one) expect([one, guard.permits(one)]).toEqual([one, true])
  })
})

test.each(['::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', 'fc00::1'])(
  '%s is refused',
  (address) => expect(guard.permits(address)).toBe(false),
)

test.each(['fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '100::1', 'not an address', ''])('%s is refused', (one) =>
  expect(guard.permits(one)).toBe(false),
)

test.each(['8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])('%s is permitted', (address) =>
  expect(guard.permits(address)).toBe(true),
)

test('the operator may allow addresses, networks and names, and allows nothing beside them', () => {
  const open = new AddressGuard(['10.1.0.0/16', '127.0.0.1', '::1', 'fd00::/8', 'Hooks.Internal'])
  expect(['10.1.0.0', '10.1.255.255', '127.0.0.1', '::1', 'fd12::1'].every((one) => open.permits(one))).toBe(true)
  expect(['10.0.255.255', '10.2.0.0', '127.0.0.2', '::2', 'fc00::1'].some((one) => open.permits(one))).toBe(false)
  expect(['hooks.internal', 'HOOKS.internal.'].every((one) => open.isAllowedName(one))).toBe(true)
  expect(['a.hooks.internal', 'internal', 'xhooks.internal'].some((one) => open.isAllowedName(one))).toBe(false)
  expect(open.refusesAtSight('[::1]')).toBe(false)
  expect(open.refusesAtSight('localhost')).toBe(true)
  expect(new AddressGuard(['localhost']).refusesAtSight('localhost.')).toBe(false)
})

test.each([
  ['hooks.internal', true],
  ['localhost', true],
  ['10.0.0.0/8', true],
  ['10.0.0.0/32', true],
  ['10.0.0.0/33', false],
  ['fd00::/128', true],
  ['fd00::/129', false],
  ['::1', true],
  ['fe80::1%eth0', false],
  ['hooks.internal/8', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/8/8', false],
  ['http://hooks.internal', false],
  ['hooks internal', false],
  ['', false],
])('%s may stand in the setting: %s', (text, is) => expect(isHostOrNetwork(text)).toBe(is))
