// Requests to addresses that callers chose. They reach public hosts and those the operator allows, follow no redirect,
// and take no longer and no more than they are given.

import { lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import type { AddressGuard } from './address-guard.ts'

export interface OutboundReply {
  status: number
  headers: IncomingHttpHeaders
  /** Its beginning. */
  body: string
}

interface OutboundRequest {
  headers: Record<string, string>
  body: string
  timeoutMs: number
  /** Bytes of the answer's body that are read; the rest is thrown away. */
  readBytes: number
}

/** Why there was no answer, in words for whoever chose the address. */
export class Unreachable extends Error {}

// One wording for both, so that it does not tell which names and addresses there are inside.
const LEADS_NOWHERE = 'The host leads nowhere, or to an address that may not be sent to.'
const CUT_OFF = 'The connection was closed before an answer came.'
const OUT_OF_REACH = 'The host could not be reached.'
const WORDS: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: CUT_OFF,
  EPIPE: CUT_OFF,
  ETIMEDOUT: OUT_OF_REACH,
  EHOSTUNREACH: OUT_OF_REACH,
  ENETUNREACH: OUT_OF_REACH,
}
const ABOUT_TLS = /TLS|SSL|CERT|SIGNATURE|EPROTO/

interface Address {
  address: string
  family: 4 | 6
}

/** A resolver of its own: the system's lookup would let slow name servers hold up the threads that others wait for. */
const newResolver = () => new Resolver({ timeout: 2500, tries: 2 })

export class Outbound {
  readonly guard: AddressGuard
  readonly #resolver: Pick<Resolver, 'resolve4' | 'resolve6'>
  readonly #httpAgent: http.Agent
  readonly #httpsAgent: https.Agent

  constructor(guard: AddressGuard, resolver: Pick<Resolver, 'resolve4' | 'resolve6'> = newResolver()) {
    this.guard = guard
    this.#resolver = resolver
    // A connection for each request: none is kept that was checked when the name led elsewhere.
    const options = { keepAlive: false, lookup: this.#lookup, autoSelectFamilyAttemptTimeout: 2000 }
    this.#httpAgent = new http.Agent(options)
    this.#httpsAgent = new https.Agent(options)
  }

  /** Resolves as soon as enough of the answer is there. Rejects with `Unreachable`. */
  async post(url: string, { headers, body, timeoutMs, readBytes }: OutboundRequest): Promise<OutboundReply> {
    const target = new URL(url)
    if (this.guard.refusesAtSight(target.hostname)) throw new Unreachable(LEADS_NOWHERE)
    const { request } = target.protocol === 'https:' ? https : http
    const { promise, resolve, reject } = Promise.withResolvers<OutboundReply>()
    const signal = AbortSignal.timeout(timeoutMs)
    const outgoing = request(target, {
      method: 'POST',
      agent: target.protocol === 'https:' ? this.#httpsAgent : this.#httpAgent,
      signal,
      headers: {
        ...headers,
        connection: 'close',
        'accept-encoding': 'identity',
        'content-length': Buffer.byteLength(body),
      },
    })
    let fail = (error: Error) => reject(unreachable(error, signal.aborted, timeoutMs))
    outgoing.on('response', (response) => {
      const decoder = new StringDecoder('utf8')
      let [text, size] = ['', 0]
      const finish = () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
        outgoing.destroy()
      }
      // The status is the answer: what comes late or breaks off after it changes nothing.
      fail = finish
      response.on('data', (chunk: Buffer) => {
        text += decoder.write(chunk.subarray(0, Math.max(0, readBytes - size)))
        size += chunk.length
        if (size >= readBytes) finish()
      })
      for (const end of ['end', 'error', 'close']) response.on(end, finish)
    })
    outgoing.on('error', (error) => fail(error))
    outgoing.on('close', () => fail(new Unreachable(CUT_OFF)))
    outgoing.end(body)
    return promise
  }

  /** Connects to an address that was checked: a name is looked up once, and what it leads to later does not matter. */
  readonly #lookup: LookupFunction = (hostname, { all }, callback) => {
    this.#addressesOf(hostname).then((addresses) => {
      const [first] = addresses
      if (!first) callback(new Unreachable(LEADS_NOWHERE), [])
      else if (all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

  async #addressesOf(hostname: string): Promise<Address[]> {
    if (this.guard.isAllowedName(hostname)) return systemAddresses(hostname)
    const found = await Promise.allSettled([this.#resolver.resolve4(hostname), this.#resolver.resolve6(hostname)])
    const [four = [], six = []] = found.map((one) => (one.status === 'fulfilled' ? one.value : []))
    return [
      ...four.map((address) => ({ address, family: 4 as const })),
      ...six.map((address) => ({ address, family: 6 as const })),
    ].filter(({ address }) => this.guard.permits(address))
  }
}

/** For names the operator wrote down: as the system does it, with its file of hosts. */
const systemAddresses = (hostname: string): Promise<Address[]> =>
  new Promise((resolve) =>
    systemLookup(hostname, { all: true }, (error, addresses) =>
      resolve(error ? [] : addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))),
    ),
  )

function unreachable(error: Error, isLate: boolean, timeoutMs: number): Unreachable {
  if (error instanceof Unreachable) return error
  if (isLate) return new Unreachable(`There was no answer within ${timeoutMs / 1000} seconds.`)
  const { code = '' } = error as NodeJS.ErrnoException
  if (ABOUT_TLS.test(code)) return new Unreachable(`No encrypted connection could be made (${code}).`)
  if (code.startsWith('HPE_')) return new Unreachable('The answer was not well-formed HTTP.')
  return new Unreachable(WORDS[code] ?? `The request failed (${code || 'for an unknown reason'}).`)
}
