// A real SMTP server on loopback that keeps what it is sent, and misbehaves when told to.

import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { cleanUp } from './clean-up.ts'

interface ReceivedMail extends Email {
  envelope: { from: string; to: string[] }
  raw: string
}

export interface MailServer {
  /** As SMTP_URL takes it. */
  url: string
  mails: ReceivedMail[]
  /** Recipients it was asked to deliver to, taken or not. */
  asked: string[]
  /** Takes mails, refuses each recipient with a reply code, or breaks the connection off once it has read a mail. */
  behaviour: 'take' | 'hang up' | number
}

const MAIL_LOGIN = { user: 'almoner', password: 'p@ss/wörd' }

/** Closed by itself after the file's tests. Lets in only whoever signs in with `MAIL_LOGIN`. */
export async function startMailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth({ username, password }, _, callback) {
      if (username === MAIL_LOGIN.user && password === MAIL_LOGIN.password) return callback(null, { user: username })
      callback(refusal(535, 'These are not the right name and password'))
    },
    onRcptTo({ address }, _, callback) {
      received.asked.push(address)
      if (typeof received.behaviour !== 'number') return callback()
      callback(refusal(received.behaviour, `<${address}> is not taken`))
    },
    async onData(stream, { envelope }, callback) {
      const content = await buffer(stream)
      if (received.behaviour === 'hang up') {
        for (const socket of sockets) socket.destroy()
        return
      }
      received.mails.push({
        ...(await PostalMime.parse(content)),
        envelope: {
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
        },
        raw: content.toString(),
      })
      callback()
    },
  })
  // A client that hangs up in the middle is no concern of the tests.
  server.on('error', () => {})
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  const login = `${MAIL_LOGIN.user}:${encodeURIComponent(MAIL_LOGIN.password)}`
  const received: MailServer = {
    url: `smtp://${login}@127.0.0.1:${port}`,
    mails: [],
    asked: [],
    behaviour: 'take',
  }
  return received
}

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
