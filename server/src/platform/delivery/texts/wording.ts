// What a text is made of, before it is laid out as plain text, HTML and SMS.

export interface TextValues {
  invitation: { organization: string; firstName: string; link: string; days: number }
  'password-reset': { firstName: string; link: string; minutes: number }
  'mfa-code': { firstName: string; code: string; minutes: number }
  'password-changed': { firstName: string }
  'second-factor-on': { firstName: string }
  'second-factor-off': { firstName: string }
  'webhook-failing': { firstName: string; organization: string; host: string }
  'webhook-gone': { firstName: string; organization: string; host: string }
}

export type TextKind = keyof TextValues

export interface Wording {
  subject: string
  greeting: string
  before: string[]
  list?: string[]
  /** What the reader is to follow or to copy. */
  action?: { label: string; link: string }
  code?: string
  after: string[]
  sms: string
}

export interface Language {
  /** As HTML and Intl name it. */
  tag: string
  copyLink: string
  signature: string
  wordings: { [Kind in TextKind]: (values: TextValues[Kind]) => Wording }
}

/** One SMS of the GSM alphabet; a longer one is sent, and paid for, in parts. */
export const SMS_LENGTH = 160
const SHORTEST_NAME = 12

export const duration = (tag: string, unit: 'day' | 'minute', amount: number): string =>
  new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(amount)

/** Cuts a long name, never the rest, to keep an SMS within its length. */
export function fitted(name: string, smsWith: (name: string) => string): string {
  const letters = [...name]
  const shown = () => (letters.length < [...name].length ? `${letters.join('').trimEnd()}...` : name)
  while (letters.length > SHORTEST_NAME && smsWith(shown()).length > SMS_LENGTH) letters.pop()
  return smsWith(shown())
}
