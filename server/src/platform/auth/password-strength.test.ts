import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { PasswordStrength } from './password-strength.ts'

const strength = new PasswordStrength()
afterAll(() => strength.close())

const labelOf = async (password: string) => (await strength.check(password)).label

test('passwords that everybody tries first are weak and long passphrases are strong', async () => {
  expect(await strength.check('password')).toEqual({
    value: 0,
    label: 'very-weak',
    suggestions: ['This is a heavily used password.', 'Add more words that are less common.'],
  })
  expect(await labelOf('')).toBe('very-weak')
  expect(await labelOf('Summer2024')).toBe('weak')
  expect(await labelOf('marigoldkestrel')).toBe('fair')
  expect(await strength.check('copper lantern orchard velocity thimble')).toEqual({
    value: 4,
    label: 'strong',
    suggestions: [],
  })
})

test('letters written as digits and signs, and words of both languages, are seen through', async () => {
  for (const password of ['p@$$w0rd', 'b4$k3tb4ll', '4dm1n1$tr4t0r', 'murciélago', 'c0ntr4s3n4'])
    expect((await strength.check(password)).value, password).toBeLessThanOrEqual(1)
})

test('what is known of the person makes a password weaker', async () => {
  const password = 'TheodoraVandenberg'
  const { value } = await strength.check(password)
  expect(value).toBeGreaterThanOrEqual(2)
  const known = await strength.check(password, ['Theodora', 'Vandenberg'])
  expect(known.value).toBeLessThan(value)
  expect(known.suggestions).toContain('There should not be any personal or page related data.')
  expect((await strength.check(password, ['theodora.vandenberg@clinic.example'])).value).toBe(known.value)
})

test('an e-mail address longer than what is judged is recognised all the same', async () => {
  const address = `${'quillon.braxworth-zyndell.'.repeat(3)}@clinic.example`
  expect((await strength.check(address)).value).toBe(4)
  expect((await strength.check(address, [address])).value).toBe(0)
})

test('suggestions come in the language asked for, with the same verdict', async () => {
  const english = await strength.check('Summer2024', [], 'en_US')
  const spanish = await strength.check('Summer2024', [], 'es_US')
  expect(spanish.value).toBe(english.value)
  expect(spanish.suggestions).toHaveLength(english.suggestions.length)
  expect(spanish.suggestions).toContain('Añade más palabras que sean menos comunes.')
  for (const sentence of [...english.suggestions, ...spanish.suggestions]) expect(sentence).toMatch(/^\p{Lu}.* /u)
})

// Each takes the library seconds when it is left to its own limits.
const costly = {
  'letters written as signs': '4@',
  'one sign': '4',
  'signs with several readings': '@$!1|0',
  'dates without end': '12/12/1990',
  'years without end': '19',
  'a repetition of repetitions': '@4a@4a4@@4a@@@@4a4@4@@@4444@a4a@',
  'pieces of letters': '2nvv2uu2nnunv2uuuu2unn2vnnvnnuv2',
}
for (const [what, piece] of Object.entries(costly))
  test(`${what}, 255 characters of them, are judged in time`, async () => {
    await strength.check('warm')
    const started = performance.now()
    await strength.check(piece.repeat(255).slice(0, 255))
    expect(performance.now() - started).toBeLessThan(1500)
  })

test('a long random password is strong and judged in time', async () => {
  await strength.check('warm')
  const started = performance.now()
  expect(await labelOf('x7Kq2mZ9vB4nR8tW1cY5'.repeat(3) + 'hJ6'.repeat(65))).toBe('strong')
  expect(performance.now() - started).toBeLessThan(1500)
})

test('a judgement that takes too long ends as weak, and the next one works', async () => {
  // So many known words that no machine is done with them in a second.
  const words = Array.from({ length: 150_000 }, (_, index) => `${index}@`.repeat(32).slice(0, 64))
  await strength.check('warm')
  const started = performance.now()
  const [english, next] = await Promise.all([
    strength.check('40@!|7$'.repeat(36), words),
    strength.check('copper lantern orchard velocity thimble'),
  ])
  expect(english).toEqual({
    value: 1,
    label: 'weak',
    suggestions: ['This password could not be judged in time. Use a few uncommon words instead.'],
  })
  expect(next.label).toBe('strong')
  expect(performance.now() - started).toBeLessThan(5000)
  const spanish = await strength.check('40@!|7$'.repeat(36), words, 'es_US')
  expect(spanish.suggestions).toEqual([
    'No se pudo evaluar esta contraseña a tiempo. Usa en su lugar algunas palabras poco comunes.',
  ])
})

test('many checks at once are all answered, each with its own verdict', async () => {
  const passwords = Array.from({ length: 60 }, (_, index) =>
    index % 2 ? 'password' : `copper lantern ${index} orchard`,
  )
  const labels = await Promise.all(passwords.map(labelOf))
  expect(labels).toEqual(passwords.map((password) => (password === 'password' ? 'very-weak' : 'strong')))
})

test('text of every kind can be a password', async () => {
  for (const password of ['\0', '\ud800', '😀'.repeat(100), 'Ж'.repeat(255), ' \n\t', '__proto__', 'constructor'])
    expect((await strength.check(password, [password])).value, password).toBeLessThanOrEqual(3)
})

test('closing refuses what is not answered yet and everything after', async () => {
  const closing = new PasswordStrength()
  await closing.check('warm')
  const pending = [closing.check('19'.repeat(100)), closing.check('password')]
  const refused = Promise.all(pending.map((check) => expect(check).rejects.toThrow('the service is stopping')))
  await closing.close()
  await refused
  await expect(closing.check('password')).rejects.toThrow('the service is stopping')
  await closing.close()
})

test('one that was never used closes too', async () => {
  await expect(new PasswordStrength().close()).resolves.toBeUndefined()
})

test('a process that has nothing else to do gets its verdict and then ends', async () => {
  const script = `import { PasswordStrength } from '${join(import.meta.dirname, 'password-strength.ts')}'
    console.log((await new PasswordStrength().check('password')).label)`
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 })
  expect(stdout.trim()).toBe('very-weak')
})
