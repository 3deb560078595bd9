// Imports point one way: between the rooms, from features to the platform, and never in a circle.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'
import { isTest, sourceFiles } from './source-files.ts'

/** What each room may import, besides itself. */
const ALLOWED: Record<string, string[]> = {
  contract: ['forms'],
  server: ['contract', 'forms'],
  client: ['contract', 'forms'],
  console: ['client', 'forms'],
  forms: [],
  bench: ['client', 'contract', 'server', 'forms'],
  scripts: ['contract', 'server'],
}

/** Rooms that also run in browsers and in Deno. */
const WITHOUT_NODE = ['contract', 'client', 'forms', 'console']
/** Run by Node from the command line, and imported by nobody. */
const COMMANDS = ['client/src/commands/', 'console/build/']
const isCommand = (file: string) => COMMANDS.some((folder) => file.startsWith(folder))

const files = sourceFiles().filter((file) => !isTest(file) && file.includes('/'))
const imports = new Map(files.map((file) => [file, importsOf(file)]))
const faults = [
  ...[...imports].flatMap(([file, targets]) => targets.flatMap((target) => fault(file, target))),
  ...circles(),
]
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}

/** The project's own files that a file imports; a type alone is no arrow in a circle but is one between rooms. */
function importsOf(file: string): { path: string; isType: boolean }[] {
  const { module } = parseSync(file, readFileSync(file, 'utf8'))
  const all = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      request: moduleRequest.value,
      isType: entries.length > 0 && entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) =>
        entry.moduleRequest ? [{ request: entry.moduleRequest.value, isType: entry.isType }] : [],
      ),
    ),
  ]
  return all.flatMap(({ request, isType }) => {
    if (request.startsWith('node:')) return [{ path: request, isType }]
    const path = resolve(file, request)
    return path ? [{ path, isType }] : []
  })
}

function resolve(file: string, request: string): string | null {
  if (request.startsWith('.')) return normalize(join(dirname(file), request))
  const [, room, rest] = /^@almoner\/([a-z]+)(?:\/(.+))?$/.exec(request) ?? []
  return room ? `${room}/src/${rest ?? 'index'}.ts` : null
}

function fault(file: string, { path }: { path: string }): string[] {
  const [from = '', to = ''] = [file.split('/')[0], path.split('/')[0]]
  const isWithoutNode = WITHOUT_NODE.includes(from) && !isCommand(file)
  if (path.startsWith('node:')) return isWithoutNode ? [`${file} imports ${path}, but ${from} runs without Node.`] : []
  if (isCommand(path) && !isCommand(file)) return [`${file} imports ${path}: a command is run, and imported by nobody.`]
  if (!existsSync(path)) return [`${file} imports ${path}, which is not there.`]
  if (from !== to && !ALLOWED[from]?.includes(to)) return [`${file} imports ${path}: ${from} may not import ${to}.`]
  if (from !== 'server' || to !== 'server') return []
  const [ours, theirs] = [partOf(file), partOf(path)]
  if (ours.part === 'platform' && theirs.part !== 'platform')
    return [`${file} imports ${path}: the platform imports no feature.`]
  const isOtherFeature =
    ours.part === 'features' &&
    theirs.part === 'features' &&
    ours.feature !== theirs.feature &&
    ours.feature !== 'index.ts'
  if (isOtherFeature && !path.endsWith('/index.ts'))
    return [`${file} imports ${path}: a feature uses another only through its index.ts.`]
  return []
}

function partOf(file: string): { part: string; feature: string } {
  const [, , part = '', feature = ''] = file.split('/')
  return { part, feature }
}

function circles(): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, trail: string[]): void => {
    if (trail.includes(file))
      return void found.push(`A circle: ${[...trail.slice(trail.indexOf(file)), file].join(' → ')}`)
    if (done.has(file)) return
    for (const { path, isType } of imports.get(file) ?? []) if (!isType) visit(path, [...trail, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  return found
}
