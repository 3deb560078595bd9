// The service as people start it: `node server/src/main.ts` in a process of its own.

import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { cleanUp } from './clean-up.ts'

const MAIN = resolve(import.meta.dirname, '../../src/main.ts')

export interface Started {
  child: ChildProcess
  /** Everything it printed so far. */
  output(): string
  /** Resolves with its address when it has printed that it is ready. */
  ready: Promise<string>
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'almoner-'))
  // Open to the unprivileged user that PostgreSQL runs as when the tests run as root.
  await chmod(directory, 0o755)
  cleanUp(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Ended by itself after the file's tests. */
export function startProcess(environment: Record<string, string>, args: string[] = []): Started {
  const defaults = { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'warn', DRAIN_SECONDS: '10' }
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...defaults, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const { promise: ready, resolve: isReady, reject: isNotReady } = Promise.withResolvers<string>()
  const listen = (chunk: Buffer) => {
    output += chunk
    const [, address] = /ready at (\S+)\n/.exec(output) ?? []
    if (address) isReady(address)
    else if (output.includes('working through its queue')) isReady('')
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const exited = new Promise<Awaited<Started['exited']>>((resolve) =>
    child.on('exit', (code, signal) => resolve({ code, signal })),
  )
  exited.then(({ code }) => isNotReady(new Error(`It ended with ${code}: ${output}`)))
  ready.catch(() => {})
  cleanUp(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await exited
  })
  return { child, output: () => output, ready, exited }
}

export async function stopProcess({ child, exited }: Started): Promise<number | null> {
  child.kill('SIGTERM')
  return (await exited).code
}
