// A real DNS server on loopback that answers for the names it is given.

import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import { cleanUp } from './clean-up.ts'

const [A, AAAA, NO_SUCH_NAME] = [1, 28, 3]

export interface NameServer {
  resolver: Resolver
  /** The addresses of each name: a list, or a list for each time it is asked. */
  names: Map<string, string[] | (() => string[])>
  asked: string[]
}

/** Closed by itself after the file's tests. */
export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const names: NameServer['names'] = new Map()
  const asked: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = question(query)
    const found = names.get(name)
    if (type === A) asked.push(name)
    const all = typeof found === 'function' ? (type === A ? found() : []) : (found ?? [])
    const answers = all.filter((one) => isIPv4(one) === (type === A) && (type === A || type === AAAA))
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 | (found ? 0 : NO_SUCH_NAME), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(answers.length, 6)
    socket.send(
      Buffer.concat([head, query.subarray(12, end), ...answers.map((one) => record(type, one))]),
      port,
      address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  cleanUp(async () => void socket.close())
  const resolver = new Resolver({ timeout: 1000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return { resolver, names, asked }
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** With a pointer to the name of the question, and no time to be kept. */
function record(type: number, address: string): Buffer {
  const bytes = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [groups(left), groups(right)]
  const all = [...before, ...Array(8 - before.length - after.length).fill(0), ...after]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]))
}
