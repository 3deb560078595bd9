// Requests over several connections, each sent when the one before it is answered.

import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from './connection.ts'

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
export async function load(of: Load): Promise<number> {
  const { url, headers, body, connections, seconds, mostPerSecond = Infinity } = of
  const start = performance.now()
  const end = start + seconds * 1000
  let sent = 0
  const lane = async () => {
    const connection = new Connection(url, headers)
    let done = 0
    for (; performance.now() < end; done++) {
      const early = start + (sent++ / mostPerSecond) * 1000 - performance.now()
      if (early > 0) await sleep(early)
      await connection.ask(undefined, body?.())
    }
    connection.close()
    return done
  }
  const done = await Promise.all(Array.from({ length: connections }, lane))
  return done.reduce((sum, one) => sum + one, 0) / ((performance.now() - start) / 1000)
}
