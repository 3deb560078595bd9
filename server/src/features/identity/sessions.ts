import { endSession, listSessions } from '@almoner/contract/identity/sessions'
import type { AuditNote } from '../../platform/audit/audit-note.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { endSession as end } from '../../platform/auth/sessions.ts'
import type { Database } from '../../platform/db/database.ts'
import { pageOf } from '../../platform/db/paging.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { organizationIdsOf } from './queries/organizations.ts'
import { findAccount } from './queries/users.ts'

export const sessions = [
  implement(listSessions, async ({ filter, page }, { db, actor, now, audit }) => {
    const userId = filter.userId ?? actor.userId
    if (!(await isSelfOrAdministered(db, actor, userId))) throw new Problem('PermissionDenied')
    if (userId !== actor.userId) await touchOwner(db, audit, userId)
    const { items, total } = await pageOf(openSessions(db, now).where('userId', '=', userId), page)
    return { items: items.map((session) => ({ ...session, isCurrent: session.id === actor.sessionId })), total }
  }),

  implement(endSession, async ({ id }, { db, actor, now, audit }) => {
    const session = await openSessions(db, now).where('id', '=', id).executeTakeFirst()
    if (!session || !(await isSelfOrAdministered(db, actor, session.userId)))
      throw new Problem('NotFound', { what: 'sign-in' })
    await touchOwner(db, audit, session.userId)
    await end(db, id, now)
    return undefined
  }),
]

const openSessions = (db: Database, now: Date) =>
  db
    .selectFrom('sessions')
    .select(['id', 'userId', 'ip', 'userAgent', 'createdAt', 'lastUsedAt'])
    .where('endedAt', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sessionTokens')
          .select('hash')
          .whereRef('sessionId', '=', 'sessions.id')
          .where('expiresAt', '>', now)
          .where('spentAt', 'is', null),
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id')

/** Whether a user is the caller, or belongs only to organizations that the caller administers. */
export async function isSelfOrAdministered(db: Database, actor: Actor, userId: string): Promise<boolean> {
  if (userId === actor.userId) return true
  const administered = new Set(
    actor.memberships.filter(({ role }) => role === 'org-admin').map(({ organizationId }) => organizationId),
  )
  const organizations = await organizationIdsOf(db, userId)
  return organizations.length > 0 && organizations.every((id) => administered.has(id))
}

/** Says in the audit trail whose sign-ins or second factors were looked at or ended. */
export async function touchOwner(db: Database, audit: AuditNote, userId: string): Promise<void> {
  const owner = await findAccount(db, userId)
  if (owner) audit.touched([owner.individualId], await organizationIdsOf(db, userId))
}
