// Long runs of points that are written alike, read straight from the bytes of a request. Making a thousand objects of
// them first, to take them apart again, would be a third of the work of a push. Whatever is unusual is left to the
// reader of any point, which also tells what is wrong with it: a run is good or it is none.

import { parseStrictJson } from '../../platform/http/strict-json.ts'
import { isWithin, PointRun, type Reader, readDay, readers } from './point-reader.ts'

/** Below this, what is saved is not worth looking for. */
const LEAST_BYTES = 2048
const NAME = '"data"'
/** What stands for a run while the rest is parsed: a key that nobody else has, or runs are not looked for. */
const EMPTY = '""'
const markOf = (place: number) => Buffer.from(`{${EMPTY}:${place}}`)

/** The body of a push: the same as without runs, but where a list of points was one, the run is its only item. */
export function parsePush(bytes: Buffer): unknown {
  const { runs, around } = bytes.length < LEAST_BYTES ? { runs: [], around: [] } : runsOf(bytes)
  if (runs.length === 0 || around.some((part) => part.includes(EMPTY))) return parseStrictJson(bytes)
  try {
    const body = parseStrictJson(
      Buffer.concat(around.flatMap((part, place) => (place ? [markOf(place - 1), part] : part))),
    )
    putIn(body, runs)
    return body
  } catch {
    // What is wrong with it is told as of the whole.
    return parseStrictJson(bytes)
  }
}

/** All runs in a body, and what is before, between and after them. */
function runsOf(bytes: Buffer): { runs: PointRun[]; around: Buffer[] } {
  const runs: PointRun[] = []
  const around: Buffer[] = []
  const cursor = new Cursor(bytes)
  let end = 0
  for (let list = nextList(bytes, 0); list !== -1; list = nextList(bytes, Math.max(list, end))) {
    cursor.at = list
    const run = readRun(cursor)
    if (!run) continue
    around.push(bytes.subarray(end, list))
    runs.push(run)
    end = cursor.at
  }
  around.push(bytes.subarray(end))
  return { runs, around }
}

/** Where the first point of the next list begins; -1 when there is none. */
function nextList(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(NAME, from); at !== -1; at = bytes.indexOf(NAME, at + 1)) {
    const colon = afterSpace(bytes, at + NAME.length)
    const bracket = afterSpace(bytes, colon + 1)
    const first = afterSpace(bytes, bracket + 1)
    if (bytes[colon] === COLON && bytes[bracket] === OPENING && bytes[first] === BRACE) return first
  }
  return -1
}

/** Wherever the marks are in what was parsed, the runs are put there. */
function putIn(value: unknown, runs: PointRun[]): void {
  if (value === null || typeof value !== 'object') return
  for (const [key, member] of Object.entries(value)) {
    const mark = (member as Record<string, unknown> | null)?.['']
    if (typeof mark === 'number') (value as Record<string, unknown>)[key] = runs[mark]
    else putIn(member, runs)
  }
}

/** A number or the time of a point, and the bytes before it, which are the same in every point. */
interface Slot {
  before: Pattern
  /** Of the number; -1 for the time. */
  column: number
}

interface Layout {
  reader: Reader
  slots: Slot[]
  /** From the last value to the end of a point. */
  after: Pattern
  /** Columns that no point has. */
  absent: number[]
}

const MEMBER = /[{,]\s*"([a-z_]+)"\s*:\s*(?:"([\w :-]*)"|-?\d[\d.]*)/y
const TIME_LENGTH = 19
/** With the space after it. */
const DAY_LENGTH = 11
const LONGEST_POINT = 1000

/** How the first point of a list is written; null when it has more in it than a type, a time and numbers. */
function layoutOf({ bytes, at: start }: Cursor): Layout | null {
  const text = bytes.toString('latin1', start, start + LONGEST_POINT)
  const places: { name: string; from: number; to: number }[] = []
  let type: string | undefined
  MEMBER.lastIndex = 0
  for (let match = MEMBER.exec(text); match; match = MEMBER.exec(text)) {
    const [whole, name = '', said] = match
    if (places.some((one) => one.name === name) || (name === 'type' && type !== undefined)) return null
    const to = MEMBER.lastIndex - (said === undefined ? 0 : 1)
    if (name === 'type') type = said
    else if ((said === undefined) === (name === 'time')) return null
    else places.push({ name, from: to - (said ?? /-?\d[\d.]*$/.exec(whole)?.[0] ?? '').length, to })
  }
  const reader = readers.get(type ?? '')
  const last = places.at(-1)
  if (!reader || reader.type.isOpen || !last || !places.some(({ name }) => name === 'time')) return null
  // The order of what is in a point is the caller's; a type that comes last is part of what comes after.
  const end = text.indexOf('}', last.to)
  if (end === -1 || !/^"?\s*(?:,\s*"type"\s*:\s*"\w+"\s*)?\}$/.test(text.slice(last.to, end + 1))) return null
  const slots = places.map(({ name, from }, place) => ({
    before: new Pattern(bytes, start + (places[place - 1]?.to ?? 0), start + from),
    column: name === 'time' ? -1 : reader.fields.findIndex((field) => field.name === name),
  }))
  const given = new Set(slots.map(({ column }) => column))
  const isWhole = reader.fields.every(({ field }, column) => given.has(column) || field.isOptional)
  const areKnown = slots.filter(({ column }) => column === -1).length === 1 && slots.length > 1
  if (!isWhole || !areKnown) return null
  const absent = reader.fields.flatMap((_, column) => (given.has(column) ? [] : [column]))
  return { reader, slots, after: new Pattern(bytes, start + last.to, start + end + 1), absent }
}

/** How points were written last: a device writes them so in every request. */
let lastLayout: Layout | null = null

/** All points of the list that begins here; null when one of them is written otherwise, or wrong. */
function readRun(cursor: Cursor): PointRun | null {
  const start = cursor.at
  let layout = lastLayout
  let run = layout && new PointRun(layout.reader)
  if (!layout || !run || !readPoint(cursor, layout, run)) {
    cursor.at = start
    layout = layoutOf(cursor)
    if (!layout) return null
    lastLayout = layout
    run = new PointRun(layout.reader)
    if (!readPoint(cursor, layout, run)) return null
  }
  while (cursor.passComma()) if (!readPoint(cursor, layout, run)) return null
  if (!cursor.isAtEndOfList()) return null
  for (const column of layout.absent)
    for (let place = 0; place < run.times.length; place++) run.columns[column]?.push(Number.NaN)
  return run
}

function readPoint(cursor: Cursor, { reader, slots, after }: Layout, { times, columns }: PointRun): boolean {
  for (let place = 0; place < slots.length; place++) {
    const { before, column } = slots[place] as Slot
    if (!cursor.pass(before)) return false
    if (column === -1) {
      const seconds = cursor.passTime()
      if (Number.isNaN(seconds)) return false
      times.push(seconds)
    } else {
      const value = cursor.passNumber()
      if (!isWithin((reader.fields[column] as Reader['fields'][number]).field, value)) return false
      columns[column]?.push(value)
    }
  }
  return cursor.pass(after)
}

const SPACE = 0x20
const COLON = 0x3a
const BRACE = 0x7b
const OPENING = 0x5b
const CLOSING = 0x5d
const COMMA = 0x2c
const DOT = 0x2e
const MINUS = 0x2d
const ZERO = 0x30

/** Bytes to be found again and again, compared by fours. */
class Pattern {
  readonly length: number
  readonly words: number[] = []
  readonly rest: number[] = []

  constructor(bytes: Buffer, from: number, to: number) {
    this.length = to - from
    let at = from
    for (; at + 4 <= to; at += 4)
      this.words.push(
        ((bytes[at] as number) << 24) |
          ((bytes[at + 1] as number) << 16) |
          ((bytes[at + 2] as number) << 8) |
          (bytes[at + 3] as number),
      )
    for (; at < to; at++) this.rest.push(bytes[at] as number)
  }
}

/** Seconds of the days that were read last, with the space after them. */
const days = new Map<string, number>()
const MOST_DAYS = 1000

function secondsOfDay(text: string): number {
  const known = days.get(text)
  if (known !== undefined) return known
  const seconds = text.endsWith(' ') ? readDay(text.slice(0, -1)) : Number.NaN
  if (days.size >= MOST_DAYS) days.clear()
  days.set(text, seconds)
  return seconds
}

function afterSpace(bytes: Buffer, from: number): number {
  let at = from
  for (let byte = bytes[at]; byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[at]) at++
  return at
}

/** Of two digits; 99, which no clock shows, when they are not. */
function pairAt(bytes: Buffer, at: number): number {
  const tens = (bytes[at] as number) - ZERO
  const ones = (bytes[at + 1] as number) - ZERO
  return tens >= 0 && tens < 10 && ones >= 0 && ones < 10 ? tens * 10 + ones : 99
}

/** So many digits are exact in a number, and so is their quotient by a power of ten. */
const MOST_DIGITS = 15
const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, power) => 10 ** power)

/** A place in the bytes of a body, which goes on by what is read there. */
class Cursor {
  readonly bytes: Buffer
  readonly #view: DataView
  at = 0
  /** Times are mostly of the same day as the one before. */
  #day: Pattern | null = null
  #daySeconds = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** False, and nowhere in particular, when something else is here. */
  pass({ length, words, rest }: Pattern): boolean {
    const { bytes } = this
    const view = this.#view
    let { at } = this
    if (at + length > bytes.length) return false
    for (let place = 0; place < words.length; place++, at += 4) if (view.getInt32(at) !== words[place]) return false
    for (let place = 0; place < rest.length; place++, at++) if (bytes[at] !== rest[place]) return false
    this.at = at
    return true
  }

  /** A comma and what space is around it. */
  passComma(): boolean {
    const { bytes } = this
    const comma = afterSpace(bytes, this.at)
    if (bytes[comma] !== COMMA) return false
    this.at = afterSpace(bytes, comma + 1)
    return true
  }

  isAtEndOfList(): boolean {
    return this.bytes[afterSpace(this.bytes, this.at)] === CLOSING
  }

  /** `YYYY-MM-DD hh:mm:ss` as seconds since 1970; NaN when it is no time. */
  passTime(): number {
    const { bytes, at } = this
    if (!this.#day || !this.pass(this.#day)) {
      this.#day = new Pattern(bytes, at, Math.min(at + DAY_LENGTH, bytes.length))
      this.#daySeconds = secondsOfDay(bytes.toString('latin1', at, at + DAY_LENGTH))
    }
    const hours = pairAt(bytes, at + 11)
    const minutes = pairAt(bytes, at + 14)
    const seconds = pairAt(bytes, at + 17)
    if (hours > 23 || minutes > 59 || seconds > 59) return Number.NaN
    if (bytes[at + 13] !== COLON || bytes[at + 16] !== COLON) return Number.NaN
    this.at = at + TIME_LENGTH
    return this.#daySeconds + (hours * 3600 + minutes * 60 + seconds)
  }

  /** A number as JSON writes it, without an exponent; NaN when it is not that. */
  passNumber(): number {
    const { bytes } = this
    const isNegative = bytes[this.at] === MINUS
    const first = isNegative ? this.at + 1 : this.at
    let at = first
    let digits = 0
    let dot = -1
    for (;;) {
      const digit = (bytes[at] as number) - ZERO
      if (digit >= 0 && digit < 10) digits = digits * 10 + digit
      else if (dot === -1 && bytes[at] === DOT) dot = at
      else break
      at++
    }
    this.at = at
    const length = at - first
    if (length === 0 || length > MOST_DIGITS || dot === first || dot === at - 1) return Number.NaN
    if (length > 1 && bytes[first] === ZERO && dot !== first + 1) return Number.NaN
    const size = dot === -1 ? digits : digits / (POWERS[at - dot - 1] as number)
    return isNegative ? -size : size
  }
}
