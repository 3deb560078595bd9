import type { PasswordAdvice } from '../../platform/auth/password-advice.ts'
import type { PasswordStrength } from '../../platform/auth/password-strength.ts'
import type { PwnedPasswords } from '../../platform/auth/pwned.ts'
import type { Secrets } from '../../platform/auth/secrets.ts'
import type { Outbox } from '../../platform/delivery/outbox.ts'
import type { SignInAttempts } from '../../platform/limits/sign-in-attempts.ts'

/** What identity needs of the platform besides a handler's context. */
export interface IdentityServices {
  signInAttempts: SignInAttempts
  secrets: Secrets
  /** For those who set a password. */
  strength: PasswordStrength
  /** For those who only ask. */
  advice: PasswordAdvice
  pwned: PwnedPasswords
  outbox: Outbox
  /** Where people reach the service: what the links in messages begin with. */
  publicUrl: string
}
