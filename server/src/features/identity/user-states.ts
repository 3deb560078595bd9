// How a user's state moves, by what happens to the user.

import type { AnswerOf } from '@almoner/contract'
import type { getUser } from '@almoner/contract/identity/users'

export type UserState = AnswerOf<typeof getUser>['state']

/** What may happen, and which state it leads to from which. What is not here cannot happen. */
const MOVES = {
  /** The email or the phone is verified. */
  confirm: { init: 'confirmed', confirmed: 'confirmed' },
  /** A first password is set. */
  register: { init: 'registered', confirmed: 'registered' },
  /** A new password is set. */
  resetPassword: { registered: 'registered', force_reset_password: 'registered' },
  disable: {
    init: 'disabled',
    confirmed: 'disabled',
    registered: 'registered_disabled',
  },
  /** Takes back a disabling: to `confirmed` where an address was verified, else to `init`. */
  activate: { disabled: 'init', registered_disabled: 'registered' },
  /** Takes back an archiving, to what was before, or a disabling. */
  restore: { archived: 'init', disabled: 'init', registered_disabled: 'registered' },
  forceReset: { registered: 'force_reset_password' },
  archive: {
    init: 'archived',
    confirmed: 'archived',
    registered: 'archived',
    disabled: 'archived',
    registered_disabled: 'archived',
    force_reset_password: 'archived',
  },
} as const satisfies Record<string, Partial<Record<UserState, UserState>>>

export type Move = keyof typeof MOVES

/** Null when this cannot happen to a user in that state. */
export function nextState(
  from: UserState,
  move: Move,
  { isVerified, archivedFrom = null }: { isVerified: boolean; archivedFrom?: UserState | null },
): UserState | null {
  const moves: Partial<Record<UserState, UserState>> = MOVES[move]
  const to = moves[from] ?? null
  if (to !== null && from === 'archived' && archivedFrom) return archivedFrom
  return to === 'init' && isVerified ? 'confirmed' : to
}
