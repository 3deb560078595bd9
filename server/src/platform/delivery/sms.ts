// SMS over an HTTP gateway that speaks as Twilio does.

import type { Settings } from '../config/settings.ts'
import { type Gateway, Refusal } from './gateway.ts'

type SmsSettings = Pick<Settings, 'smsGatewayUrl' | 'smsAccount' | 'smsToken' | 'smsFrom'>

const TIMEOUT_MS = 10_000
// Too many at once, or a wrong password of ours, says nothing about the message.
const WORTH_ANOTHER_TRY = new Set([401, 403, 429])

/** Undefined when no gateway is set. */
export function createTexter(settings: SmsSettings, timeoutMs = TIMEOUT_MS): Gateway | undefined {
  const { smsGatewayUrl, smsAccount, smsToken, smsFrom } = settings
  if (!smsGatewayUrl || !smsAccount || !smsToken || !smsFrom) return undefined
  const base = smsGatewayUrl.replace(/\/+$/, '')
  const url = `${base}/2010-04-01/Accounts/${encodeURIComponent(smsAccount)}/Messages.json`
  const authorization = `Basic ${Buffer.from(`${smsAccount}:${smsToken}`).toString('base64')}`

  return {
    async send({ recipient, text }) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ To: recipient, From: smsFrom, Body: text }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const answer = await response.text()
      if (response.ok) return
      const reason = `${response.status} ${explanation(answer)}`.trim()
      const isFinal = response.status >= 400 && response.status < 500 && !WORTH_ANOTHER_TRY.has(response.status)
      throw isFinal ? new Refusal(reason) : new Error(reason)
    },
  }
}

/** The gateway's own words, where it has any. */
function explanation(answer: string): string {
  try {
    const { message } = JSON.parse(answer)
    return typeof message === 'string' ? message : ''
  } catch {
    return ''
  }
}
