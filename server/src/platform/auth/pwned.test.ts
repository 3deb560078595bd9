import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { PwnedPasswords } from './pwned.ts'

// SHA-1 of "password" is 5BAA6 1E4C9B93F3F0682250B6CF8331B7EE68FD8.
const SUFFIX = '1E4C9B93F3F0682250B6CF8331B7EE68FD8'
const PADDING = Array.from({ length: 800 }, (_, index) => `${index.toString(16).toUpperCase().padStart(35, '0')}:0`)

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const service = { answer: (() => {}) as Answer, requests: [] as IncomingMessage[], bodies: 0 }
const server = createServer((request, response) => {
  service.requests.push(request)
  request.on('data', (chunk) => {
    service.bodies += chunk.length
  })
  service.answer(request, response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const pwned = new PwnedPasswords(address)

beforeEach(() => {
  service.requests = []
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const lines =
  (...answer: string[]): Answer =>
  (_, response) =>
    response.end(answer.join('\r\n'))

test('a leaked password is recognised among padding', async () => {
  service.answer = lines(...PADDING, `${SUFFIX}:10437277`, 'F'.repeat(35).concat(':3'))
  expect(await pwned.timesSeen('password')).toEqual({
    times: 10_437_277,
    message: 'This password is known from leaks, where it was seen 10437277 times. Choose another.',
  })
})

test('a password seen once is said to be', async () => {
  service.answer = lines(`${SUFFIX.toLowerCase()}:1`)
  expect(await pwned.timesSeen('password')).toMatchObject({ times: 1, message: expect.stringContaining('seen once.') })
})

test('a password that is not in the range, or only as padding, is not known', async () => {
  const unknown = { times: 0, message: 'This password is not known from leaks.' }
  service.answer = lines('F'.repeat(35).concat(':3'), ...PADDING)
  expect(await pwned.timesSeen('password')).toEqual(unknown)
  service.answer = lines(`${SUFFIX}:0`)
  expect(await pwned.timesSeen('password')).toEqual(unknown)
  service.answer = lines()
  expect(await pwned.timesSeen('password')).toEqual(unknown)
})

test('only five digits of the hash are sent', async () => {
  service.answer = lines(...PADDING)
  for (const base of [address, `${address}/`, `${address}/mirror/`])
    await new PwnedPasswords(base).timesSeen('password')
  await pwned.timesSeen('contraseña 😀')
  expect(service.requests.map(({ method, url }) => [method, url])).toEqual([
    ['GET', '/range/5BAA6'],
    ['GET', '/range/5BAA6'],
    ['GET', '/mirror/range/5BAA6'],
    ['GET', expect.stringMatching(/^\/range\/[0-9A-F]{5}$/)],
  ])
  for (const { headers, rawHeaders } of service.requests) {
    expect(headers['add-padding']).toBe('true')
    expect(rawHeaders.join(' ').toUpperCase()).not.toContain(SUFFIX)
    expect(rawHeaders).not.toContain('password')
  }
  expect(service.bodies).toBe(0)
})

const notLookedUp = {
  times: null,
  message: 'The service of leaked passwords gave no usable answer, so this password was not looked up.',
}
const unusable: Record<string, Answer> = {
  fails: (_, response) => response.writeHead(500).end(`${SUFFIX}:5`),
  refuses: (_, response) => response.writeHead(429).end(),
  'hangs up': (request) => request.socket.destroy(),
  'hangs up in the middle': (request, response) => {
    response.writeHead(200, { 'Content-Length': 1000 }).write(`${SUFFIX}:5\r\n`)
    setTimeout(() => request.socket.destroy(), 20)
  },
  'answers with a page of another kind': lines('<html>', 'Please sign in to this network', '</html>'),
  'answers with a count that is none': lines(`${SUFFIX}:many`),
  'answers more than a mebibyte': lines(`${SUFFIX}:5`, ...Array(40).fill(PADDING.join('\r\n'))),
  'answers without end': (_, response) => {
    const more = () => {
      while (response.write(`${PADDING.join('\r\n')}\r\n`));
    }
    response.on('drain', more)
    more()
  },
}
for (const [what, answer] of Object.entries(unusable))
  test(`a service that ${what} leaves the question open`, async () => {
    service.answer = answer
    expect(await pwned.timesSeen('password')).toEqual(notLookedUp)
  })

test('a service that is slow, to begin or to end, is not waited for', async () => {
  for (const answer of [() => {}, (_, response) => response.writeHead(200).write(`${SUFFIX}:5\r\n`)] as Answer[]) {
    service.answer = answer
    const started = performance.now()
    expect(await pwned.timesSeen('password')).toEqual(notLookedUp)
    expect(performance.now() - started).toBeLessThan(4500)
  }
})

test('a service that is not there leaves the question open', async () => {
  expect(await new PwnedPasswords('http://127.0.0.1:1').timesSeen('password')).toEqual(notLookedUp)
  expect(await new PwnedPasswords('http://no-such-host.invalid').timesSeen('password')).toEqual(notLookedUp)
})

test('without a service it is said that none is configured', async () => {
  expect(await new PwnedPasswords(undefined).timesSeen('password')).toEqual({
    times: null,
    message: 'No service of leaked passwords is configured, so this password was not looked up.',
  })
})
