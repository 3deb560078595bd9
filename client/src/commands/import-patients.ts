import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { IMPORT_LIMITS } from '@almoner/contract/people/patient-files'
import type { Almoner } from '../index.ts'
import { CannotDo, type ImportCommand } from './command-line.ts'
import { rowsOf, summaryOf } from './import-report.ts'
import { progressBar } from './progress-bar.ts'
import { organizationNamed } from './signing-in.ts'

const REFUSED_SHOWN = 20
const POLL_MS = { first: 200, longest: 2000 }

/** Read before anyone is asked for a password. */
export async function readCsvFile(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CannotDo(`${file} cannot be read: ${error.code ?? error.message}.`)
  })
  if (!isUtf8(bytes) || bytes.includes(0))
    throw new CannotDo(`${file} is not text in UTF-8. Save it as "CSV UTF-8" and try again.`)
  if (bytes.length > IMPORT_LIMITS.bytes) throw new CannotDo(`${file} is larger than 10 MiB. Split it.`)
  return bytes.toString('utf8')
}

/** Answers whether every line was good. */
export async function importPatients(almoner: Almoner, command: ImportCommand, csv: string): Promise<boolean> {
  const { dryRun, notifications } = command
  const organizationId = await organizationNamed(almoner, command.organization)
  const { id, taskId } = await almoner.importPatients({ body: { organizationId, csv, dryRun, notifications } })
  const interrupted = () => {
    console.error(`\nThe service goes on with it. See what came of it with: npm run patients -- report ${id}`)
    process.exit(2)
  }
  process.once('SIGINT', interrupted)
  await finished(almoner, taskId)
  process.off('SIGINT', interrupted)
  const done = await almoner.getPatientImport({ id })
  console.log(summaryOf(done))
  if (done.refusedCount > 0) await showRefused(almoner, id)
  else if (done.warningCount > 0) console.log(`See the warnings with: npm run patients -- report ${id}`)
  return done.refusedCount === 0
}

async function finished(almoner: Almoner, taskId: string): Promise<void> {
  const bar = progressBar(process.stderr)
  try {
    for (let wait = POLL_MS.first; ; wait = Math.min(wait * 1.5, POLL_MS.longest)) {
      const { state, done, total, error } = await almoner.getTask({ id: taskId })
      bar.show(done, total ?? done)
      if (state === 'completed') return
      if (state === 'failed') throw new CannotDo(error ?? 'It failed.')
      await pause(wait)
    }
  } finally {
    bar.end()
  }
}

async function showRefused(almoner: Almoner, importId: string): Promise<void> {
  const { items, total } = await almoner.listPatientImportLines({
    importId,
    filter: { outcome: 'refused' },
    page: { limit: REFUSED_SHOWN },
  })
  for (const line of items) for (const row of rowsOf(line)) console.log(row)
  const more = total - items.length
  if (more > 0)
    console.log(`${more.toLocaleString('en-US')} more refused. See all with: npm run patients -- report ${importId}`)
}
