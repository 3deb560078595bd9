import { parseArgs } from 'node:util'
import { NOTIFICATIONS, USER_STATES } from '@almoner/contract/identity/users'

export const USAGE = `Usage:
  npm run patients -- import <file.csv> --organization <name or id> [--dry-run] [--notify email,sms]
  npm run patients -- report <import id>
  npm run patients -- export --organization <name or id> [--state <state,state>] [--output <file.csv>]

Each takes --url <address>, http://127.0.0.1:8080 when left out, and --username <username>. The password is read from
ALMONER_PASSWORD, or asked for. With an access token in ALMONER_TOKEN neither is needed.

It ends with 0 when all went well, with 1 when lines were refused, and with 2 when it could not be done.`

/** Something that whoever typed the command can mend. */
export class CannotDo extends Error {}

interface Common {
  url: string
  username: string | undefined
}
type Notification = (typeof NOTIFICATIONS)[number]
type State = (typeof USER_STATES)[number]

export interface ImportCommand extends Common {
  name: 'import'
  file: string
  organization: string
  dryRun: boolean
  notifications: Notification[]
}
export interface ReportCommand extends Common {
  name: 'report'
  importId: string
}
export interface ExportCommand extends Common {
  name: 'export'
  organization: string
  states: State[]
  output: string | undefined
}

const COMMON = { url: { type: 'string', default: 'http://127.0.0.1:8080' }, username: { type: 'string' } } as const
const IMPORT = {
  ...COMMON,
  organization: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  notify: { type: 'string', default: '' },
} as const
const EXPORT = {
  ...COMMON,
  organization: { type: 'string' },
  state: { type: 'string', default: '' },
  output: { type: 'string' },
} as const

export function readCommandLine(args: string[]): ImportCommand | ReportCommand | ExportCommand | 'help' {
  if (args.length > 0 && args.includes('--help')) return 'help'
  const [name, ...rest] = args
  try {
    if (name === 'import') return readImport(rest)
    if (name === 'report') return readReport(rest)
    if (name === 'export') return readExport(rest)
  } catch (error) {
    throw error instanceof CannotDo ? error : new CannotDo(`${(error as Error).message}\n\n${USAGE}`)
  }
  throw new CannotDo(USAGE)
}

function readImport(args: string[]): ImportCommand {
  const { values, positionals } = parseArgs({ args, options: IMPORT, allowPositionals: true })
  const notifications = among(values.notify, NOTIFICATIONS, '--notify')
  return {
    name: 'import',
    file: only(positionals, 'a file'),
    organization: named(values.organization),
    dryRun: values['dry-run'],
    notifications,
    ...common(values),
  }
}

function readReport(args: string[]): ReportCommand {
  const { values, positionals } = parseArgs({ args, options: COMMON, allowPositionals: true })
  return { name: 'report', importId: only(positionals, 'the id of an import'), ...common(values) }
}

function readExport(args: string[]): ExportCommand {
  const { values } = parseArgs({ args, options: EXPORT })
  const states = among(values.state, USER_STATES, '--state')
  return { name: 'export', organization: named(values.organization), states, output: values.output, ...common(values) }
}

function common({ url, username }: { url: string; username?: string }): Common {
  if (!URL.canParse(url)) throw new CannotDo(`--url must be an address such as ${COMMON.url.default}.`)
  return { url, username }
}

function only([first, ...others]: string[], what: string): string {
  if (first === undefined || others.length > 0) throw new CannotDo(`Name ${what}, and only one.\n\n${USAGE}`)
  return first
}

function named(organization: string | undefined): string {
  if (!organization) throw new CannotDo(`Name the organization with --organization.\n\n${USAGE}`)
  return organization
}

function among<const T extends string>(given: string, allowed: readonly T[], option: string): T[] {
  const names = given.split(',').filter((name) => name !== '')
  return names.map((name) => {
    const known = allowed.find((one) => one === name)
    if (!known) throw new CannotDo(`${option} takes ${allowed.join(', ')}, separated by commas.`)
    return known
  })
}
