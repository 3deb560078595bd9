// The value formats of the interface: how each is declared, and how each is checked.

import { type Static, type TSchema, Type } from 'typebox'

export const uuid = (options: { description?: string } = {}) => Type.String({ ...options, format: 'uuid' })
export const date = (options: { description?: string } = {}) => Type.String({ ...options, format: 'date' })
export const email = (options: { description?: string } = {}) =>
  Type.String({ ...options, format: 'email', maxLength: 255 })
export const phonenumberE164 = (options: { description?: string } = {}) =>
  Type.String({ ...options, format: 'phonenumberE164' })

/** By the clock on someone's wall. */
export const timeOfDay = (options: { description?: string } = {}) => Type.String({ ...options, format: 'timeOfDay' })
export const timeZone = (options: { description?: string } = {}) =>
  Type.String({ ...options, format: 'timeZone', maxLength: 64 })

/** A moment: a `Date` in code, `YYYY-MM-DD hh:mm:ss` UTC on the wire (RFC 3339 is accepted too). */
export const datetime = (options: { description?: string } = {}) =>
  Type.Unsafe<Date>({ ...options, type: 'string', format: 'datetime' })

type TextOptions = { description?: string; minLength?: number; maxLength?: number }
export const text = (options: TextOptions = {}) => Type.String(options)

export const boolean = (options: { description?: string } = {}) => Type.Boolean(options)

type NumberOptions = { description?: string; minimum?: number; maximum?: number }
export const integer = (options: NumberOptions = {}) => Type.Integer(options)
export const number = (options: NumberOptions = {}) => Type.Number(options)

export const oneOf = <const Values extends readonly string[]>(values: Values, options: { description?: string } = {}) =>
  Type.Unsafe<Values[number]>({ ...options, type: 'string', enum: values })

/** JSON of the caller's own making: its keys are not ours to rename. */
export const anyObject = (options: { description?: string } = {}) =>
  Type.Unsafe<Record<string, unknown>>({ ...options, type: 'object' })

/** An object that another attribute beside it shapes: `shapes` has one for each value that may have. */
export const shapedBy = <T>(name: string, shapes: Record<string, TSchema>, options: { description?: string } = {}) =>
  Type.Unsafe<T>({ ...options, type: 'object', shapedBy: name, shapes })

export const listOf = <T extends TSchema>(
  items: T,
  options: { description?: string; minItems?: number; maxItems?: number } = {},
) => Type.Array(items, options)

export const nullable = <T extends TSchema>(schema: T) => Type.Union([Type.Null(), schema])

export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

/** A value the caller may leave out and the handler always has. */
export const defaulted = <T extends TSchema>(schema: T, value: Static<T>) =>
  ({ ...schema, default: value }) as T & { default: Static<T> }

const CALENDAR_DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const MOMENT = /^(\d{4}-\d\d-\d\d)[ Tt](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))?$/

export function isCalendarDate(value: string): boolean {
  const [, year, month, day] = CALENDAR_DATE.exec(value) ?? []
  if (!year || Number(year) === 0) return false
  const moment = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return moment.getUTCMonth() + 1 === Number(month) && moment.getUTCDate() === Number(day)
}

/** Reads `YYYY-MM-DD hh:mm:ss` (UTC) or an RFC 3339 timestamp; null when it is neither, or no real moment. */
export function parseDatetime(value: string): Date | null {
  const match = MOMENT.exec(value)
  if (!match || !isCalendarDate(match[1] as string)) return null
  const [, day, hours, minutes, seconds, fraction = '', sign, offsetHours, offsetMinutes] = match
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  if (Number(offsetHours ?? 0) > 23 || Number(offsetMinutes ?? 0) > 59) return null
  // Without a T the value is the interface's own form, which is UTC and carries neither fraction nor offset.
  const rfc3339 = value[10] !== ' '
  if (rfc3339 !== (/[Zz]$/.test(value) || sign !== undefined)) return null
  if (!rfc3339 && fraction) return null
  const zone = sign ? `${sign}${offsetHours}:${offsetMinutes}` : 'Z'
  const moment = new Date(`${day}T${hours}:${minutes}:${seconds}${fraction.slice(0, 4)}${zone}`)
  // An offset can push the first or the last day out of the four-digit years that can be printed and stored.
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999 ? moment : null
}

export function isTimeZone(name: string): boolean {
  // Offsets such as +02:00 are taken by Intl too, and know nothing of summer.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

export function printDatetime(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}

// One @ with a dotted host name; what cannot be delivered is found by delivering. The length is checked first,
// because the pattern's cost is quadratic in it.
const EMAIL = /^[^\s@<>()[\]\\,;:"]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const E164 = /^\+[1-9]\d{1,14}$/
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/

export interface Format {
  check(value: string): boolean
  /** Completes "must be …". */
  wording: string
}

export const formats: Record<string, Format> = {
  uuid: { check: (value) => UUID.test(value), wording: 'a uuid such as 0198c5a0-7d2c-7a31-9c55-3f6f0f1b2c3d' },
  date: { check: isCalendarDate, wording: 'a real calendar date, YYYY-MM-DD' },
  datetime: {
    check: (value) => parseDatetime(value) !== null,
    wording: 'a datetime, YYYY-MM-DD hh:mm:ss in UTC or an RFC 3339 timestamp',
  },
  email: {
    check: (value) => value.length <= 255 && EMAIL.test(value),
    wording: 'an email address such as name@example.org',
  },
  timeOfDay: { check: (value) => TIME_OF_DAY.test(value), wording: 'a time of day from 00:00 to 23:59, HH:MM' },
  timeZone: { check: isTimeZone, wording: 'a time zone such as America/New_York' },
  phonenumberE164: { check: (value) => E164.test(value), wording: 'a phone number in E.164 form such as +12025550123' },
}
