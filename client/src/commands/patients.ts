// `npm run patients`: patients from a CSV file into a running service, and out of it.

import { AlmonerError } from '../index.ts'
import { CannotDo, readCommandLine, USAGE } from './command-line.ts'
import { exportPatients } from './export-patients.ts'
import { importPatients, readCsvFile } from './import-patients.ts'
import { printReport } from './import-report.ts'
import { signedIn } from './signing-in.ts'

const [LINES_REFUSED, NOT_DONE] = [1, 2]

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  // Whoever reads along may have read enough.
  if ((error as NodeJS.ErrnoException).code !== 'EPIPE') {
    for (const line of wordsFor(error)) console.error(line)
    process.exitCode = NOT_DONE
  }
}

async function run(args: string[]): Promise<number> {
  const command = readCommandLine(args)
  if (command === 'help') {
    console.log(USAGE)
    return 0
  }
  if (command.name === 'import') {
    const csv = await readCsvFile(command.file)
    return (await signedIn(command, (almoner) => importPatients(almoner, command, csv))) ? 0 : LINES_REFUSED
  }
  if (command.name === 'export') await signedIn(command, (almoner) => exportPatients(almoner, command))
  else await signedIn(command, (almoner) => printReport(almoner, command.importId))
  return 0
}

function wordsFor(error: unknown): string[] {
  if (error instanceof AlmonerError)
    return error.errors.length > 0 ? error.errors.map(({ detail }) => detail) : [error.message]
  if (error instanceof CannotDo) return [error.message]
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  return [cause ? `The service cannot be reached: ${cause.code ?? cause.message}.` : message]
}
