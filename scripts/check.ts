// `npm run check`: everything that can be told about the code without running it.

import { spawn } from 'node:child_process'

const node = process.execPath
const steps: [name: string, command: string, args: string[]][] = [
  ['types', 'tsc', ['-p', '.']],
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['import arrows', node, ['scripts/arrows.ts']],
  ['file sizes and names', node, ['scripts/files.ts']],
  ['dead code', 'knip', ['--no-progress']],
  ['printed documents', node, ['scripts/print-docs.ts', '--check']],
]

let failed = false
for (const [name, command, args] of steps) {
  const { code, output } = await run(command, args)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (code === 0) continue
  failed = true
  console.log(output)
}
process.exit(failed ? 1 : 0)

function run(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ code: 1, output: String(error) }))
    child.on('close', (code) => resolve({ code, output }))
  })
}
