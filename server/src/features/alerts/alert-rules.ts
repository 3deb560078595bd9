import { type ErrorEntry, errorEntry } from '@almoner/contract'
import {
  createAlertRule,
  deleteAlertRule,
  dryRunAlertRule,
  getAlertRule,
  listAlertRules,
  modifyAlertRule,
} from '@almoner/contract/alerts/alert-rules'
import { sql } from 'kysely'
import { v7 } from 'uuid'
import type { Actor } from '../../platform/auth/actor.ts'
import { type Sight, sightOf } from '../../platform/auth/sight.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { type Context, implement } from '../../platform/http/implementation.ts'
import { dryRun } from './dry-run.ts'
import { clearedEvent } from './evaluation.ts'
import { clearAlerts } from './queries/alerts.ts'
import {
  changeRule,
  findRule,
  findRuleToChange,
  forgetRuns,
  insertRule,
  knownAmong,
  rulesPage,
} from './queries/rules.ts'
import { type Notify, type RuleRow, shownRule, type Watched, type WorklistEntry, watchedColumns } from './rule.ts'
import { faultsOfRule, numericFields } from './rule-checks.ts'

const ATTRIBUTES = '/data/attributes'
type Given = Partial<Watched> & Pick<Watched, 'metricType' | 'kind'>

export const alertRules = [
  implement(listAlertRules, async (input, { db, actor, reach }) => {
    const { items, total } = await rulesPage(db, await sightOf(db, actor, reach), reach, input)
    return { items: items.map(shownRule), total }
  }),

  implement(getAlertRule, async ({ id }, { db, actor, reach }) => {
    const rule = await findRule(db, await sightOf(db, actor, reach), reach, id)
    if (!rule) throw new Problem('NotFound', { what: 'alert rule' })
    return shownRule(rule)
  }),

  implement(createAlertRule, async ({ body }, context) => {
    const { db, actor, reach, now } = context
    const { organizationId, name, severity, notify, enabled } = body
    const worklistEntry = body.worklistEntry ?? null
    const watched = watchedOf(body)
    const sight = await sightOf(db, actor, reach)
    await check(db, sight, organizationId, watched, body, ATTRIBUTES)
    refuseForEveryone(actor, organizationId, watched)
    const rule = await insertRule(db, {
      ...watchedColumns(organizationId, watched),
      ...{ id: v7(), organizationId, name, severity, notify, worklistEntry, enabled },
      ...{ effectiveFrom: wholeSecond(now), createdAt: now, createdBy: actor.userId, lastModifiedAt: now },
    })
    touched(context, rule)
    return shownRule(rule)
  }),

  implement(modifyAlertRule, async ({ id, body }, context) => {
    const { db, actor, reach, now } = context
    const sight = await sightOf(db, actor, reach)
    const rule = await ruleToChange(context, sight, id)
    const before = shownRule(rule)
    const watched = watchedOf({ ...before, ...forgettingOtherKind(before, body), ...body })
    const { organizationId } = rule
    const notify = body.notify ?? rule.notify
    const worklistEntry = body.worklistEntry === undefined ? rule.worklistEntry : body.worklistEntry
    await check(db, sight, organizationId, watched, body, ATTRIBUTES)
    refuseForEveryone(actor, organizationId, watched)
    const columns = watchedColumns(organizationId, watched)
    const enabled = body.enabled ?? rule.enabled
    const isOther =
      enabled !== rule.enabled || Object.entries(columns).some(([name, value]) => rule[name as keyof RuleRow] !== value)
    if (isOther) await endAlerts(context, id)
    const changed = await changeRule(db, id, {
      ...columns,
      ...{ name: body.name ?? rule.name, severity: body.severity ?? rule.severity, notify, worklistEntry, enabled },
      ...{ lastModifiedAt: now, ...(isOther ? { effectiveFrom: wholeSecond(now) } : {}) },
    })
    touched(context, changed)
    return shownRule(changed)
  }),

  implement(deleteAlertRule, async ({ id }, context) => {
    const rule = await ruleToChange(context, await sightOf(context.db, context.actor, context.reach), id)
    await endAlerts(context, id)
    await changeRule(context.db, id, { deletedAt: context.now, enabled: false })
    touched(context, rule)
    return undefined
  }),

  implement(
    dryRunAlertRule,
    async ({ body }, { db, actor, reach, now, audit }) => {
      const { organizationId, days } = body
      const watched = watchedOf(body)
      const sight = await sightOf(db, actor, reach)
      await check(db, sight, organizationId, watched, body, '')
      const found = await dryRun(db, { organizationId, sight, days, now }, watched)
      audit.touched([...new Set(found.alerts.map(({ individualId }) => individualId))], [organizationId])
      return found
    },
    // It reads only, and may take a while.
    { transaction: false },
  ),
]

/** Readings are of whole seconds: one of the same second is not from before. */
const wholeSecond = (moment: Date): Date => new Date(Math.floor(moment.getTime() / 1000) * 1000)

/** All terms, null where they are not given; the only field of a type need not be named. */
function watchedOf(given: Given): Watched {
  const names = numericFields(given.metricType)
  const only = given.kind !== 'no-data' && names.length === 1 ? (names[0] ?? null) : null
  return {
    individualId: given.individualId ?? null,
    groupId: given.groupId ?? null,
    metricType: given.metricType,
    field: given.field ?? only,
    kind: given.kind,
    direction: given.direction ?? null,
    threshold: given.threshold ?? null,
    clearThreshold: given.clearThreshold ?? null,
    from: given.from ?? null,
    to: given.to ?? null,
    period: given.period ?? null,
    hours: given.hours ?? null,
  }
}

/** A rule that becomes one of another kind or type keeps nothing that belonged to the former. */
function forgettingOtherKind(before: Watched, body: Partial<Watched>): Partial<Watched> {
  const isOtherKind = body.kind !== undefined && body.kind !== before.kind
  const isOtherType = body.metricType !== undefined && body.metricType !== before.metricType
  const none = {
    direction: null,
    threshold: null,
    clearThreshold: null,
    from: null,
    to: null,
    period: null,
    hours: null,
  }
  return {
    ...(isOtherKind ? { ...none, field: null } : {}),
    ...(isOtherType ? { field: null } : {}),
    // Naming the one target takes away the other.
    ...(body.individualId ? { groupId: null } : {}),
    ...(body.groupId ? { individualId: null } : {}),
  }
}

interface Named {
  individualId?: string | null
  groupId?: string | null
  notify?: Notify
  worklistEntry?: WorklistEntry | null
}

/** Throws with everything that is wrong. Whom a rule names already may have left since; only whom the caller names is looked up. */
async function check(
  db: Database,
  sight: Sight,
  organizationId: string,
  watched: Watched,
  { individualId = null, groupId = null, notify, worklistEntry }: Named,
  at: string,
): Promise<void> {
  const faults: ErrorEntry[] = faultsOfRule(watched, at)
  const wrong = (path: string, fault: string) =>
    faults.push(errorEntry('InvalidValue', { pointer: `${at}${path}`, fault }))
  const { individualIds: staffIds = [], groupIds: toldGroups = [] } = notify ?? {}
  const groupIds = [...toldGroups, ...(worklistEntry ? [worklistEntry.groupId] : [])]
  const named = { individualId, groupId, staffIds, groupIds }
  const known = await knownAmong(db, sight, organizationId, named)
  if (individualId && !known.isIndividual) wrong('/individual-id', 'must be a patient you can see')
  if (groupId && !known.isGroup) wrong('/group-id', 'must be a regular group you can see')
  for (const [place, id] of staffIds.entries())
    if (!known.staffIds.includes(id)) wrong(`/notify/individual-ids/${place}`, 'must be of the organization’s staff')
  for (const [place, id] of toldGroups.entries())
    if (!known.groupIds.includes(id)) wrong(`/notify/group-ids/${place}`, 'must be a group of the organization')
  if (worklistEntry && !known.groupIds.includes(worklistEntry.groupId))
    wrong('/worklist-entry/group-id', 'must be a group of the organization')
  if (faults.length > 0) throw Problem.of(faults)
}

/** A rule for everyone concerns those whom a provider may not even see. */
function refuseForEveryone(
  actor: Actor,
  organizationId: string,
  target: Pick<Watched, 'individualId' | 'groupId'>,
): void {
  if (target.individualId || target.groupId) return
  const isAdministrator = actor.memberships.some(
    (one) => one.organizationId === organizationId && one.role === 'org-admin',
  )
  if (!isAdministrator) throw new Problem('PermissionDenied')
}

async function ruleToChange({ db, actor, reach }: Context, sight: Sight, id: string): Promise<RuleRow> {
  const rule = await findRuleToChange(db, sight, reach, id)
  if (!rule) throw new Problem('NotFound', { what: 'alert rule' })
  refuseForEveryone(actor, rule.organizationId, shownRule(rule))
  return rule
}

/** What a rule found before it was changed says nothing about what it is now. */
async function endAlerts({ db, now, actor, events }: Context, ruleId: string): Promise<void> {
  await forgetRuns(db, ruleId)
  const how = { reason: 'rule-changed', at: now, by: actor.userId } as const
  const cleared = await clearAlerts(db, sql`rule_id = ${ruleId}`, how)
  await events.publishAll(
    'metric.alert-cleared',
    cleared.map((alert) => clearedEvent(alert, 'rule-changed')),
  )
}

const touched = ({ audit }: Context, { organizationId, target, targetId }: RuleRow): void =>
  audit.touched(target === 'individual' ? [targetId] : [], [organizationId])
