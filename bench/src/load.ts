// Requests over several connections, each sent when the one before it is answered. By bare sockets: what the machine
// does for whoever asks, it cannot do for whoever answers.

import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Load {
  url: string
  headers?: Record<string, string>
  /** The next body to post; without one it is got. */
  body?: () => Buffer
  connections: number
  seconds: number
  /** Of all connections together; as many as there can be when it is not said. */
  mostPerSecond?: number
}

/** How many answers came a second. All of them must be good ones. */
export async function load({ connections, seconds, mostPerSecond = Infinity, ...request }: Load): Promise<number> {
  const start = performance.now()
  const end = start + seconds * 1000
  let sent = 0
  const lane = async () => {
    const connection = await Connection.to(request)
    let done = 0
    for (; performance.now() < end; done++) {
      const early = start + (sent++ / mostPerSecond) * 1000 - performance.now()
      if (early > 0) await sleep(early)
      await connection.ask()
    }
    connection.close()
    return done
  }
  const done = await Promise.all(Array.from({ length: connections }, lane))
  return done.reduce((sum, one) => sum + one, 0) / ((performance.now() - start) / 1000)
}

type Asked = Pick<Load, 'url' | 'headers' | 'body'>
const HEAD_END = '\r\n\r\n'

class Connection {
  readonly #asked: Asked
  readonly #socket
  readonly #head: string
  #received: Buffer[] = []
  #length = 0
  /** How long the answer is, as soon as its head says. */
  #whole = Infinity
  #answered: PromiseWithResolvers<void> | null = null

  private constructor(asked: Asked) {
    const { hostname, port, pathname, search, host } = new URL(asked.url)
    this.#asked = asked
    const headers = { host, ...asked.headers }
    this.#head = [
      `${asked.body ? 'POST' : 'GET'} ${pathname}${search} HTTP/1.1`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ].join('\r\n')
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    const fail = (error?: Error) => this.#answered?.reject(error ?? new Error(`${asked.url}: hung up.`))
    this.#socket.on('error', fail).on('close', () => fail())
  }

  static to(asked: Asked): Promise<Connection> {
    const connection = new Connection(asked)
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    connection.#socket.once('connect', () => resolve(connection)).once('error', reject)
    return promise
  }

  ask(): Promise<void> {
    this.#answered = Promise.withResolvers<void>()
    const body = this.#asked.body?.()
    this.#socket.cork()
    this.#socket.write(body ? `${this.#head}\r\ncontent-length: ${body.length}${HEAD_END}` : this.#head + HEAD_END)
    if (body) this.#socket.write(body)
    this.#socket.uncork()
    return this.#answered.promise
  }

  #receive(chunk: Buffer): void {
    this.#received.push(chunk)
    this.#length += chunk.length
    if (this.#whole === Infinity) {
      const text = Buffer.concat(this.#received).toString('latin1')
      const headEnd = text.indexOf(HEAD_END)
      if (headEnd === -1) return
      const head = text.slice(0, headEnd)
      if (!/^HTTP\/1\.1 2/.test(head)) this.#answered?.reject(new Error(`${this.#asked.url}: ${text}`))
      // An answer that says nothing of its length has nothing in it.
      this.#whole = headEnd + HEAD_END.length + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    }
    if (this.#length < this.#whole) return
    this.#received = []
    this.#length = 0
    this.#whole = Infinity
    this.#answered?.resolve()
  }

  close(): void {
    this.#answered = null
    this.#socket.destroy()
  }
}
