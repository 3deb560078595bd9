// E-mail over SMTP.

import { createTransport, type NodemailerError } from 'nodemailer'
import type { Settings } from '../config/settings.ts'
import { type Gateway, Refusal } from './gateway.ts'

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
// One plain address. Anything that could be read as two, or as a display name, is not sent to at all.
const ADDRESS = /^[^\s<>(),:;"\\@[\]]+@[^\s<>(),:;"\\@[\]]+$/

/** Undefined when no mail server is set. */
export function createMailer({ smtpUrl, mailFrom }: Pick<Settings, 'smtpUrl' | 'mailFrom'>): Gateway | undefined {
  if (!smtpUrl) return undefined
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // A message is text and HTML, never a file or an address that the library should go and read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1).replace(/>\s*$/, '')

  return {
    async send({ id, recipient, subject, text, html }) {
      if (!ADDRESS.test(recipient)) throw new Refusal('This is not an e-mail address.')
      try {
        await transport.sendMail({
          from: mailFrom,
          to: { name: '', address: recipient },
          subject: subject ?? '',
          text,
          html,
          // Of the row's id, so that a repeated attempt can be recognised as the same mail.
          messageId: `<${id}@${domain}>`,
          // Keeps out-of-office replies from being sent back.
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        const { permanent, code, response, message } = error as NodemailerError
        // A wrong password of ours says nothing about the message: an operator can still mend it.
        const isFinal = permanent && code !== 'EAUTH'
        throw isFinal ? new Refusal(response ?? message, { cause: error }) : error
      }
    },
  }
}
