// What an empty database is given at the first start: an organization and its administrator.

import { v7 } from 'uuid'
import { hashPassword } from '../../platform/auth/passwords.ts'
import type { Database } from '../../platform/db/database.ts'

export interface FirstOrganization {
  name: string
  username: string
  password: string
}

/** False when there is an organization already. */
export async function makeFirstOrganization(
  db: Database,
  { name, username, password }: FirstOrganization,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (await trx.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) return false
    const passwordHash = await hashPassword(password)
    const createdAt = new Date()
    const [organizationId, individualId, userId] = [v7(), v7(), v7()]
    await trx.insertInto('organizations').values({ id: organizationId, name, createdAt }).execute()
    await trx
      .insertInto('individuals')
      .values({ id: individualId, firstName: 'Administrator', lastName: name, email: username, createdAt })
      .execute()
    await trx
      .insertInto('users')
      .values({
        id: userId,
        individualId,
        username,
        passwordHash,
        state: 'registered',
        registeredAt: createdAt,
        emailVerified: true,
        createdAt,
      })
      .execute()
    await trx.insertInto('memberships').values({ userId, organizationId, role: 'org-admin' }).execute()
    return true
  })
}
