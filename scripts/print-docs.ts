// `npm run docs` prints the documents that are made from the code; with --check it says which are out of date.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { errors } from '@almoner/contract'
import { openapi } from '@almoner/contract/openapi'
import { environmentName, settings } from '@almoner/server/platform/config/settings'

const documents: Record<string, () => string> = {
  'docs/openapi.json': () => `${JSON.stringify(openapi(), null, 2)}\n`,
  'docs/errors.md': errorsPage,
  'docs/configuration.md': configurationPage,
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
