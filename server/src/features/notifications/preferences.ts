import {
  getNotificationPreferences,
  modifyNotificationPreferences,
} from '@almoner/contract/notifications/notification-preferences'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { choose, findPreferences } from './queries/preferences.ts'

export const preferences = [
  implement(getNotificationPreferences, (_, { db, actor }) => findPreferences(db, actor.individualId)),

  implement(modifyNotificationPreferences, async ({ body }, { db, actor, now, events }) => {
    const { individualId, memberships } = actor
    const { tz, ...choices } = body
    if (choices.quietHours && choices.quietHours.from === choices.quietHours.to)
      throw new Problem('InvalidValue', {
        pointer: '/data/attributes/quiet-hours/to',
        fault: 'must differ from the time they begin; null means no quiet hours',
      })
    for (const name of ['criticalChannels', 'warningChannels', 'infoChannels'] as const)
      if (choices[name]) choices[name] = [...new Set(choices[name])]
    await choose(db, individualId, choices, now)
    const before = await findPreferences(db, individualId)
    const after = { ...before, tz: tz === undefined ? before.tz : tz }
    if (after.tz === null && (after.quietHours || after.digest === 'daily'))
      throw new Problem('InvalidValue', {
        pointer: '/data/attributes/tz',
        fault: 'must be given, because quiet hours and a daily digest go by the clock where you are',
      })
    if (after.tz === before.tz) return after
    // The zone is the record's own, and a patient's record is others' to read.
    await db.updateTable('individuals').set({ tz: after.tz }).where('id', '=', individualId).execute()
    const changed = memberships.filter(({ role }) => role === 'patient')
    await events.publishAll(
      'individual.updated',
      changed.map(({ organizationId }) => ({ organizationId, individualId, data: { individualId } })),
    )
    return after
  }),
]
