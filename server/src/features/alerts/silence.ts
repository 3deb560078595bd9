// Rules that watch for readings that do not come.

import type { Database } from '../../platform/db/database.ts'
import { Events } from '../../platform/events/events.ts'
import { task } from '../../platform/queue/queue.ts'
import { alertOf, firedEvent } from './evaluation.ts'
import { insertAlerts } from './queries/alerts.ts'
import { NO_SERIES } from './queries/matching.ts'
import { keyOf, lockPairs, lockRules, saveRuns, standingOf } from './queries/runs.ts'
import { rulesOfSilence, type SilenceRule, silentIndividuals } from './queries/silence.ts'

const AT_ONCE = 500

export const watchForSilence = task({
  name: 'watch-for-silence',
  cron: '*/5 * * * *',
  async run(_, { db, now }) {
    for (const rule of await rulesOfSilence(db)) {
      let count = AT_ONCE
      while (count === AT_ONCE) count = await db.transaction().execute((trx) => fireSome(trx, rule, now))
    }
  },
})

/** Answers how many it found: those it has fired for are not found again. */
async function fireSome(db: Database, rule: SilenceRule, now: Date): Promise<number> {
  const silent = await silentIndividuals(db, rule, now, AT_ONCE)
  if (silent.length === 0 || !(await lockRules(db, [rule]))) return 0
  const pairs = silent.map(({ individualId }) => ({ ruleId: rule.id, individualId }))
  await lockPairs(db, pairs)
  const open = new Set((await standingOf(db, pairs)).open.map(keyOf))
  const longest = (rule.period as number) * 3600
  const alerts = silent.flatMap(({ individualId, since }) => {
    const pair = { ruleId: rule.id, individualId }
    if (open.has(keyOf(pair))) return []
    return [alertOf({ ...pair, rule, source: null, time: since + longest, value: Number.NaN }, now)]
  })
  await saveRuns(
    db,
    silent.map(({ individualId, since }) => ({
      ruleId: rule.id,
      individualId,
      seriesId: NO_SERIES,
      since,
      fired: true,
    })),
  )
  await insertAlerts(db, alerts)
  await new Events(db, now).publishAll('metric.alert-fired', alerts.map(firedEvent))
  return silent.length
}
