import type { AnswerOf } from '@almoner/contract'
import type { getPatientImport, listPatientImportLines } from '@almoner/contract/people/patient-files'
import type { Almoner } from '../index.ts'

type Import = AnswerOf<typeof getPatientImport>
type Line = AnswerOf<typeof listPatientImportLines>['items'][number]

const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

export function summaryOf({ dryRun, lineCount, createdCount, refusedCount, warningCount }: Import): string {
  const created = `${counted(createdCount, 'patient')} ${dryRun ? 'would be created' : 'created'}`
  const warnings = warningCount > 0 ? `, ${counted(warningCount, 'line')} with a warning` : ''
  return `${counted(lineCount, 'line')}: ${created}, ${counted(refusedCount, 'line')} refused${warnings}`
}

/** A row for each fault and each warning. */
export function rowsOf({ line, faults, warnings }: Line): string[] {
  return [
    ...faults.map(({ column, detail }) => `line ${line}: ${column ? `${column}: ` : ''}${detail}`),
    ...warnings.map(({ detail, lines, individualIds }) => {
      const who = [...lines.map((one) => `line ${one}`), ...individualIds].join(', ')
      return `line ${line}: warning: ${detail} (${who})`
    }),
  ]
}

/** Everything that is worth reading of an import. */
export async function printReport(almoner: Almoner, importId: string): Promise<void> {
  const found = await almoner.getPatientImport({ id: importId })
  for await (const line of almoner.listPatientImportLines.each({ importId, page: { limit: 1000 } }))
    for (const row of rowsOf(line)) console.log(row)
  console.log(found.finishedAt ? summaryOf(found) : `It is ${found.state}. So far, of ${summaryOf(found)}`)
}
