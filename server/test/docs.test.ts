// The documents tell the truth: their examples are run, their quotations are compared with the code.

import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '@almoner/client'
import { kebab } from '@almoner/contract'
import { beforeAll, expect, test } from 'vitest'
import { makeFirstOrganization } from '../src/features/identity/index.ts'
import { LISTED_FIELDS } from '../src/features/people/listed-fields.ts'
import { cleanUp } from './support/clean-up.ts'
import { startTestService, type TestService } from './support/service.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const DEMO = { name: 'Demo Clinic', username: 'admin@demo.example', password: 'almoner-demo-1' }
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const blocks = (file: string, language: string) =>
  Array.from(
    read(file).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')),
    ([, code]) => code as string,
  )
const pages = [
  'README.md',
  ...['docs', 'docs/decisions']
    .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.md')),
]

const hasCurl = spawnSync('curl', ['--version']).status === 0
if (!hasCurl) console.warn('SKIPPED: there is no curl here, so the calls of the README are not run.')

let service: TestService

beforeAll(async () => {
  // The receiver of docs/webhooks.md is on this machine.
  service = await startTestService({ environment: { WEBHOOK_ALLOW: '127.0.0.1' } })
  await makeFirstOrganization(service.db, DEMO)
  // Something has happened there.
  const almoner = connect({ baseUrl: service.url })
  await almoner.login({ body: { username: DEMO.username, password: DEMO.password } })
  const [organization] = (await almoner.listOrganizations()).items
  await almoner.createGroup({ body: { organizationId: organization?.id ?? '', name: 'Day team' } })
})

test.skipIf(!hasCurl).each([
  ['README.md', ['"type":"organizations"', '"type":"individual-groups"']],
  ['docs/event-stream.md', ['"type":"events"', ': following\n', '\nevent: group.created\ndata: {']],
])('the calls of %s with curl work', async (page, expected) => {
  const [script] = blocks(page, 'sh').filter((block) => block.includes('curl'))
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script as string], {
    env: { ...process.env, BASE: service.url },
  })
  for (const part of expected) expect(stdout).toContain(part)
})

test.skipIf(!hasCurl)('the calls of docs/alerts.md with curl work', async () => {
  const almoner = connect({ baseUrl: service.url, retries: 0 })
  const { accessToken: TOKEN } = await almoner.login({ body: { username: DEMO.username, password: DEMO.password } })
  const [organization] = (await almoner.listOrganizations()).items
  const organizationId = organization?.id as string
  const { id: PATIENT } = await almoner.createPatient({
    body: {
      ...{ organizationId, firstName: 'Cora', lastName: 'Lind', birthDate: '1950-01-01' },
      ...{ gender: 'female', email: 'cora@example.org' },
    },
  })
  const scripts = blocks('docs/alerts.md', 'sh')
  expect(scripts).toHaveLength(4)
  for (const script of scripts) {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      env: { ...process.env, BASE: service.url, TOKEN, ORGANIZATION: organizationId, PATIENT },
    })
    expect(JSON.parse(stdout)).toHaveProperty('data')
  }
})

test.each([
  ['README.md', 'node'],
  ['README.md', 'deno'],
  ['docs/identity.md', 'node'],
  ['docs/individuals.md', 'node'],
  ['docs/metrics.md', 'node'],
  ['docs/event-stream.md', 'node'],
  ['docs/event-stream.md', 'deno'],
  ['docs/notifications.md', 'node'],
  ['docs/webhooks.md', 'node'],
  ['docs/alerts.md', 'node'],
])('the program of %s works in %s', async (page, runtime) => {
  const programs = blocks(page, 'ts')
  expect(programs).toHaveLength(1)
  // Inside the client's room, where its packages are found.
  const directory = await mkdtemp(join(ROOT, 'client/.program-'))
  cleanUp(() => rm(directory, { recursive: true }))
  const file = join(directory, 'program.ts')
  await writeFile(file, programs[0] as string)
  const [command, args] =
    runtime === 'node'
      ? [process.execPath, [file]]
      : [join(ROOT, 'node_modules/.bin/deno'), ['run', '--no-prompt', '--allow-net', '--allow-env', file]]
  const { stdout } = await promisify(execFile)(command, args, { env: { ...process.env, BASE: service.url } })
  expect(stdout).not.toBe('')
  if (page === 'docs/webhooks.md') expect(stdout).toMatch(/^webhook\.test .*\nThe test succeeded\./)
})

test('what is quoted from the code stands there', () => {
  const quotations = blocks('docs/adding-an-operation.md', 'ts')
  expect(quotations.length).toBeGreaterThan(5)
  for (const quotation of quotations) {
    const [, file, code] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(quotation) as unknown as [string, string, string]
    expect(read(file), `quoted from ${file}`).toContain(code)
  }
})

test('the table of fields says of each whether it is filled', () => {
  const table = new Map(
    Array.from(read('docs/individuals.md').matchAll(/^\| `([a-z0-9-]+)` \| [^|]+ \| (.+) \|$/gm), ([, name, by]) => [
      name as string,
      by as string,
    ]),
  )
  for (const [field, at] of Object.entries(LISTED_FIELDS))
    expect([field, table.get(kebab(field))?.includes('not there yet')]).toEqual([field, at === null])
})

test('the files that docs/security.md names are there', () => {
  const named = Array.from(
    read('docs/security.md').matchAll(/`((?:server|contract|src|test|pages|migrations)\/\S+)`/g),
    ([, file]) => file as string,
  )
  expect(named.length).toBeGreaterThan(50)
  for (const file of named) {
    const isWhole = /^(server|contract)\//.test(file)
    expect(() => read(isWhole ? file : `server/${file}`), file).not.toThrow()
  }
})

test.each(pages)('the links of %s lead somewhere', (file) => {
  const links = Array.from(read(file).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g), ([, target]) => target as string)
  for (const target of links)
    expect(() => read(join(dirname(file), target)) || true, `${file} → ${target}`).not.toThrow()
})
