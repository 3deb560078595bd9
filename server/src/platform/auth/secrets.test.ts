import { randomBytes } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadInstanceKey, Secrets } from './secrets.ts'

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

test('the key is made once, also by several at the same moment', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'almoner-key-'))
  const keys = await Promise.all([1, 2, 3].map(() => loadInstanceKey(undefined, directory)))
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
  expect(await loadInstanceKey(undefined, directory)).toEqual(keys[0])
})

test('a damaged key file is said to be damaged', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'almoner-key-'))
  await writeFile(join(directory, 'instance.key'), 'abc')
  await expect(loadInstanceKey(undefined, directory)).rejects.toThrow('is not 32 bytes')
})
