// Passwords, kept as argon2id hashes. Hashing runs on the thread pool, not on the main thread.

import { hash, verify } from '@node-rs/argon2'

// OWASP's recommended minimum for argon2id: 19 MiB, two passes, one lane.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, PARAMETERS)

/**
 * With no hash to compare, one is computed all the same, so that an unknown user takes as long as a wrong password.
 */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  if (stored) return verify(stored, password)
  await hashPassword(password)
  return false
}
