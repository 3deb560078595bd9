// Access and refresh tokens: opaque random strings, of which only hashes are stored.

import { hash, randomBytes } from 'node:crypto'

export const newToken = (): string => randomBytes(32).toString('base64url')

export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')
