import { hash } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'

const NAMED_AFTER_USES = 3
const MOST_NAMES = 300
const MOST_COUNTED = 5000
/** Sent plainly: nothing is to be planned, and without a name nothing can be wrong with it. */
const OF_TRANSACTIONS = /^(?:begin|start transaction|commit|rollback)\b/

/**
 * Statements that come again are prepared under a name, once a connection, so that PostgreSQL parses and plans them
 * once. Texts of which there are many (a list of values of any length) stay unnamed: a prepared statement takes memory.
 */
export function namingClient(): typeof pg.Client {
  const uses = new Map<string, number>()
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known || names.size >= MOST_NAMES) return known
    const count = (uses.get(text) ?? 0) + 1
    if (uses.size >= MOST_COUNTED) uses.clear()
    uses.set(text, count)
    if (count > NAMED_AFTER_USES) names.set(text, hash('sha1', text, 'base64url'))
    return names.get(text)
  }

  class NamingClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: pg declares query by a dozen overloads
    override query(...args: any[]): any {
      const [text, values, ...rest] = args
      const isRepeated = typeof text === 'string' && Array.isArray(values) && !OF_TRANSACTIONS.test(text)
      const name = isRepeated ? nameOf(text) : undefined
      const { stream } = (this as unknown as { connection: { stream: Socket } }).connection
      // What is sent in the same moment leaves in one piece.
      stream.cork()
      process.nextTick(() => stream.uncork())
      return super.query(...((name ? [{ name, text, values }, ...rest] : args) as Parameters<pg.Client['query']>))
    }
  }
  return NamingClient as unknown as typeof pg.Client
}
