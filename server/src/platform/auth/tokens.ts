// Tokens and the secrets of links: opaque random strings, of which only hashes are stored.

import { hash, randomBytes } from 'node:crypto'

const SERVICE_PREFIX = 'sa_'

export const newToken = (): string => randomBytes(32).toString('base64url')

/** Told apart at sight, so that one found in a log or a repository is known for what it is. */
export const newServiceToken = (): string => SERVICE_PREFIX + newToken()
export const isServiceToken = (token: string): boolean => token.startsWith(SERVICE_PREFIX)

export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')
