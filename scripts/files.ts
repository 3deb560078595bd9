// A file that passes 400 lines wants to be two, and a name says what a file holds.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isTest, sourceFiles } from './source-files.ts'

const MAXIMUM_LINES = 400
const EMPTY_NAMES = /^(utils?|helpers?|common|misc|types)\.tsx?$/
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.config)?\.tsx?$/

const faults = sourceFiles().flatMap((file) => {
  const lines = readFileSync(file, 'utf8').split('\n').length
  const name = basename(file)
  return [
    ...(lines > MAXIMUM_LINES && !isTest(file) ? [`${file} has ${lines} lines; ${MAXIMUM_LINES} is the end.`] : []),
    ...(EMPTY_NAMES.test(name) ? [`${file}: the name does not say what it holds.`] : []),
    ...(KEBAB_CASE.test(name) ? [] : [`${file}: file names are kebab-case.`]),
  ]
})
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}
