// One connection by a bare socket, one request at a time: what the machine does for whoever asks, it cannot do for
// whoever answers.

import { connect, type Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'

export class Connection {
  readonly #url: URL
  readonly #head: string
  readonly #socket: Socket
  #received: Buffer[] = []
  #length = 0
  /** Where the answer's body begins and ends, as soon as its head says. */
  #body: { start: number; end: number } | null = null
  #answered: PromiseWithResolvers<Buffer> | null = null

  private constructor(url: URL, headers: Record<string, string>) {
    this.#url = url
    const lines = Object.entries({ host: url.host, ...headers }).map(([name, value]) => `${name}: ${value}`)
    this.#head = ` HTTP/1.1\r\n${lines.join('\r\n')}`
    this.#socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
    const fail = (error?: Error) => this.#answered?.reject(error ?? new Error(`${url.origin} hung up.`))
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#socket.on('error', fail).on('close', () => fail())
  }

  static to(url: string, headers: Record<string, string>): Promise<Connection> {
    const connection = new Connection(new URL(url), headers)
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    connection.#socket.once('connect', () => resolve(connection)).once('error', reject)
    return promise
  }

  /** The body of the answer, which must be a good one. Posts what is given, or gets. */
  ask(path = this.#url.pathname + this.#url.search, body?: Buffer): Promise<Buffer> {
    this.#answered = Promise.withResolvers<Buffer>()
    this.#socket.cork()
    const length = body ? `\r\ncontent-length: ${body.length}` : ''
    this.#socket.write(`${body ? 'POST' : 'GET'} ${path}${this.#head}${length}${HEAD_END}`)
    if (body) this.#socket.write(body)
    this.#socket.uncork()
    return this.#answered.promise
  }

  #receive(chunk: Buffer): void {
    this.#received.push(chunk)
    this.#length += chunk.length
    this.#body ??= this.#readHead()
    if (!this.#body || this.#length < this.#body.end) return
    const { start, end } = this.#body
    const body = Buffer.concat(this.#received).subarray(start, end)
    this.#received = []
    this.#length = 0
    this.#body = null
    this.#answered?.resolve(body)
  }

  #readHead(): { start: number; end: number } | null {
    const text = Buffer.concat(this.#received).toString('latin1')
    const headEnd = text.indexOf(HEAD_END)
    if (headEnd === -1) return null
    const head = text.slice(0, headEnd)
    if (!/^HTTP\/1\.1 2/.test(head)) this.#answered?.reject(new Error(`${this.#url.href}: ${text}`))
    const start = headEnd + HEAD_END.length
    // An answer that says nothing of its length has nothing in it.
    return { start, end: start + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0) }
  }

  close(): void {
    this.#answered = null
    this.#socket.destroy()
  }
}
