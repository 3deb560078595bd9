// Encryption at rest with the instance key (AES-256-GCM).

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOnce } from '../config/create-once.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

export class Secrets {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  encrypt(plain: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
  }

  /** Tells whether two texts are equal without keeping them. Keyed, because a text may be or hold a password. */
  fingerprint(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest()
  }

  decrypt(sealed: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  }
}

/** The key of the settings, or the one kept in the data directory, made at the first start. */
export async function loadInstanceKey(configured: string | undefined, dataDir: string): Promise<Buffer> {
  if (configured) return Buffer.from(configured, 'hex')
  const file = join(dataDir, 'instance.key')
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  await createOnce(file, randomBytes(32).toString('hex'))
  const key = Buffer.from(await readFile(file, 'utf8'), 'hex')
  if (key.length !== 32)
    throw new Error(`The instance key in ${file} is not 32 bytes in hexadecimal. Restore it from a backup.`)
  return key
}
