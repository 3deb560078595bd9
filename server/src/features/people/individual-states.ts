import { archiveIndividual, disableIndividual, restoreIndividual } from '@almoner/contract/people/individuals'
import { sightOf } from '../../platform/auth/sight.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { type Context, implement } from '../../platform/http/implementation.ts'
import { moveUser, organizationIdsOf } from '../identity/index.ts'
import { shown } from './individuals.ts'
import { findIndividual } from './queries/listing.ts'
import { findRecord } from './queries/records.ts'

const MOVES = {
  archive: 'individual.archived',
  disable: 'individual.disabled',
  restore: 'individual.restored',
} as const

export const individualStates = [
  implement(archiveIndividual, ({ id }, context) => moveIndividual(id, 'archive', context)),
  implement(disableIndividual, ({ id }, context) => moveIndividual(id, 'disable', context)),
  implement(restoreIndividual, ({ id }, context) => moveIndividual(id, 'restore', context)),
]

async function moveIndividual(id: string, move: keyof typeof MOVES, context: Context) {
  const { db, actor, reach, now, audit, events } = context
  const sight = await sightOf(db, actor, reach)
  const record = (await findIndividual(db, sight, id)) && (await findRecord(db, id))
  if (!record) throw new Problem('NotFound', { what: 'individual' })
  if (record.mergedInto) throw new Problem('RecordMerged', { id: record.mergedInto })
  if (!(await moveUser(db, record.userId, move, reach, now))) throw new Problem('NotFound', { what: 'individual' })
  const moved = await findIndividual(db, sight, id)
  if (!moved) throw new Problem('NotFound', { what: 'individual' })
  const organizationIds = await organizationIdsOf(db, record.userId)
  audit.touched([id], organizationIds)
  for (const organizationId of organizationIds)
    await events.publish(MOVES[move], { organizationId, individualId: id, data: { individualId: id } })
  return shown(moved)
}
