// Several processes of one role: forked from this one, which keeps their number up and stops them together.

import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'

const SHORTEST_LIFE_MS = 2000
const LONGEST_PAUSE_MS = 30_000

export class ProcessNotReady extends Error {}

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
      if (!ready)
        return reject(
          new ProcessNotReady(`A process ended before it was ready (${signal ?? code}): it has said why above.`),
        )
      if (stopping) return
      log.error({ process: child.process.pid, code, signal }, 'a process ended; starting another')
      replace(Math.max(0, SHORTEST_LIFE_MS - (Date.now() - started)))
    })
    return promise
  }
  /** Until it succeeds: what keeps a process from starting, such as a database that is away, may pass. */
  const replace = (pauseMs: number): void => {
    setTimeout(() => {
      if (stopping) return
      fork().catch((error) => {
        log.error({ err: error }, 'a process could not be replaced; trying again')
        replace(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_LIFE_MS, pauseMs * 2)))
      })
    }, pauseMs)
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
