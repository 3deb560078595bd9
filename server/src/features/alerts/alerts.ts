import { acknowledgeAlert, clearAlert, getAlert, listAlerts } from '@almoner/contract/alerts/alerts'
import { sql } from 'kysely'
import type { AnyActor } from '../../platform/auth/actor.ts'
import { sightOf } from '../../platform/auth/sight.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { type Context, implement } from '../../platform/http/implementation.ts'
import { clearedEvent } from './evaluation.ts'
import { type Alert, acknowledge, alertsPage, clearAlerts, findAlert } from './queries/alerts.ts'

export const alerts = [
  implement(listAlerts, async (input, { db, actor, reach, audit }) => {
    const { items, total } = await alertsPage(db, await sightOf(db, actor, reach), reach, input)
    audit.touched(
      items.map(({ individualId }) => individualId),
      [...new Set(items.map(({ organizationId }) => organizationId))],
    )
    return { items, total }
  }),

  implement(getAlert, async ({ id }, context) => seenAlert(context, id)),

  implement(acknowledgeAlert, async ({ id, body }, context) => {
    const { db, actor, now, events } = context
    const alert = await seenAlert(context, id)
    const isDone = await acknowledge(db, id, { by: actor.userId, at: now, note: body.note })
    if (!isDone) throw new Problem('AlertNotOpen', { state: (await seenAlert(context, id)).state })
    const { organizationId, individualId, ruleId } = alert
    const data = { alertId: id, ruleId, userId: actor.userId }
    await events.publish('metric.alert-acknowledged', { organizationId, individualId, data })
    return seenAlert(context, id)
  }),

  implement(clearAlert, async ({ id, body }, context) => {
    const { db, actor, now, events } = context
    await seenAlert(context, id)
    const how = { reason: 'by-hand', at: now, by: actor.userId } as const
    const [cleared] = await clearAlerts(
      db,
      sql`id = ${id}`,
      body.note === undefined ? how : { ...how, note: body.note },
    )
    if (!cleared) throw new Problem('AlertNotOpen', { state: 'cleared' })
    await events.publish('metric.alert-cleared', clearedEvent(cleared, 'by-hand'))
    return seenAlert(context, id)
  }),
]

async function seenAlert({ db, actor, reach, audit }: Context<AnyActor>, id: string): Promise<Alert> {
  const alert = await findAlert(db, await sightOf(db, actor, reach), id)
  if (!alert) throw new Problem('NotFound', { what: 'alert' })
  audit.touched([alert.individualId], [alert.organizationId])
  return alert
}
