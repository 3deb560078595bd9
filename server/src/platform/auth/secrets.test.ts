import { randomBytes } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSecrets, Secrets } from './secrets.ts'

test('what is encrypted comes back, differs each time, and cannot be altered', () => {
  const secrets = new Secrets(randomBytes(32))
  const sealed = secrets.encrypt('blood pressure')
  expect(secrets.decrypt(sealed)).toBe('blood pressure')
  expect(secrets.encrypt('blood pressure')).not.toEqual(sealed)
  for (const place of [0, 14, sealed.length - 1]) {
    const altered = Buffer.from(sealed)
    altered[place] = (altered[place] as number) ^ 1
    expect(() => secrets.decrypt(altered)).toThrow()
  }
  expect(() => new Secrets(randomBytes(32)).decrypt(sealed)).toThrow()
})

test('what an earlier key encrypted can be read while that key is configured', () => {
  const [old, current] = [randomBytes(32), randomBytes(32)]
  const sealed = new Secrets(old).encrypt('pulse')
  const rotated = new Secrets(current, [old])
  expect(rotated.decrypt(sealed)).toBe('pulse')
  const isOutdated = (one: Buffer) => !one.subarray(0, rotated.currentHead.length).equals(rotated.currentHead)
  expect([isOutdated(sealed), isOutdated(rotated.encrypt('pulse'))]).toEqual([true, false])
  expect(rotated.isFingerprintOf('pulse', new Secrets(old).fingerprint('pulse'))).toBe(true)
  expect(() => new Secrets(current).decrypt(sealed)).toThrow('PREVIOUS_INSTANCE_KEYS')
})

const settingsIn = (dataDir: string) => ({ instanceKey: undefined, previousInstanceKeys: [], dataDir })

test('the key is made once, also by several at the same moment', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'almoner-key-'))
  const all = await Promise.all([1, 2, 3].map(() => loadSecrets(settingsIn(dataDir))))
  const sealed = all.map((secrets) => secrets.encrypt('x'))
  for (const secrets of [...all, await loadSecrets(settingsIn(dataDir))]) {
    for (const one of sealed) expect(secrets.decrypt(one)).toBe('x')
  }
})

test('a damaged key file is said to be damaged', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'almoner-key-'))
  await writeFile(join(dataDir, 'instance.key'), 'abc')
  await expect(loadSecrets(settingsIn(dataDir))).rejects.toThrow('is not 32 bytes')
})
