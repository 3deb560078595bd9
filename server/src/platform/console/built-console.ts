// The console as files: built once from the sources as they are, and found again as long as those do not change.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, glob, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'

const ROOT = resolve(import.meta.dirname, '../../../..')
const SOURCES = ['console/{index.html,build/**,src/**}', '{client,contract,forms}/src/**/*.ts', 'package-lock.json']
const BUILD = join(ROOT, 'console/build/build.ts')
const DAY_MS = 86_400_000

/** The folder it is in. A checkout that cannot be written to is no hindrance: then it is kept with the data. */
export async function builtConsole(dataDir: string, log: Logger): Promise<string> {
  const version = await versionOfSources()
  const places = [join(ROOT, 'console/dist'), join(dataDir, 'console')]
  for (const place of places) if (existsSync(join(place, version))) return join(place, version)
  for (const place of places) {
    const beside = await mkdir(place, { recursive: true })
      .then(() => mkdtemp(join(place, 'building-')))
      .catch(() => null)
    if (!beside) continue
    const start = Date.now()
    await build(beside)
    // Whoever installed it, others may run it.
    await chmod(beside, 0o755)
    // Others may have built the same meanwhile; theirs is as good.
    await rename(beside, join(place, version)).catch(() => rm(beside, { recursive: true }))
    await removeOld(place)
    log.info({ ms: Date.now() - start }, 'the console is built')
    return join(place, version)
  }
  throw new Error(`The console can be built neither in ${places.join(' nor in ')}: no file can be written there.`)
}

async function versionOfSources(): Promise<string> {
  const files: string[] = []
  for (const pattern of SOURCES)
    for await (const entry of glob(pattern, { cwd: ROOT, withFileTypes: true }))
      if (entry.isFile() && !entry.name.endsWith('.test.ts')) files.push(join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file.slice(ROOT.length)).update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

/** In a process of its own, so that the tools that build do not stay in the memory of the service. */
function build(folder: string): Promise<void> {
  const { promise, resolve: done, reject } = Promise.withResolvers<void>()
  const child = spawn(process.execPath, [BUILD, folder], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const listen = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  child.on('error', reject)
  child.on('close', (code) =>
    code === 0 ? done() : reject(new Error(`The console could not be built (${code}):\n${output}`)),
  )
  return promise
}

/** Earlier builds are left for a day: someone may be about to read one, or be in the middle of making it. */
async function removeOld(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const { mtimeMs } = await stat(join(place, name)).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > DAY_MS) await rm(join(place, name), { recursive: true, force: true })
  }
}
