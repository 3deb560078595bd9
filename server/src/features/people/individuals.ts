import type { AnswerOf } from '@almoner/contract'
import { getIndividual, type IndividualField, listIndividuals } from '@almoner/contract/people/individuals'
import { sightOf } from '../../platform/auth/sight.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { findIndividual, individualsPage, type ListedIndividual } from './queries/listing.ts'

type Individual = AnswerOf<typeof getIndividual>

export const individuals = [
  implement(listIndividuals, async (input, { db, actor, reach, audit }) => {
    const sight = await sightOf(db, actor, reach)
    const { items, total } = await individualsPage(db, sight, actor.individualId, input)
    audit.touched(
      items.map(({ id }) => id),
      [input.organizationId],
    )
    return { items: items.map((item) => shown(item, input.fields)), total }
  }),

  implement(getIndividual, async ({ id, fields }, { db, actor, reach, audit }) => {
    const found = await findIndividual(db, await sightOf(db, actor, reach), id)
    if (!found) throw new Problem('NotFound', { what: 'individual' })
    audit.touched([id], [found.organizationId])
    return shown(found, fields)
  }),
]

/** With the fields that were asked for; all of them when none was. */
export function shown(item: ListedIndividual, fields?: IndividualField[]): Individual {
  if (!fields) return item as Individual
  const chosen = fields.map((field) => [field, item[field]])
  return { id: item.id, ...Object.fromEntries(chosen) } as Individual
}
