// Moving a user from one state to another, with what that entails.

import { endSessionsOf } from '../../platform/auth/sessions.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { organizationIdsOf } from './queries/organizations.ts'
import {
  type Account,
  changeUser,
  lockAccount,
  lockOrganizations,
  membershipsWithin,
  withoutAdministrator,
} from './queries/users.ts'
import { type Move, nextState } from './user-states.ts'

/** What a move is called to those who ask for it. */
export const MOVE_NAMES: Partial<Record<Move, string>> = {
  activate: 'active',
  restore: 'active',
  disable: 'disabled',
  forceReset: 'force_reset_password',
  archive: 'archived',
}

/** A user of several organizations is moved only by someone who administers all of them. */
export async function moveAccount(
  db: Database,
  account: Account,
  move: Move,
  reach: string[],
  now: Date,
): Promise<void> {
  const organizations = await organizationIdsOf(db, account.id)
  if (organizations.some((id) => !reach.includes(id))) throw new Problem('PermissionDenied')
  const { emailVerified, phoneVerified, archivedFrom } = account
  const facts = { isVerified: emailVerified || phoneVerified, archivedFrom }
  const state = nextState(account.state, move, facts)
  if (!state) throw new Problem('StateNotAllowed', { from: account.state, to: MOVE_NAMES[move] ?? move })
  await changeUser(db, account.id, { state, archivedFrom: state === 'archived' ? account.state : null })
  if (state !== 'registered') await endSessionsOf(db, account.id, now)
}

/** Locks and moves a user; undefined when there is none within reach. */
export async function moveUser(
  db: Database,
  userId: string,
  move: Move,
  reach: string[],
  now: Date,
): Promise<Account | undefined> {
  const within = await membershipsWithin(db, userId, reach)
  await lockOrganizations(db, within)
  const account = within.length > 0 ? await lockAccount(db, userId) : undefined
  if (!account) return undefined
  await moveAccount(db, account, move, reach, now)
  if ((await withoutAdministrator(db, within)).length > 0) throw new Problem('LastAdministrator')
  return account
}
