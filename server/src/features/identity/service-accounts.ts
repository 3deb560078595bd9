import { catalogue } from '@almoner/contract'
import {
  createServiceAccount,
  createServiceAccountToken,
  listServiceAccounts,
  listServiceAccountTokens,
  modifyServiceAccount,
  revokeServiceAccountToken,
} from '@almoner/contract/identity/service-accounts'
import { sql } from 'kysely'
import { v7 } from 'uuid'
import { newServiceToken, tokenHash } from '../../platform/auth/tokens.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Database } from '../../platform/db/database.ts'
import { pageOf } from '../../platform/db/paging.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'

const accountColumns = [
  'id',
  'organizationId',
  'name',
  'kind',
  'scopes',
  'individualIds',
  'isActive',
  'createdAt',
] as const

export const serviceAccounts = [
  implement(listServiceAccounts, ({ page }, { db, reach }) =>
    pageOf(accountsWithin(db, reach).orderBy(sql`lower(name)`).orderBy('id'), page),
  ),

  implement(createServiceAccount, async ({ body }, { db, actor, now }) => {
    checkScopes(body.scopes)
    await checkIndividuals(db, body.organizationId, body.individualIds)
    const row = { ...body, id: v7(), isActive: true, createdBy: actor.userId, createdAt: now }
    return db.insertInto('serviceAccounts').values(row).returning(accountColumns).executeTakeFirstOrThrow()
  }),

  implement(modifyServiceAccount, async ({ id, body }, { db, reach }) => {
    const { organizationId } = await findServiceAccount(db, reach, id)
    checkScopes(body.scopes ?? [])
    await checkIndividuals(db, organizationId, body.individualIds ?? [])
    if (Object.keys(body).length > 0) await db.updateTable('serviceAccounts').set(body).where('id', '=', id).execute()
    return findServiceAccount(db, reach, id)
  }),

  implement(createServiceAccountToken, async ({ id, body }, { db, reach, now }) => {
    await findServiceAccount(db, reach, id)
    const [tokenId, token] = [v7(), newServiceToken()]
    const expiresAt = body.expiresInDays ? new Date(now.getTime() + body.expiresInDays * 86_400_000) : null
    const row = {
      id: tokenId,
      hash: tokenHash(token),
      serviceAccountId: id,
      name: body.name,
      expiresAt,
      revokedAt: null,
      createdAt: now,
    }
    await db.insertInto('serviceAccountTokens').values(row).execute()
    return { id: tokenId, token, expiresAt }
  }),

  implement(listServiceAccountTokens, async ({ serviceAccountId, page }, { db, reach }) => {
    await findServiceAccount(db, reach, serviceAccountId)
    const query = db
      .selectFrom('serviceAccountTokens')
      .select(['id', 'serviceAccountId', 'name', 'expiresAt', 'createdAt'])
      .where('serviceAccountId', '=', serviceAccountId)
      .where('revokedAt', 'is', null)
      .orderBy('createdAt')
      .orderBy('id')
    return pageOf(query, page)
  }),

  implement(revokeServiceAccountToken, async ({ id }, { db, reach, now }) => {
    const { numUpdatedRows } = await db
      .updateTable('serviceAccountTokens')
      .set({ revokedAt: now })
      .where('id', '=', id)
      .where('revokedAt', 'is', null)
      .where('serviceAccountId', 'in', ({ selectFrom }) =>
        selectFrom('serviceAccounts').select('serviceAccounts.id').where('organizationId', '=', anyOf(reach)),
      )
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Problem('NotFound', { what: 'token' })
    return undefined
  }),
]

const accountsWithin = (db: Database, reach: string[]) =>
  db.selectFrom('serviceAccounts').select(accountColumns).where('organizationId', '=', anyOf(reach))

async function findServiceAccount(db: Database, reach: string[], id: string) {
  const account = await accountsWithin(db, reach).where('id', '=', id).executeTakeFirst()
  if (!account) throw new Problem('NotFound', { what: 'service account' })
  return account
}

function checkScopes(scopes: string[]): void {
  const known = new Set<string>(Object.values(catalogue).map(({ id }) => id))
  const unknown = scopes.find((scope) => !known.has(scope))
  if (unknown !== undefined) throw new Problem('UnknownScope', { scope: unknown })
}

/** A device is given patients of its own organization. */
async function checkIndividuals(db: Database, organizationId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select u.individual_id as id from users u join memberships m on m.user_id = u.id
    where u.individual_id = any(${ids}::uuid[]) and m.organization_id = ${organizationId} and m.role = 'patient'`.execute(
    db,
  )
  const known = new Set(rows.map(({ id }) => id))
  const faults = ids.flatMap((id, index) => {
    const pointer = `/data/attributes/individual-ids/${index}`
    return known.has(id)
      ? []
      : new Problem('InvalidValue', { pointer, fault: 'must be a patient of this organization' }).entries
  })
  if (faults.length > 0) throw Problem.of(faults)
}
