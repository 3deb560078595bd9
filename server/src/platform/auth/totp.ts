// One-time codes of an authenticator app (RFC 6238) in the form every app knows: SHA-1, six digits, 30 seconds.

import { timingSafeEqual } from 'node:crypto'
import { generateSecret, generateSync, generateURI } from 'otplib'
import { toBuffer } from 'qrcode'

const STEP_MS = 30_000
const SECRET_BYTES = 20

// A phone's clock may be a little off, and typing takes a moment: one step to either side.
const TOLERATED_STEPS = 1

// With this much for each name the address fits in a QR code, whatever the script it is written in.
const LONGEST_ENCODED_NAME = 400

interface QrCode {
  contentsBase64: string
  height: number
  width: number
  mimetype: 'image/png'
}

/** 160 random bits in base32. */
export const newTotpSecret = (): string => generateSecret({ length: SECRET_BYTES })

/** The address an authenticator app takes a secret from. */
export const provisioningUri = (of: { secret: string; issuer: string; account: string }): string =>
  generateURI({ secret: of.secret, issuer: nameInUri(of.issuer), label: nameInUri(of.account) })

export async function provisioningQrCode(uri: string): Promise<QrCode> {
  const png = await toBuffer(uri, { type: 'png', errorCorrectionLevel: 'M' })
  // The header of a PNG has its size at fixed places.
  return {
    contentsBase64: png.toString('base64'),
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    mimetype: 'image/png',
  }
}

/**
 * The time step whose code this is: the previous, the current or the next one; null for none. Whoever remembers the
 * step can refuse a code that is shown a second time.
 */
export const matchingStep = (secret: string, code: string, now: Date): number | null =>
  stepsOf(secret, code, acceptedSteps(now)).at(-1) ?? null

/**
 * Two codes shown one after the other prove that the app holds the secret and keeps the time. Answers the step of the
 * second, which must be acceptable by itself. The first is of the step before and so up to two steps old.
 */
export function areConsecutive(secret: string, [first, second]: [string, string], now: Date): number | null {
  const accepted = acceptedSteps(now)
  const before = stepsOf(
    secret,
    first,
    accepted.map((step) => step - 1),
  )
  return stepsOf(secret, second, accepted).findLast((step) => before.includes(step - 1)) ?? null
}

function acceptedSteps(now: Date): number[] {
  const current = Math.floor(now.getTime() / STEP_MS)
  return Array.from({ length: 2 * TOLERATED_STEPS + 1 }, (_, index) => current - TOLERATED_STEPS + index)
}

/** Compares with the codes of all the steps, so that the time it takes does not tell which one it was. */
function stepsOf(secret: string, typed: string, steps: number[]): number[] {
  // Apps show codes in groups, and people type the space between them.
  const code = typed.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return []
  return steps.filter((step) => {
    const expected = generateSync({ strategy: 'hotp', secret, counter: Math.max(0, step) })
    return timingSafeEqual(Buffer.from(code), Buffer.from(expected)) && step >= 0
  })
}

/** A colon would be taken for the one between issuer and account. */
function nameInUri(name: string): string {
  const letters = [...name.replace(/\s*:\s*/g, ' ').trim()]
  while (encodeURIComponent(letters.join('')).length > LONGEST_ENCODED_NAME) letters.pop()
  return letters.join('')
}
