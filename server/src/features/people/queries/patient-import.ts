import type { AnswerOf, Conditions, Page } from '@almoner/contract'
import type { getPatientImport, LINE_OUTCOMES, listPatientImportLines } from '@almoner/contract/people/patient-files'
import { type Generated, sql } from 'kysely'
import { v7 } from 'uuid'
import { anyOf } from '../../../platform/db/any-of.ts'
import { textHolds } from '../../../platform/db/conditions.ts'
import type { Database } from '../../../platform/db/database.ts'
import { pageOf } from '../../../platform/db/paging.ts'
import type { CsvLine } from '../patient-csv.ts'

export type PatientImport = AnswerOf<typeof getPatientImport>
type ListedLine = AnswerOf<typeof listPatientImportLines>['items'][number]
type Outcome = (typeof LINE_OUTCOMES)[number]
export type LineReport = Pick<ListedLine, 'outcome' | 'individualId' | 'faults' | 'warnings'>

declare module '../../../platform/db/tables.ts' {
  interface Tables {
    patientImports: {
      id: string
      organizationId: string
      taskId: string
      dryRun: boolean
      notifications: ('email' | 'sms')[]
      columns: string[]
      lineCount: number
      createdCount: Generated<number>
      refusedCount: Generated<number>
      warningCount: Generated<number>
      failures: Generated<number>
      workedAt: Date
      createdAt: Date
      finishedAt: Generated<Date | null>
    }
    patientImportLines: {
      importId: string
      line: number
      id: string
      cells: string[] | null
      outcome: Outcome | null
      individualId: string | null
      faults: LineReport['faults']
      warnings: LineReport['warnings']
      personKey: string | null
      username: string | null
    }
  }
}

export const findImport = (db: Database, reach: string[], id: string): Promise<PatientImport | undefined> =>
  db
    .selectFrom('patientImports as p')
    .innerJoin('tasks', 'tasks.id', 'p.taskId')
    .select(['p.id', 'p.organizationId', 'p.dryRun', 'tasks.state', 'p.taskId', 'p.lineCount', 'p.createdCount'])
    .select(['p.refusedCount', 'p.warningCount', 'p.createdAt', 'p.finishedAt'])
    .where('p.id', '=', id)
    .where('p.organizationId', '=', anyOf(reach))
    .executeTakeFirst()

interface NewImport {
  organizationId: string
  taskId: string
  dryRun: boolean
  notifications: ('email' | 'sms')[]
  columns: string[]
}

const LINES_A_STATEMENT = 1000

/** Answers its id. */
export async function insertImport(db: Database, given: NewImport, lines: CsvLine[], now: Date): Promise<string> {
  const id = v7()
  const row = { ...given, id, lineCount: lines.length, workedAt: now, createdAt: now }
  await db.insertInto('patientImports').values(row).execute()
  for (let at = 0; at < lines.length; at += LINES_A_STATEMENT) {
    const some = lines.slice(at, at + LINES_A_STATEMENT)
    const [numbers, ids, cells] = [
      some.map(({ line }) => line),
      some.map(() => v7()),
      some.map((one) => JSON.stringify(one.cells)),
    ]
    await sql`insert into patient_import_lines (import_id, line, id, cells)
      select ${id}, line, id, cells::jsonb
      from unnest(${numbers}::int[], ${ids}::uuid[], ${cells}::text[]) given (line, id, cells)`.execute(db)
  }
  return id
}

export function linesPage(
  db: Database,
  importId: string,
  outcome: Conditions<Outcome> | undefined,
  page: { limit: number; offset: number },
): Promise<Page<ListedLine>> {
  let query = db
    .selectFrom('patientImportLines')
    .select(['id', 'line', sql<Outcome>`outcome`.as('outcome'), 'individualId', 'faults', 'warnings'])
    .where('importId', '=', importId)
    .where('outcome', 'is not', null)
    .orderBy('line')
  if (outcome) query = query.where(textHolds(sql.ref('outcome'), outcome))
  return pageOf(query, page)
}

export type OpenImport = NonNullable<Awaited<ReturnType<typeof takeImport>>>

/** For whoever works on it; nobody gets it while another does, nor once it is finished. */
export const takeImport = (db: Database, id: string) =>
  db
    .selectFrom('patientImports as p')
    .innerJoin('tasks', 'tasks.id', 'p.taskId')
    .select(['p.id', 'p.organizationId', 'p.taskId', 'p.dryRun', 'p.notifications', 'p.columns', 'p.lineCount'])
    .select(['p.createdCount', 'p.refusedCount', 'p.warningCount', 'tasks.createdBy'])
    .where('p.id', '=', id)
    .where('p.finishedAt', 'is', null)
    .forUpdate('p')
    .skipLocked()
    .executeTakeFirst()

export interface WaitingLine {
  line: number
  cells: string[]
}

export const nextLines = (db: Database, importId: string, limit: number): Promise<WaitingLine[]> =>
  db
    .selectFrom('patientImportLines')
    .select(['line', sql<string[]>`cells`.as('cells')])
    .where('importId', '=', importId)
    .where('outcome', 'is', null)
    .orderBy('line')
    .limit(limit)
    .execute()

interface Person {
  firstName: string
  lastName: string
  birthDate: string
}

/** As `lookalikes` tells who is the same: without case and accents. */
const personKey = ({ firstName, lastName, birthDate }: Person) =>
  sql<string>`md5(sort_key(${lastName}::text) || chr(10) || sort_key(${firstName}::text) || chr(10) || ${birthDate}::text)`

interface EarlierLines {
  /** A line of a dry run would have taken the username. */
  isTaken: boolean
  /** Lines about someone of the same name and birth date. */
  alike: number[]
}

export async function earlierLines(
  db: Database,
  importId: string,
  username: string,
  person: Person,
): Promise<EarlierLines> {
  const { rows } = await sql<EarlierLines>`
    select exists (select from patient_import_lines
      where import_id = ${importId} and username = lower(${username}::text)) as is_taken,
    array(select line from patient_import_lines
      where import_id = ${importId} and person_key = ${personKey(person)} order by line limit 20) as alike`.execute(db)
  return rows[0] ?? { isTaken: false, alike: [] }
}

/** `taken` is what later lines are held against. */
export async function reportLine(
  db: Database,
  importId: string,
  line: number,
  { outcome, individualId, faults, warnings }: LineReport,
  taken: { person: Person; username: string | null } | null,
): Promise<void> {
  await sql`update patient_import_lines set cells = null, outcome = ${outcome}, individual_id = ${individualId},
      faults = ${JSON.stringify(faults)}::jsonb, warnings = ${JSON.stringify(warnings)}::jsonb,
      person_key = ${taken ? personKey(taken.person) : null}, username = lower(${taken?.username ?? null}::text)
    where import_id = ${importId} and line = ${line}`.execute(db)
}

type Counts = Pick<PatientImport, 'createdCount' | 'refusedCount' | 'warningCount'>

export const recordProgress = (db: Database, id: string, counts: Counts, now: Date) =>
  db
    .updateTable('patientImports')
    .set({ ...counts, failures: 0, workedAt: now })
    .where('id', '=', id)
    .execute()

/** What was kept only for the work is erased. */
export async function finishImport(db: Database, id: string, now: Date): Promise<void> {
  await sql`update patient_import_lines set cells = null, person_key = null, username = null
    where import_id = ${id} and (cells is not null or person_key is not null)`.execute(db)
  await db.updateTable('patientImports').set({ finishedAt: now }).where('id', '=', id).execute()
}

/** How often in a row it failed; null when it is finished. */
export async function countFailure(db: Database, id: string): Promise<number | null> {
  const row = await db
    .updateTable('patientImports')
    .set((update) => ({ failures: update('failures', '+', 1) }))
    .where('id', '=', id)
    .where('finishedAt', 'is', null)
    .returning('failures')
    .executeTakeFirst()
  return row?.failures ?? null
}

/** Those that nobody has worked on since; they count as worked on now. */
export async function takeStalledImports(db: Database, since: Date, now: Date): Promise<string[]> {
  const rows = await db
    .updateTable('patientImports')
    .set({ workedAt: now })
    .where('finishedAt', 'is', null)
    .where('workedAt', '<', since)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export interface NamedGroup {
  id: string
  name: string
}

/** The groups of an organization that a patient can be put into. */
export const groupsForPatients = (db: Database, organizationId: string): Promise<NamedGroup[]> =>
  db
    .selectFrom('individualGroups')
    .select(['id', 'name'])
    .where('organizationId', '=', organizationId)
    .where('type', '=', 'regular')
    .where('isActive', '=', true)
    .execute()
