import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { areConsecutive, matchingStep, newTotpSecret, provisioningQrCode, provisioningUri } from './totp.ts'

// The secret of RFC 6238's test vectors, "12345678901234567890", in base32.
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const NOW = new Date('2031-05-06T07:08:09Z')
const STEP = Math.floor(NOW.getTime() / 30_000)

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** RFC 4226, written out. */
function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const place = digest.readUInt8(19) & 0xf
  return String((digest.readUInt32BE(place) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

test('the test vectors of RFC 6238 are accepted at their moments', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [seconds, code] of vectors) {
    const step = Math.floor(seconds / 30)
    expect(codeOf(RFC_SECRET, step)).toBe(code.slice(2))
    expect(matchingStep(RFC_SECRET, code.slice(2), new Date(seconds * 1000))).toBe(step)
  }
})

test('a secret is 160 random bits in base32', () => {
  const secrets = Array.from({ length: 50 }, newTotpSecret)
  expect(new Set(secrets).size).toBe(50)
  for (const secret of secrets) {
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(decodeBase32(secret)).toHaveLength(20)
    expect(matchingStep(secret, codeOf(secret, STEP), NOW)).toBe(STEP)
  }
})

test('the codes of the previous, the current and the next step are accepted, two steps away none', () => {
  const accepted = [-3, -2, -1, 0, 1, 2, 3].map((offset) =>
    matchingStep(RFC_SECRET, codeOf(RFC_SECRET, STEP + offset), NOW),
  )
  expect(accepted).toEqual([null, null, STEP - 1, STEP, STEP + 1, null, null])
})

test('a step begins and ends on the millisecond', () => {
  const code = codeOf(RFC_SECRET, STEP)
  const at = (milliseconds: number) => matchingStep(RFC_SECRET, code, new Date(milliseconds))
  expect(at((STEP - 1) * 30_000 - 1)).toBeNull()
  expect(at((STEP - 1) * 30_000)).toBe(STEP)
  expect(at((STEP + 2) * 30_000 - 1)).toBe(STEP)
  expect(at((STEP + 2) * 30_000)).toBeNull()
})

test('a code may be typed in groups, and nothing but six digits is a code', () => {
  const code = codeOf(RFC_SECRET, STEP)
  const typed = [` ${code.slice(0, 3)} ${code.slice(3)}\n`, [...code].join('\u00a0')]
  for (const text of typed) expect(matchingStep(RFC_SECRET, text, NOW)).toBe(STEP)
  const fullwidth = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')
  for (const text of ['', code.slice(1), `${code}0`, `+${code.slice(1)}`, `${code}.0`, `-${code}`, fullwidth, 'abcdef'])
    expect(matchingStep(RFC_SECRET, text, NOW), text).toBeNull()
})

test('the first step there ever was has none before it', () => {
  expect(matchingStep(RFC_SECRET, codeOf(RFC_SECRET, 0), new Date(0))).toBe(0)
  expect(areConsecutive(RFC_SECRET, [codeOf(RFC_SECRET, 0), codeOf(RFC_SECRET, 0)], new Date(0))).toBeNull()
  expect(areConsecutive(RFC_SECRET, [codeOf(RFC_SECRET, 0), codeOf(RFC_SECRET, 1)], new Date(0))).toBe(1)
})

const aSecret = fc
  .array(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'), { minLength: 32, maxLength: 32 })
  .map((letters) => letters.join(''))
const aMoment = fc.integer({ min: 10 * 30_000, max: 4_102_444_800_000 }).map((time) => new Date(time))
const anOffset = fc.integer({ min: -4, max: 3 })

test('only codes of two steps in a row, in their order and still fresh, are consecutive', () => {
  fc.assert(
    fc.property(aSecret, aMoment, anOffset, anOffset, (secret, now, first, second) => {
      const current = Math.floor(now.getTime() / 30_000)
      const codes = Array.from({ length: 9 }, (_, index) => codeOf(secret, current - 4 + index))
      fc.pre(new Set(codes).size === codes.length)
      const fresh = second >= -1 && second <= 1
      expect(areConsecutive(secret, [codeOf(secret, current + first), codeOf(secret, current + second)], now)).toBe(
        second === first + 1 && fresh ? current + second : null,
      )
    }),
    { numRuns: 500 },
  )
})

test('any code that is accepted is the code of the step answered', () => {
  fc.assert(
    fc.property(aSecret, aMoment, fc.integer({ min: 0, max: 999_999 }), (secret, now, guess) => {
      const code = String(guess).padStart(6, '0')
      const step = matchingStep(secret, code, now)
      if (step !== null) expect(codeOf(secret, step)).toBe(code)
    }),
  )
})

test('the address for authenticator apps says issuer, account and secret', () => {
  const uri = provisioningUri({
    secret: RFC_SECRET,
    issuer: 'Clínica & Hijos / 100%?',
    account: 'jane+x@clinic.example',
  })
  const { protocol, host, pathname, searchParams } = new URL(uri)
  expect([protocol, host]).toEqual(['otpauth:', 'totp'])
  expect(pathname.slice(1).split(':').map(decodeURIComponent)).toEqual([
    'Clínica & Hijos / 100%?',
    'jane+x@clinic.example',
  ])
  expect(searchParams.get('secret')).toBe(RFC_SECRET)
  expect(searchParams.get('issuer')).toBe('Clínica & Hijos / 100%?')
  expect(uri).not.toMatch(/[\s+]/)
})

test('colons in names do not move the border between issuer and account', () => {
  const uri = provisioningUri({ secret: RFC_SECRET, issuer: 'Clinic: North', account: 'ward:7' })
  expect(decodeURIComponent(new URL(uri).pathname)).toBe('/Clinic North:ward 7')
  expect(new URL(uri).searchParams.get('issuer')).toBe('Clinic North')
})

test('the QR code is a PNG that says its true size', async () => {
  const uri = provisioningUri({ secret: newTotpSecret(), issuer: 'Almoner', account: 'jane@clinic.example' })
  const { contentsBase64, width, height, mimetype } = await provisioningQrCode(uri)
  const png = Buffer.from(contentsBase64, 'base64')
  expect(mimetype).toBe('image/png')
  expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
  expect(png.subarray(12, 16).toString()).toBe('IHDR')
  expect([width, height]).toEqual([png.readUInt32BE(16), png.readUInt32BE(20)])
  expect(width).toBe(height)
  expect(width).toBeGreaterThan(100)
})

test('names of any length and script fit in a QR code', async () => {
  for (const name of ['診療所'.repeat(85), '👩‍⚕️'.repeat(51), 'n'.repeat(255)]) {
    const uri = provisioningUri({ secret: newTotpSecret(), issuer: name, account: name })
    const label = decodeURIComponent(new URL(uri).pathname).slice(1)
    expect(name.startsWith(label.split(':')[0] ?? '?')).toBe(true)
    expect((await provisioningQrCode(uri)).width).toBeGreaterThan(100)
  }
})
