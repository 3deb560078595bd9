import { parseArgs } from 'node:util'

export const ROLES = ['all', 'web', 'worker'] as const
export type ProcessRole = (typeof ROLES)[number]

export interface CommandLine {
  role: ProcessRole
  processes: number
}

export class WrongCommandLine extends Error {}

export const USAGE = 'Usage: npm start -- [--role all|web|worker] [--processes N]'

export function readCommandLine(args: string[]): CommandLine | 'help' {
  if (args.includes('--help')) return 'help'
  const { role, processes } = parse(args)
  const known = ROLES.find((one) => one === role)
  if (!known) throw new WrongCommandLine(`--role must be one of ${ROLES.join(', ')}.\n${USAGE}`)
  if (!/^[1-9]\d{0,2}$/.test(processes))
    throw new WrongCommandLine(`--processes must be a whole number from 1 to 999.\n${USAGE}`)
  return { role: known, processes: Number(processes) }
}

function parse(args: string[]): { role: string; processes: string } {
  const options = { role: { type: 'string', default: 'all' }, processes: { type: 'string', default: '1' } } as const
  try {
    return parseArgs({ args, options, strict: true }).values
  } catch (error) {
    throw new WrongCommandLine(`${(error as Error).message}\n${USAGE}`)
  }
}
