import type { AnswerOf } from '@almoner/contract'
import { eraseMetrics } from '@almoner/contract/metrics/summaries'
import { pushTimeseries, readTimeseries } from '@almoner/contract/metrics/timeseries'
import { callerId } from '../../platform/auth/actor.ts'
import { sightOf } from '../../platform/auth/sight.ts'
import { together } from '../../platform/db/pipelining.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { arrivalOf } from './arrival.ts'
import { boundsOf, isSourceOf, refuseUnlessAdministrator, seenOwner } from './asking.ts'
import type { Ingest, Watcher } from './ingest.ts'
import { readSeries } from './point-reader.ts'
import { parsePush } from './point-runs.ts'
import { eraseSeries } from './queries/erasing.ts'
import { outlinesWithin } from './queries/reading.ts'
import { readPoints } from './reading.ts'
import type { Outcome } from './writing.ts'

const POINTS_A_UNIT = 100

export const timeseries = (ingest: Ingest, watcher: Watcher) => [
  implement(
    pushTimeseries,
    async ({ body }, { db, actor, reach, now, audit, charge }) => {
      const { series, faults } = readSeries(body, actor.kind === 'service' ? actor.name : 'api')
      if (faults.length > 0) throw Problem.of(faults)
      const count = series.reduce((sum, { points }) => sum + points.times.length, 0)
      if (count > POINTS_A_UNIT) await charge(Math.ceil(count / POINTS_A_UNIT) - 1)
      const arrivals = series.map(arrivalOf)
      const sight = await sightOf(db, actor, reach)
      const outcomes = await ingest.push({ arrivals, sight, by: callerId(actor), now, audit })
      return summed(arrivals, outcomes)
    },
    // Pushes that come at the same moment share a transaction.
    { transaction: false, parse: parsePush },
  ),

  implement(readTimeseries, async (input, context) => {
    const { individualId, type, sort, page, includeDeleted } = input
    const descending = sort[0]?.descending ?? false
    const bounds = { ...boundsOf(input), includeDeleted }
    const wanted = { individualId, type, ...bounds, isSource: isSourceOf(input.filter.source), descending, page }
    const [{ organizationIds }, outlines] = await together(context.db, (db) => [
      seenOwner({ ...context, db }, individualId),
      outlinesWithin(db, individualId, type, bounds),
    ])
    if (includeDeleted) refuseUnlessAdministrator(context.actor, organizationIds)
    return readPoints(context.db, wanted, outlines)
  }),

  implement(eraseMetrics, async ({ id }, context) => {
    await seenOwner(context, id)
    await eraseSeries(context.db, id)
    await watcher.erased(context.db, id)
    return undefined
  }),
]

/** One line for each person and type, in the order they came. */
function summed(
  arrivals: { individualId: string; type: string }[],
  outcomes: Outcome[],
): AnswerOf<typeof pushTimeseries> {
  const lines = new Map<string, AnswerOf<typeof pushTimeseries>[number]>()
  for (const [index, { individualId, type }] of arrivals.entries()) {
    const { stored, updated, unchanged } = outcomes[index] as Outcome
    const line = lines.get(individualId + type) ?? { individualId, type, stored: 0, updated: 0, unchanged: 0 }
    line.stored += stored
    line.updated += updated
    line.unchanged += unchanged
    lines.set(individualId + type, line)
  }
  return [...lines.values()]
}
