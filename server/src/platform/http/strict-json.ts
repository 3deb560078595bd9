// JSON as the interface takes it: UTF-8, no key twice in an object, no `__proto__`, at most 32 levels deep.

import { isUtf8 } from 'node:buffer'

const MAXIMUM_DEPTH = 32
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

export class NotAcceptable extends Error {}

export function parseStrictJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new NotAcceptable('it is not UTF-8')
  const written = scan(bytes)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new NotAcceptable(withoutContent((error as Error).message))
  }
  // JSON.parse keeps the last of equal keys, so an object with a key twice has fewer keys than were written.
  if (countKeys(value) !== written) throw new NotAcceptable('an object in it has the same key twice')
  // Only an escape can smuggle these in: a raw NUL is no JSON and a raw half surrogate no UTF-8.
  if (bytes.includes('\\u')) refuseUnstorableText(value)
  return value
}

/** PostgreSQL can store neither a NUL nor half of a surrogate pair. */
function refuseUnstorableText(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw new NotAcceptable('a text in it holds a NUL or half a surrogate pair')
  } else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      refuseUnstorableText(key)
      refuseUnstorableText(member)
    }
  }
}

/** Counts the keys that are written (colons outside strings) and measures the depth, without building anything. */
function scan(bytes: Buffer): number {
  let keys = 0
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) {
      at++
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
    } else if (byte === COLON) keys++
    else if ((byte | 0x20) === 0x7b) {
      // 0x5b [ and 0x7b { differ in this bit only, and so do their closing ones.
      if (++depth > MAXIMUM_DEPTH) throw new NotAcceptable(`it is nested deeper than ${MAXIMUM_DEPTH} levels`)
    } else if ((byte | 0x20) === 0x7d) depth--
  }
  return keys
}

function countKeys(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item)
    return count
  }
  // What JSON.parse made has no keys but its own, and counting them so makes no list of them.
  for (const key in value) {
    if (key === '__proto__') throw new NotAcceptable('it has a key __proto__')
    const member = (value as Record<string, unknown>)[key]
    count += member !== null && typeof member === 'object' ? 1 + countKeys(member) : 1
  }
  return count
}

/** V8 quotes the text around the fault, which may hold personal data; the position is enough. */
function withoutContent(message: string): string {
  const position = /position (\d+)/.exec(message)?.[1]
  return position ? `it breaks off or is malformed at position ${position}` : 'it breaks off or is malformed'
}
