import { addTags, createTag, listTags, removeTags } from '@almoner/contract/people/tags'
import { sql } from 'kysely'
import { v7 } from 'uuid'
import { seenAmong, sightOf } from '../../platform/auth/sight.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import { escapeLike } from '../../platform/db/conditions.ts'
import { pageOf } from '../../platform/db/paging.ts'
import { isUniqueViolation } from '../../platform/db/violations.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { type Context, implement } from '../../platform/http/implementation.ts'
import { shown } from './individuals.ts'
import { findIndividual } from './queries/listing.ts'

const columns = ['id', 'organizationId', 'name', 'createdAt'] as const

export const tags = [
  implement(listTags, async ({ organizationId, filter, page }, { db, actor, reach }) => {
    let query = db.selectFrom('tags').select(columns).where('organizationId', '=', organizationId)
    const { individualId, text } = filter
    if (text !== undefined) query = query.where(sql`lower(name)`, 'like', sql`lower(${`%${escapeLike(text)}%`})`)
    if (individualId !== undefined) {
      const seen = await seenAmong(db, await sightOf(db, actor, reach), [individualId])
      if (!seen.has(individualId)) return { items: [], total: 0 }
      query = query.where('id', 'in', (from) =>
        from.selectFrom('individualTags').select('tagId').where('individualId', '=', individualId),
      )
    }
    return pageOf(query.orderBy(sql`lower(name)`).orderBy('id'), page)
  }),

  implement(createTag, async ({ body }, { db, now }) => {
    try {
      return await db
        .insertInto('tags')
        .values({ ...body, id: v7(), createdAt: now })
        .returning(columns)
        .executeTakeFirstOrThrow()
    } catch (error) {
      throw isUniqueViolation(error, 'tags_by_name') ? new Problem('TagExists', { name: body.name }) : error
    }
  }),

  implement(addTags, async ({ id, body }, context) => {
    const individual = await tagged(id, body.tagIds, context)
    await context.db
      .insertInto('individualTags')
      .values([...new Set(body.tagIds)].map((tagId) => ({ tagId, individualId: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return shown(individual)
  }),

  implement(removeTags, async ({ id, body }, context) => {
    const individual = await tagged(id, body.tagIds, context)
    await context.db
      .deleteFrom('individualTags')
      .where('individualId', '=', id)
      .where('tagId', '=', anyOf(body.tagIds))
      .execute()
    return shown(individual)
  }),
]

/** The individual, when the caller sees it and all the tags are of its organization. */
async function tagged(id: string, tagIds: string[], { db, actor, reach, audit }: Context) {
  const individual = await findIndividual(db, await sightOf(db, actor, reach), id)
  if (!individual) throw new Problem('NotFound', { what: 'individual' })
  const { organizationId } = individual
  const known = await db
    .selectFrom('tags')
    .select('id')
    .where('id', '=', anyOf(tagIds))
    .where('organizationId', '=', anyOf(reach))
    .execute()
  const ids = new Set(known.map((tag) => tag.id))
  const faults = tagIds.flatMap((tagId, index) =>
    ids.has(tagId)
      ? []
      : new Problem('InvalidValue', { pointer: `/tag-ids/${index}`, fault: 'must be a tag of this organization' })
          .entries,
  )
  if (faults.length > 0) throw Problem.of(faults)
  audit.touched([id], [organizationId])
  return individual
}
