import type { AnswerOf } from '@almoner/contract'
import { getProfile, modifyProfile } from '@almoner/contract/identity/profile'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { changeIndividual } from './queries/users.ts'

export const profile = [
  implement(getProfile, (_, { db, actor }) => profileOf(db, actor.userId)),

  implement(modifyProfile, async ({ body }, { db, actor }) => {
    await changeIndividual(db, actor.individualId, body)
    return profileOf(db, actor.userId)
  }),
]

async function profileOf(db: Database, userId: string): Promise<AnswerOf<typeof getProfile>> {
  const found = await db
    .selectFrom('users')
    .innerJoin('individuals', 'individuals.id', 'users.individualId')
    .select(['users.id', 'individualId', 'username', 'firstName', 'lastName', 'preferredName'])
    .select(['email', 'mobilePhone', 'emailVerified', 'phoneVerified', 'locale'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  if (!found) throw new Problem('NotFound', { what: 'user' })
  return found
}
