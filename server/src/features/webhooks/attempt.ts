// One request to a webhook, and what is made of its answer.

import type { IncomingHttpHeaders } from 'node:http'
import { type Outbound, type OutboundReply, Unreachable } from '../../platform/outbound/outbound.ts'
import { retryAfterMs } from './retry-plan.ts'
import { signatures } from './signing.ts'

const TIMEOUT_MS = 15_000
const KEPT_BYTES = 4096
const GONE = 410

export interface Parcel {
  /** Of the delivery: the same for every attempt. */
  id: string
  url: string
  secrets: string[]
  body: string
}

export interface Outcome {
  attemptedAt: Date
  durationMs: number | null
  requestHeaders: Record<string, string> | null
  status: number | null
  response: { headers: IncomingHttpHeaders; body: string } | null
  /** Null for a success. */
  error: string | null
  /** What the receiver asks to wait. */
  askedMs: number
  isGone: boolean
}

export async function attempt(outbound: Outbound, { id, url, secrets, body }: Parcel): Promise<Outcome> {
  const attemptedAt = new Date()
  const timestamp = Math.floor(attemptedAt.getTime() / 1000)
  const requestHeaders = {
    'content-type': 'application/json',
    'user-agent': 'Almoner-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(secrets, id, timestamp, body),
  }
  const begun = performance.now()
  const answer = await outbound
    .post(url, { headers: requestHeaders, body, timeoutMs: TIMEOUT_MS, readBytes: KEPT_BYTES })
    .catch((error: unknown) => {
      if (error instanceof Unreachable) return error
      throw error
    })
  const made = { attemptedAt, durationMs: Math.round(performance.now() - begun), requestHeaders }
  if (answer instanceof Unreachable) return { ...made, ...WITHOUT_ANSWER, error: answer.message }
  const { status, headers } = answer
  return {
    ...made,
    status,
    response: { headers, body: answer.body },
    error: faultOf(answer),
    askedMs: retryAfterMs(headers['retry-after'], attemptedAt),
    isGone: status === GONE,
  }
}

const WITHOUT_ANSWER = { status: null, response: null, askedMs: 0, isGone: false }

/** What stands in the log where no request was made. */
export const notAttempted = (error: string): Outcome => ({
  ...WITHOUT_ANSWER,
  attemptedAt: new Date(),
  durationMs: null,
  requestHeaders: null,
  error,
})

function faultOf({ status }: OutboundReply): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}, a redirect. Redirects are not followed: change the url of the webhook.`
  if (status === GONE) return 'The receiver answered 410: it is gone and wants no more.'
  return `The receiver answered ${status}.`
}
