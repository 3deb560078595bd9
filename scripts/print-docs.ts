// `npm run docs` prints the documents that are made from the code; with --check it says which are out of date.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  catalogue,
  errors,
  events,
  type Fields,
  kebab,
  type Operation,
  ROLES,
  type Role,
  SERVICE_ROLES,
} from '@almoner/contract'
import { metricTypes } from '@almoner/contract/metrics/metric-types'
import { openapi } from '@almoner/contract/openapi'
import { environmentName, settings } from '@almoner/server/platform/config/settings'

const documents: Record<string, () => string> = {
  'docs/openapi.json': () => `${JSON.stringify(openapi(), null, 2)}\n`,
  'docs/errors.md': errorsPage,
  'docs/configuration.md': configurationPage,
  'docs/access.md': accessPage,
  'docs/metric-types.md': metricTypesPage,
  'docs/events.md': eventsPage,
}

function errorsPage(): string {
  const rows = Object.entries(errors).map(
    ([code, { status, detail }]) => `| \`${code}\` | ${status} | ${cell(detail)} |`,
  )
  return page('Errors', [
    'A refused or failed call answers `{"errors": [{"status", "code", "detail", "meta"}]}`. There is one entry for every fault found.',
    '`meta` holds what the wording names in braces: the place of a fault is a JSON pointer into the body in `meta.pointer`, or the name of a query parameter in `meta.parameter`.',
    `| code | status | detail |\n|---|---|---|\n${rows.join('\n')}`,
  ])
}

function accessPage(): string {
  const callers = [...ROLES, ...SERVICE_ROLES]
  const rows = Object.values(catalogue as Record<string, Operation>).map(({ id, access, recorded }) => {
    const may = (role: Role) => {
      if (access.kind === 'anyone') return 'yes'
      if (access.kind === 'signed-in') return SERVICE_ROLES.some((one) => one === role) ? '' : 'yes'
      return access.roles.includes(role) ? 'yes' : ''
    }
    return `| \`${id}\` | ${access.kind === 'anyone' ? 'yes' : ''} | ${callers.map(may).join(' | ')} | ${recorded ? 'yes' : ''} |`
  })
  return page('Access', [
    'Who may call which operation. It is declared on the operation, checked before its handler runs, and tried for every operation and role by a test.',
    "A role is held in an organization, and reaches the things of that organization alone: those of others are not found. A device or a job is held to its scopes besides. “Recorded” operations read or write people's records or change who may do what, and each call is in the audit trail. So are sign-ins, and every call refused for lack of rights.",
    `| operation | nobody signed in | ${callers.join(' | ')} | recorded |\n|---|---|${callers.map(() => '---|').join('')}---|\n${rows.join('\n')}`,
  ])
}

function metricTypesPage(): string {
  const rows = [...metricTypes.values()].flatMap(({ name, meaning, fields, isOpen, isDeprecated }) => {
    const about = `\`${name}\` | ${meaning}${isDeprecated ? ' (deprecated)' : ''}`
    if (isOpen) return [`| ${about} | any | number, text, true or false | | at least one |`]
    return Object.entries(fields).map(([field, declared], place) => {
      const { kind, unit = '', minimum, maximum, values, isOptional, isAdditive } = declared
      const may = values ? values.join(', ') : minimum === undefined ? '' : `${minimum} to ${maximum}`
      const notes = [isOptional ? 'may be left out' : '', isAdditive ? 'adds up' : ''].filter(Boolean).join(', ')
      const what = place === 0 ? about : ' | '
      return `| ${what} | \`${field}\` | ${kind}${may ? `: ${may}` : ''} | ${unit} | ${notes} |`
    })
  })
  return page('Metric types', [
    'The types of metrics and the fields of their points. What lies outside the bounds is impossible, not merely unhealthy, and is refused. A type with several fields that may be left out needs at least one of them. What “adds up” has a `sum` in summaries. [metrics.md](metrics.md) says how points are pushed and read.',
    `| type | meaning | field | values | unit | |\n|---|---|---|---|---|---|\n${rows.join('\n')}`,
  ])
}

function eventsPage(): string {
  const sections = Object.entries(events).map(([kind, { description, data }]) => {
    const rows = Object.entries(data as Fields).map(([name, schema]) => {
      const { type, meaning } = described(schema)
      return `| \`${kebab(name)}\` | ${cell(type)} | ${cell(meaning)} |`
    })
    return `## ${kind}\n\n${description}\n\n| data | type | meaning |\n|---|---|---|\n${rows.join('\n')}`
  })
  return page('Events', [
    'Every kind of event, when it happens, and what it carries in `data`. An event is written together with the change it tells of: neither is there without the other. [event-stream.md](event-stream.md) says how events are listed and followed.',
    ...sections,
  ])
}

interface Described {
  type?: string
  format?: string
  enum?: string[]
  description?: string
  anyOf?: Described[]
  items?: Described
}

function described(schema: Described): { type: string; meaning: string } {
  const { type = 'object', format, enum: values, anyOf, items, description: meaning = '' } = schema
  const inner = anyOf?.find((one) => one.type !== 'null')
  if (inner) {
    const of = described(inner)
    return { type: `${of.type} or null`, meaning: meaning || of.meaning }
  }
  if (items) return { type: `list of ${described(items).type}`, meaning }
  if (values) return { type: `one of ${values.map((one) => `\`${one}\``).join(', ')}`, meaning }
  return { type: format ?? { string: 'text', boolean: 'true or false' }[type] ?? type, meaning }
}

function configurationPage(): string {
  const rows = Object.entries(settings).map(([name, { kind, default: fallback, meaning }]) => {
    const shown =
      name === 'dataDir'
        ? '`.almoner` in the checkout'
        : fallback === undefined || String(fallback) === ''
          ? ''
          : `\`${fallback}\``
    return `| \`${environmentName(name)}\` | ${cell(meaning)} | ${cell(kind.allowed)} | ${shown} |`
  })
  return page('Configuration', [
    'Settings are environment variables. A value that is not allowed, or a name that is almost one of these, stops the start and says what to change.',
    `| setting | meaning | allowed | when not set |\n|---|---|---|---|\n${rows.join('\n')}`,
    'The command line chooses what a process does: `npm start -- --role all|web|worker --processes N`. One process does everything when nothing is said.',
  ])
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
const page = (title: string, paragraphs: string[]): string =>
  `# ${title}\n\n<!-- Printed by \`npm run docs\`: change the code it is made from, not this page. -->\n\n${paragraphs.join('\n\n')}\n`

const isCheck = process.argv.includes('--check')
const stale = Object.entries(documents).filter(
  ([file, print]) => !existsSync(file) || readFileSync(file, 'utf8') !== print(),
)
for (const [file, print] of isCheck ? [] : stale) writeFileSync(file, print())
if (stale.length > 0)
  console.log(`${isCheck ? 'Out of date, run npm run docs' : 'Printed'}: ${stale.map(([file]) => file).join(', ')}`)
if (isCheck && stale.length > 0) process.exit(1)
