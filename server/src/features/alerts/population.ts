import { getPopulationSummary } from '@almoner/contract/alerts/population'
import { sightOf } from '../../platform/auth/sight.ts'
import { implement } from '../../platform/http/implementation.ts'
import { alertsByDay, measuredCounts, openAlerts, outOfRange, stateCounts } from './queries/population.ts'

export const population = [
  implement(getPopulationSummary, async ({ organizationId }, { db, actor, reach, now, audit }) => {
    const asked = { organizationId, sight: await sightOf(db, actor, reach), now }
    const found = await outOfRange(db, asked)
    audit.touched(
      found.map(({ individualId }) => individualId),
      [organizationId],
    )
    return {
      openAlerts: await openAlerts(db, asked),
      ...(await measuredCounts(db, asked)),
      states: await stateCounts(db, asked),
      outOfRange: found,
      alertsByDay: await alertsByDay(db, asked),
    }
  }),
]
