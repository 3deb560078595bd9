// PostgreSQL refuses to run as root. When the service runs as root, its PostgreSQL runs as an unprivileged user.

import { chown, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Runner {
  /** A command line that runs the given one as the right user. */
  command(program: string, args: string[]): [program: string, args: string[]]
  own(directory: string): Promise<void>
}

const asOneself: Runner = { command: (program, args) => [program, args], own: async () => {} }

/** `places` are what the unprivileged user must be able to reach: the programs and the data. */
export async function unprivilegedRunner(existing: string, places: string[]): Promise<Runner> {
  if (process.getuid?.() !== 0) return asOneself
  const { uid, gid } = await chooseUser(existing)
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const reachable = (await Promise.all(places.map((place) => isReachable(place, uid)))).every(Boolean)
  const privileges = reachable ? ['--inh-caps=-all'] : await searchPrivilege()
  return {
    command: (program, args) => ['setpriv', [...identity, ...privileges, '--', program, ...args]],
    own: (directory) => chown(directory, uid, gid),
  }
}

/** Whoever owns the data already; else the system's postgres user; else nobody, which every Debian has. */
async function chooseUser(existing: string): Promise<{ uid: number; gid: number }> {
  const owner = await stat(existing).catch(() => null)
  if (owner && owner.uid !== 0) return owner
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user)
    throw new Error('There is neither a user postgres nor nobody to run PostgreSQL as. Start as an ordinary user.')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

async function isReachable(place: string, uid: number): Promise<boolean> {
  const { mode, uid: owner } = await stat(place)
  const mayEnter = owner === uid ? mode & 0o100 : mode & 0o001
  return Boolean(mayEnter) && (place === '/' || isReachable(dirname(place), uid))
}

/**
 * A checkout in root's own home is closed to others. The user is then given the one capability to pass closed
 * directories; `no_setuid_fixup` makes access(2), by which PostgreSQL finds its own programs, heed it.
 * Containers often lack CAP_DAC_READ_SEARCH (bit 2) but have CAP_DAC_OVERRIDE.
 */
async function searchPrivilege(): Promise<string[]> {
  const status = await readFile('/proc/self/status', 'utf8')
  const effective = BigInt(`0x${/CapEff:\s*([0-9a-f]+)/.exec(status)?.[1] ?? '0'}`)
  const capability = effective & 0b100n ? 'dac_read_search' : 'dac_override'
  return ['--securebits=+no_setuid_fixup', `--inh-caps=-all,+${capability}`, `--ambient-caps=+${capability}`]
}
