// Before all tests: the console is built when its sources changed, and a Chromium is looked for.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createLog } from '@almoner/server/platform/config/log'
import { builtConsole } from '@almoner/server/platform/console/built-console'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    consoleFolder: string
    /** The program; empty when the machine has none. */
    chromium: string
  }
}

/** The first has no window to draw, which takes a fifth less time. */
const NAMES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]
const found = () => NAMES.find((name) => existsSync(name))

export default async function setup(project: TestProject): Promise<void> {
  project.provide('consoleFolder', await builtConsole('', createLog('silent')))
  const chromium = found() ?? install()
  if (!chromium)
    console.error(
      '\nNO CHROMIUM: the tests of the console in a real browser are SKIPPED. Install one as root: apt-get install chromium\n',
    )
  project.provide('chromium', chromium ?? '')
}

/** Debian's own, where that is allowed. */
function install(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  console.error('There is no Chromium here: installing it with apt-get for the tests of the console.')
  const run = (...args: string[]) => spawnSync('apt-get', args, { stdio: 'ignore', timeout: 300_000 })
  run('update')
  for (const name of ['chromium-headless-shell', 'chromium']) {
    run('install', '-y', '--no-install-recommends', name)
    if (found()) break
  }
  return found()
}
