// One connection by a bare socket, one request at a time: what the machine does for whoever asks, it cannot do for
// whoever answers.

import { connect, type Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'

export class Connection {
  readonly #url: URL
  readonly #head: string
  #socket: Socket | null = null
  #received: Buffer[] = []
  #length = 0
  /** Where the answer's body begins and ends, as soon as its head says. */
  #body: { start: number; end: number } | null = null
  #answered: PromiseWithResolvers<Buffer> | null = null

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = new URL(url)
    const lines = Object.entries({ host: this.#url.host, ...headers }).map(([name, value]) => `${name}: ${value}`)
    this.#head = ` HTTP/1.1\r\n${lines.join('\r\n')}`
  }

  /** Anew where a service hung up because nothing was asked for long. */
  #open(): Socket {
    if (this.#socket && !this.#socket.destroyed) return this.#socket
    const { hostname: host, port, origin } = this.#url
    const socket = connect({ host, port: Number(port), noDelay: true })
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', (error) => this.#answered?.reject(error))
    socket.on('close', () => this.#answered?.reject(new Error(`${origin} hung up.`)))
    this.#socket = socket
    return socket
  }

  /** The body of the answer, which must be a good one. Posts what is given, or gets. */
  ask(path = this.#url.pathname + this.#url.search, body?: Buffer): Promise<Buffer> {
    this.#answered = Promise.withResolvers<Buffer>()
    const socket = this.#open()
    socket.cork()
    const length = body ? `\r\ncontent-length: ${body.length}` : ''
    socket.write(`${body ? 'POST' : 'GET'} ${path}${this.#head}${length}${HEAD_END}`)
    if (body) socket.write(body)
    socket.uncork()
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
    this.#answered = null
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
    this.#socket?.destroy()
  }
}
