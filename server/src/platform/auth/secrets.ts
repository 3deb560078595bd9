// Encryption at rest with the instance key (AES-256-GCM). What was encrypted with an earlier key can still be read.

import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOnce } from '../config/create-once.ts'

// A sealed text: which key, the nonce, the tag, and the encrypted text itself.
const KEY_NAME_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = KEY_NAME_BYTES + NONCE_BYTES + TAG_BYTES

interface Key {
  name: Buffer
  bytes: Buffer
}

export class Secrets {
  readonly #current: Key
  readonly #all: Key[]

  constructor(current: Buffer, earlier: Buffer[] = []) {
    const named = (bytes: Buffer): Key => ({ name: hash('sha256', bytes, 'buffer').subarray(0, KEY_NAME_BYTES), bytes })
    this.#current = named(current)
    this.#all = [this.#current, ...earlier.map(named)]
  }

  encrypt(plain: string): Buffer {
    const { name, bytes } = this.#current
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', bytes, nonce)
    const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([name, nonce, cipher.getAuthTag(), encrypted])
  }

  decrypt(sealed: Buffer): string {
    const name = sealed.subarray(0, KEY_NAME_BYTES)
    const key = this.#all.find((one) => one.name.equals(name))
    if (!key) throw new Error('This was encrypted with a key that is not configured. Add it to PREVIOUS_INSTANCE_KEYS.')
    const nonce = sealed.subarray(KEY_NAME_BYTES, KEY_NAME_BYTES + NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce)
    decipher.setAuthTag(sealed.subarray(KEY_NAME_BYTES + NONCE_BYTES, HEAD_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8')
  }

  /** What a sealed text begins with, unless it should be encrypted anew. */
  get currentHead(): Buffer {
    return this.#current.name
  }

  /** Tells whether two texts are equal without keeping them. Keyed, because a text may be or hold a password. */
  fingerprint(text: string): Buffer {
    return fingerprintWith(this.#current, text)
  }

  isFingerprintOf(text: string, fingerprint: Buffer): boolean {
    return this.#all.some((key) => {
      const made = fingerprintWith(key, text)
      return made.length === fingerprint.length && timingSafeEqual(made, fingerprint)
    })
  }
}

const fingerprintWith = ({ bytes }: Key, text: string): Buffer => createHmac('sha256', bytes).update(text).digest()

interface KeySettings {
  instanceKey: string | undefined
  previousInstanceKeys: string[]
  dataDir: string
}

export async function loadSecrets({ instanceKey, previousInstanceKeys, dataDir }: KeySettings): Promise<Secrets> {
  const current = instanceKey ? Buffer.from(instanceKey, 'hex') : await loadOrMakeKey(dataDir)
  return new Secrets(
    current,
    previousInstanceKeys.map((key) => Buffer.from(key, 'hex')),
  )
}

/** The key kept in the data directory, made at the first start. */
async function loadOrMakeKey(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'instance.key')
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  await createOnce(file, randomBytes(32).toString('hex'))
  const key = Buffer.from(await readFile(file, 'utf8'), 'hex')
  if (key.length !== 32)
    throw new Error(`The instance key in ${file} is not 32 bytes in hexadecimal. Restore it from a backup.`)
  return key
}
