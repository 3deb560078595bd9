// Several processes of one role: forked from this one, which keeps their number up and stops them together.

import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'

const SHORTEST_LIFE_MS = 2000

export interface Supervised {
  /** Where they listen; null for workers. */
  address: string | null
  stop(): Promise<void>
}

/** Resolves when every process has said that it is ready. */
export async function superviseProcesses(
  count: number,
  environment: Record<string, string>,
  log: Logger,
): Promise<Supervised> {
  let stopping = false
  const fork = (): Promise<string | null> => {
    const { promise, resolve, reject } = Promise.withResolvers<string | null>()
    const started = Date.now()
    let ready = false
    const child = cluster.fork(environment)
    child.on('message', ({ address }: Ready) => {
      ready = true
      resolve(address)
    })
    child.on('exit', (code, signal) => {
      // One that never came up has told why, and another would fail the same way.
      if (!ready) return reject(new Error(`A process ended before it was ready (${signal ?? code}).`))
      if (stopping) return
      log.error({ process: child.process.pid, code, signal }, 'a process ended; starting another')
      const pause = Math.max(0, SHORTEST_LIFE_MS - (Date.now() - started))
      setTimeout(
        () => !stopping && fork().catch((error) => log.error({ err: error }, 'a process could not be replaced')),
        pause,
      )
    })
    return promise
  }
  const [address = null] = await Promise.all(Array.from({ length: count }, fork))
  return {
    address,
    async stop() {
      stopping = true
      const children = Object.values(cluster.workers ?? {}).filter((child): child is Worker => child !== undefined)
      await Promise.all(
        children.map((child) => {
          const ended = new Promise((resolve) => child.once('exit', resolve))
          child.process.kill('SIGTERM')
          return ended
        }),
      )
    },
  }
}

interface Ready {
  address: string | null
}

/** Said by a forked process to the one that supervises it. */
export const reportReady = (address: string | null): void => void process.send?.({ address } satisfies Ready)
