import type { Implementation } from '../../platform/http/implementation.ts'
import type { SignInAttempts } from '../../platform/limits/sign-in-attempts.ts'
import { groups } from './groups.ts'
import { organizations } from './organizations.ts'
import { signIn } from './sign-in.ts'

export { makeFirstOrganization } from './first-organization.ts'

export const identity = (services: { signInAttempts: SignInAttempts }): Implementation[] => [
  ...signIn(services.signInAttempts),
  ...organizations,
  ...groups,
]
