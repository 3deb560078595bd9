import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { generate } from 'selfsigned'
import { expect, test } from 'vitest'
import { cleanUp } from '../../../test/support/clean-up.ts'
import { startNameServer } from '../../../test/support/name-server.ts'
import { startReceiver } from '../../../test/support/webhook-receiver.ts'
import { AddressGuard } from './address-guard.ts'
import { Outbound } from './outbound.ts'

const REQUEST = { headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 2000, readBytes: 10 }
const LEADS_NOWHERE = 'The host leads nowhere, or to an address that may not be sent to.'

/** A TCP server that does as it is told with each connection. */
async function startRaw(greet: (socket: Socket) => void): Promise<number> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    greet(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(async () => void server.close())
  return (server.address() as AddressInfo).port
}

test('a name that leads inward is refused, and so is one that leads nowhere, in the same words', async () => {
  const receiver = await startReceiver()
  const { resolver, names, asked } = await startNameServer()
  names.set('inside.example', ['127.0.0.1'])
  names.set('metadata.example', ['169.254.169.254', '10.0.0.1', 'fd00::1', '::1'])
  const outbound = new Outbound(new AddressGuard([]), resolver)
  for (const host of ['inside.example', 'metadata.example', 'nowhere.example', 'localhost', '127.0.0.1', '[::1]'])
    await expect(outbound.post(`http://${host}:${receiver.port}/`, REQUEST)).rejects.toThrow(LEADS_NOWHERE)
  expect(asked).toEqual(['inside.example', 'metadata.example', 'nowhere.example'])
  expect(receiver.received).toEqual([])
})

test('a name is looked up once, and the address that was checked is the one connected to', async () => {
  const receiver = await startReceiver({ status: 200 })
  const { resolver, names, asked } = await startNameServer()
  // Leads where it may at first, and elsewhere whenever it is asked again.
  const turns = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]
  names.set('turning.example', () => turns.shift() ?? [])
  const outbound = new Outbound(new AddressGuard(['127.0.0.1']), resolver)
  const url = `http://turning.example:${receiver.port}/`
  expect((await outbound.post(url, REQUEST)).status).toBe(200)
  expect(asked).toEqual(['turning.example'])
  // A second request looks again: no connection is kept.
  await expect(outbound.post(url, REQUEST)).rejects.toThrow(LEADS_NOWHERE)
  expect(receiver.received).toHaveLength(1)
  expect(receiver.received[0]?.headers.host).toBe(`turning.example:${receiver.port}`)
})

test('of several addresses only those that may be are tried', async () => {
  const receiver = await startReceiver()
  const { resolver, names } = await startNameServer()
  names.set('mixed.example', ['10.0.0.1', '127.0.0.1', 'fd00::1'])
  const outbound = new Outbound(new AddressGuard(['127.0.0.1']), resolver)
  expect((await outbound.post(`http://mixed.example:${receiver.port}/`, REQUEST)).status).toBe(204)
})

test('a name that the operator allows is looked up as the system does it', async () => {
  const receiver = await startReceiver()
  const { resolver, asked } = await startNameServer()
  const outbound = new Outbound(new AddressGuard(['localhost']), resolver)
  expect((await outbound.post(`http://localhost:${receiver.port}/`, REQUEST)).status).toBe(204)
  expect(asked).toEqual([])
})

test('every way to fail is told in words', async () => {
  const outbound = new Outbound(new AddressGuard(['127.0.0.1']))
  const failing = async (greet: (socket: Socket) => void, scheme = 'http') =>
    outbound.post(`${scheme}://127.0.0.1:${await startRaw(greet)}/`, REQUEST).then(
      ({ status }) => String(status),
      (error: Error) => error.message,
    )
  expect(await failing((socket) => socket.destroy())).toBe('The connection was closed before an answer came.')
  expect(await failing((socket) => socket.resetAndDestroy())).toBe('The connection was closed before an answer came.')
  expect(await failing((socket) => void socket.end('good morning\r\n\r\n'))).toBe(
    'The answer was not well-formed HTTP.',
  )
  expect(await failing((socket) => void socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`))).toBe(
    'The answer was not well-formed HTTP.',
  )
  expect(await failing(() => {})).toBe('There was no answer within 2 seconds.')
  expect(await failing((socket) => void socket.write('HTTP/1.1 200 OK\r\n'))).toBe(
    'There was no answer within 2 seconds.',
  )
  expect(await failing((socket) => void socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'))).toMatch(
    /^(The connection was closed before an answer came\.|101)$/,
  )
  expect(await failing((socket) => void socket.end('plain'), 'https')).toMatch(/^No encrypted connection could be made/)
  const closed = createTcpServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port: free } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  await expect(outbound.post(`http://127.0.0.1:${free}/`, REQUEST)).rejects.toThrow('The connection was refused.')
})

test('a certificate that nobody vouches for is not accepted', async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }])
  let requests = 0
  const server = createServer({ cert, key }, (_, response) => {
    requests++
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(async () => void server.close())
  const { port } = server.address() as AddressInfo
  const outbound = new Outbound(new AddressGuard(['127.0.0.1']))
  await expect(outbound.post(`https://127.0.0.1:${port}/`, REQUEST)).rejects.toThrow(
    'No encrypted connection could be made (DEPTH_ZERO_SELF_SIGNED_CERT).',
  )
  expect(requests).toBe(0)
})
