// The data directory belongs to one running service at a time.

import { mkdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createOnce } from '../config/create-once.ts'

export class DataDirectoryInUse extends Error {
  constructor(directory: string, pid: number) {
    super(
      `The data directory ${directory} is in use by process ${pid}. Stop that process, choose another directory with ` +
        'DATA_DIR, or let several processes share one database with DATABASE_URL.',
    )
  }
}

/** Claims the directory until the returned function is called; a claim whose process is gone is taken over. */
export async function claimDataDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true, mode: 0o755 })
  const file = join(directory, 'almoner.pid')
  const claim = `${process.pid} ${await startTime(process.pid)}`
  while (!(await createOnce(file, claim))) {
    const holder = await readFile(file, 'utf8').catch(() => '')
    if (await isRunning(holder)) throw new DataDirectoryInUse(directory, Number.parseInt(holder, 10))
    await unlink(file).catch(() => {})
    // Two processes may find the same dead claim at once: give the other's unlink time to pass before writing ours.
    await sleep(50)
  }
  return async () => {
    if ((await readFile(file, 'utf8').catch(() => '')) === claim) await unlink(file)
  }
}

async function isRunning(claim: string): Promise<boolean> {
  const pid = Number.parseInt(claim, 10)
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return claim === `${pid} ${await startTime(pid)}`
}

/** When a process began, in clock ticks since boot: tells a process from a later one with the same number. */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name in parentheses and may hold spaces; the start time is field 22.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
