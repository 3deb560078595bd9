import { getPatientImport, importPatients, listPatientImportLines } from '@almoner/contract/people/patient-files'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { startTask } from '../tasks/index.ts'
import { readPatientCsv } from './patient-csv.ts'
import { importPatientsJob } from './patient-import-task.ts'
import { findImport, insertImport, linesPage, type PatientImport } from './queries/patient-import.ts'

export const patientImports = [
  implement(importPatients, async ({ body }, { db, actor, reach, now, queue, audit }) => {
    const { organizationId, dryRun, notifications } = body
    const { columns, lines } = await readPatientCsv(body.csv)
    const task = { kind: importPatientsJob.name, organizationId, createdBy: actor.userId, total: lines.length }
    const taskId = await startTask(db, task, now)
    const given = { organizationId, taskId, dryRun, notifications, columns }
    const importId = await insertImport(db, given, lines, now)
    await queue.add(importPatientsJob, { importId })
    audit.touched([], [organizationId])
    return foundImport(db, reach, importId)
  }),

  implement(getPatientImport, ({ id }, { db, reach }) => foundImport(db, reach, id)),

  implement(listPatientImportLines, async ({ importId, filter, page }, { db, reach, audit }) => {
    const { organizationId } = await foundImport(db, reach, importId)
    const { items, total } = await linesPage(db, importId, filter.outcome, page)
    const individualIds = items.flatMap(({ individualId, warnings }) => [
      ...(individualId ? [individualId] : []),
      ...warnings.flatMap((warning) => warning.individualIds),
    ])
    audit.touched(individualIds, [organizationId])
    return { items, total }
  }),
]

async function foundImport(db: Database, reach: string[], id: string): Promise<PatientImport> {
  const found = await findImport(db, reach, id)
  if (!found) throw new Problem('NotFound', { what: 'import of patients' })
  return found
}
