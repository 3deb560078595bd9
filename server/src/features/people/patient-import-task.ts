// The work of an import: some lines at a time, each such batch in a transaction of its own. The patients, what is said
// of their lines and how far it is are stored together, so whoever goes on after a crash goes on with the next line.

import { sql } from 'kysely'
import { AuditTrail } from '../../platform/audit/audit-trail.ts'
import { wholeSight } from '../../platform/auth/sight.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { Events } from '../../platform/events/events.ts'
import { job, Queue, type TaskContext, task } from '../../platform/queue/queue.ts'
import type { IdentityServices } from '../identity/index.ts'
import { failTask, finishTask, progressTask } from '../tasks/index.ts'
import { type GroupIndex, groupIndex, type LineReader, lineReader, refusalOf } from './patient-lines.ts'
import { admitPatient } from './patients.ts'
import {
  countFailure,
  earlierLines,
  finishImport,
  groupsForPatients,
  type LineReport,
  nextLines,
  type OpenImport,
  recordProgress,
  reportLine,
  takeImport,
  takeStalledImports,
  type WaitingLine,
} from './queries/patient-import.ts'
import { groupsToJoin } from './queries/patients.ts'

type Services = Pick<IdentityServices, 'outbox' | 'publicUrl'>

// Fewer than the 64 savepoints of a transaction that PostgreSQL keeps at hand, and groups are locked for a moment only.
const LINES_A_BATCH = 50
/** Then other work has its turn, and a service that is to stop need not wait for long. */
const TURN_MS = 2000
const MOST_FAILURES = 5
const STALLED_MS = 5 * 60_000

export const importPatientsJob = job<{ importId: string }>('import-patients')

export const importPatientsTask = (services: Services) => {
  const read = lineReader()
  return task<{ importId: string }>({
    ...importPatientsJob,
    async run({ importId }, context) {
      const end = Date.now() + TURN_MS
      try {
        while (await workOn(importId, end, services, read, context));
      } catch (error) {
        if (!(await giveUp(importId, context))) throw error
        context.log.error({ err: error, importId }, 'an import of patients was given up')
      }
    },
  })
}

/** A process that was killed leaves its job behind, locked for hours: an import is not to wait for that. */
export const resumeImports = task({
  name: 'resume-patient-imports',
  cron: '* * * * *',
  async run(_, { db, now }) {
    await db.transaction().execute(async (trx) => {
      const stalled = await takeStalledImports(trx, new Date(now.getTime() - STALLED_MS), now)
      for (const importId of stalled) await new Queue(trx).add(importPatientsJob, { importId })
    })
  },
})

/** One batch. Answers whether there is more to do in this turn; when only the turn is over, the next one is queued. */
function workOn(
  importId: string,
  end: number,
  services: Services,
  read: LineReader,
  context: TaskContext,
): Promise<boolean> {
  const { db, now, log } = context
  return db.transaction().execute(async (trx) => {
    const open = await takeImport(trx, importId)
    if (!open) return false
    const lines = await nextLines(trx, importId, LINES_A_BATCH)
    const reports = await carryOut(services, trx, open, lines, read, context)
    const created = reports.flatMap(({ individualId }) => individualId ?? [])
    if (created.length > 0) await new AuditTrail(trx, log).write(trx, [auditEntry(open, created, now)])
    const counts = addedUp(open, reports)
    await recordProgress(trx, importId, counts, new Date())
    await progressTask(trx, open.taskId, counts.createdCount + counts.refusedCount, open.lineCount)
    if (lines.length < LINES_A_BATCH) {
      await finish(trx, open, counts)
      return false
    }
    if (Date.now() < end) return true
    await new Queue(trx).add(importPatientsJob, { importId })
    return false
  })
}

async function carryOut(
  services: Services,
  trx: Database,
  open: OpenImport,
  lines: WaitingLine[],
  read: LineReader,
  context: TaskContext,
): Promise<LineReport[]> {
  const groups = await groupsOf(trx, open)
  const known = lines.map(({ line, cells }) => ({ line, ...read(cells, open, groups, context.now) }))
  // All at once and in the order of ids, so that nobody who locks groups likewise waits for us while we wait for them.
  const joined = new Set(known.flatMap(({ patient }) => patient?.individualGroupIds ?? []))
  if (joined.size > 0) await groupsToJoin(trx, open.organizationId, [...joined])
  const reports: LineReport[] = []
  for (const { line, patient, username, faults } of known) {
    const report = patient ? await admitLine(services, trx, open, { patient, username }, context) : refused(faults)
    const isTaken = patient && report.outcome !== 'refused'
    const taken = isTaken ? { person: patient, username: open.dryRun ? username : null } : null
    await reportLine(trx, open.id, line, report, taken)
    reports.push(report)
  }
  return reports
}

const groupsOf = async (trx: Database, { columns, organizationId }: OpenImport): Promise<GroupIndex> =>
  columns.includes('groups') ? groupIndex(await groupsForPatients(trx, organizationId)) : new Map()

const refused = (faults: LineReport['faults']): LineReport => ({
  outcome: 'refused',
  individualId: null,
  faults,
  warnings: [],
})

type Patient = Parameters<typeof admitPatient>[3]

/** A dry run does all of it and takes it back, line by line: what lines would have taken is noted in their reports. */
async function admitLine(
  services: Services,
  trx: Database,
  { id, organizationId, dryRun }: OpenImport,
  { patient, username }: { patient: Patient; username: string },
  { now, log }: TaskContext,
): Promise<LineReport> {
  const { isTaken, alike } = await earlierLines(trx, id, username, patient)
  if (isTaken) return refused(refusalOf(new Problem('UsernameTaken'), patient))
  // Whoever started it administers the organization, and sees everyone there.
  const sight = wholeSight([organizationId])
  const context = { db: trx, queue: new Queue(trx), events: new Events(trx, now), now }
  await sql`savepoint line`.execute(trx)
  try {
    const admitted = await admitPatient(services, context, sight, patient)
    const individualIds = admitted.warnings.flatMap((warning) => warning.individualIds)
    if (dryRun) await sql`rollback to savepoint line`.execute(trx)
    await sql`release savepoint line`.execute(trx)
    const isAlike = individualIds.length > 0 || alike.length > 0
    const outcome = dryRun ? 'would-create' : 'created'
    const warnings = isAlike ? [{ code: 'PossibleDuplicate' as const, detail: ALIKE, individualIds, lines: alike }] : []
    return { outcome, individualId: dryRun ? null : admitted.id, faults: [], warnings }
  } catch (error) {
    const problem = error instanceof Problem ? error : unstorable(error, id)
    if (!problem) throw error
    if (problem !== error) log.error({ err: error, importId: id }, 'a line of an import could not be stored')
    await sql`rollback to savepoint line`.execute(trx)
    await sql`release savepoint line`.execute(trx)
    return refused(refusalOf(problem, patient))
  }
}

// The classes of what PostgreSQL says of a value: that it cannot be, that it breaks a constraint, that it is too large.
const ABOUT_VALUES = /^(22|23|54)/

/** It would fail as often as it is tried, and the lines after it are not to wait for that. */
function unstorable(error: unknown, importId: string): Problem | null {
  const { code } = error as { code?: unknown }
  const isAboutValues = typeof code === 'string' && code.length === 5 && ABOUT_VALUES.test(code)
  return isAboutValues ? new Problem('InternalError', { requestId: importId }) : null
}

const ALIKE = 'There are patients with the same name and birth date. Merge them if they are the same person.'

const addedUp = (open: OpenImport, reports: LineReport[]) => {
  const refusedCount = reports.filter(({ outcome }) => outcome === 'refused').length
  return {
    createdCount: open.createdCount + reports.length - refusedCount,
    refusedCount: open.refusedCount + refusedCount,
    warningCount: open.warningCount + reports.filter(({ warnings }) => warnings.length > 0).length,
  }
}

async function finish(
  trx: Database,
  { id, taskId, dryRun, lineCount }: OpenImport,
  counts: ReturnType<typeof addedUp>,
) {
  const now = new Date()
  await finishImport(trx, id, now)
  const result = {
    'import-id': id,
    'dry-run': dryRun,
    'line-count': lineCount,
    'created-count': counts.createdCount,
    'refused-count': counts.refusedCount,
    'warning-count': counts.warningCount,
  }
  await finishTask(trx, taskId, result, now)
}

/** The request was recorded when it came; here is whom it made. */
const auditEntry = ({ id, organizationId, createdBy }: OpenImport, individualIds: string[], now: Date) => ({
  organizationId,
  occurredAt: now,
  operation: importPatientsJob.name,
  outcome: 'success' as const,
  code: null,
  userId: createdBy,
  serviceAccountId: null,
  individualIds,
  ip: null,
  requestId: id,
})

/** What fails again and again is not going to succeed, and whoever waits for it is told. */
async function giveUp(importId: string, { db }: TaskContext): Promise<boolean> {
  const failures = await countFailure(db, importId)
  if (failures === null || failures < MOST_FAILURES) return false
  return db.transaction().execute(async (trx) => {
    const open = await takeImport(trx, importId)
    if (!open) return false
    const now = new Date()
    await finishImport(trx, importId, now)
    const error = 'It failed on our side. What is listed was done; the other lines were not reached.'
    await failTask(trx, open.taskId, error, now)
    return true
  })
}
