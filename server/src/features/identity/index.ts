import type { Implementation } from '../../platform/http/implementation.ts'
import type { Task } from '../../platform/queue/queue.ts'
import { audit } from './audit.ts'
import { identityHousekeeping } from './housekeeping.ts'
import { invitations } from './invitations.ts'
import { sendPasswordResetTask } from './messages.ts'
import { organizations } from './organizations.ts'
import { outboundMessages } from './outbound-messages.ts'
import { passwords } from './passwords.ts'
import { profile } from './profile.ts'
import { secondFactors } from './second-factors.ts'
import { serviceAccounts } from './service-accounts.ts'
import type { IdentityServices } from './services.ts'
import { sessions } from './sessions.ts'
import { signIn } from './sign-in.ts'
import './tables.ts'
import { users } from './users.ts'

export { checkContacts, createAccount, phoneOf, withFreeUsername } from './accounts.ts'
export { makeFirstOrganization } from './first-organization.ts'
export { invitationFailed, tellAdministrators } from './messages.ts'
export { spendAllLinks } from './queries/links.ts'
export { organizationIdsOf } from './queries/organizations.ts'
export { type Account, changeUser, lockAccount } from './queries/users.ts'
export type { IdentityServices } from './services.ts'
export { moveUser } from './user-moves.ts'

export const identity = (services: IdentityServices): Implementation[] => [
  ...signIn(services),
  ...sessions,
  ...profile,
  ...passwords(services),
  ...secondFactors(services),
  ...users(services),
  ...invitations(services),
  ...serviceAccounts,
  ...organizations,
  ...outboundMessages(services),
  ...audit,
]

export const identityTasks = (services: Pick<IdentityServices, 'outbox' | 'publicUrl' | 'secrets'>): Task[] => [
  sendPasswordResetTask(services),
  identityHousekeeping,
]
