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
  let end = 0
  for (let list = nextList(bytes, 0); list !== -1; list = nextList(bytes, Math.max(list, end))) {
    const found = readRun(bytes, list)
    if (!found) continue
    around.push(bytes.subarray(end, list))
    runs.push(found.run)
    end = found.end
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
  before: Buffer
  /** Of the number; -1 for the time. */
  column: number
}

interface Layout {
  reader: Reader
  slots: Slot[]
  /** From the last value to the end of a point. */
  after: Buffer
}

const MEMBER = /[{,]\s*"([a-z_]+)"\s*:\s*(?:"([\w :-]*)"|-?\d[\d.]*)/y
const TIME_LENGTH = 19
const LONGEST_POINT = 1000

/** How the first point of a list is written; null when it has more in it than a type, a time and numbers. */
function layoutOf(bytes: Buffer, start: number): Layout | null {
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
    before: bytes.subarray(start + (places[place - 1]?.to ?? 0), start + from),
    column: name === 'time' ? -1 : reader.fields.findIndex((field) => field.name === name),
  }))
  const given = new Set(slots.map(({ column }) => column))
  const isWhole = reader.fields.every(({ field }, column) => given.has(column) || field.isOptional)
  const areKnown = slots.filter(({ column }) => column === -1).length === 1 && slots.length > 1
  if (!isWhole || !areKnown) return null
  return { reader, slots, after: bytes.subarray(start + last.to, start + end + 1) }
}

/** All points of the list that begins here; null when one of them is written otherwise, or wrong. */
function readRun(bytes: Buffer, start: number): { run: PointRun; end: number } | null {
  const layout = layoutOf(bytes, start)
  if (!layout) return null
  const { reader, slots, after } = layout
  const run = new PointRun(reader)
  const { times, columns } = run
  const absent = columns.filter((_, column) => slots.every((slot) => slot.column !== column))
  const clock = new Clock()
  let at = start
  for (;;) {
    for (const { before, column } of slots) {
      if (!isAt(bytes, at, before)) return null
      at += before.length
      if (column === -1) {
        const seconds = clock.read(bytes, at)
        if (Number.isNaN(seconds)) return null
        times.push(seconds)
        at += TIME_LENGTH
      } else {
        const end = endOfNumber(bytes, at)
        const value = readNumber(bytes, at, end)
        if (!isWithin((reader.fields[column] as Reader['fields'][number]).field, value)) return null
        columns[column]?.push(value)
        at = end
      }
    }
    if (!isAt(bytes, at, after)) return null
    at += after.length
    const next = afterSpace(bytes, at)
    if (bytes[next] === CLOSING) {
      for (const column of absent) for (let place = 0; place < times.length; place++) column.push(Number.NaN)
      return { run, end: at }
    }
    if (bytes[next] !== COMMA) return null
    at = afterSpace(bytes, next + 1)
  }
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

function isAt(bytes: Buffer, at: number, expected: Buffer): boolean {
  for (let place = 0; place < expected.length; place++) if (bytes[at + place] !== expected[place]) return false
  return true
}

function afterSpace(bytes: Buffer, from: number): number {
  let at = from
  for (let byte = bytes[at]; byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[at]) at++
  return at
}

const digitAt = (bytes: Buffer, at: number): number => {
  const digit = (bytes[at] as number) - ZERO
  return digit >= 0 && digit <= 9 ? digit : Number.NaN
}
const pairAt = (bytes: Buffer, at: number): number => digitAt(bytes, at) * 10 + digitAt(bytes, at + 1)

/** `YYYY-MM-DD hh:mm:ss`, mostly of the same day as the one before. */
class Clock {
  #day: Buffer | null = null
  #daySeconds = 0

  /** Seconds since 1970; NaN when it is no time. */
  read(bytes: Buffer, at: number): number {
    if (!this.#day || !isAt(bytes, at, this.#day)) {
      this.#day = bytes.subarray(at, at + 11)
      this.#daySeconds = bytes[at + 10] === SPACE ? readDay(bytes.toString('latin1', at, at + 10)) : Number.NaN
    }
    const [hours, minutes, seconds] = [pairAt(bytes, at + 11), pairAt(bytes, at + 14), pairAt(bytes, at + 17)]
    const isClock = bytes[at + 13] === COLON && bytes[at + 16] === COLON && hours < 24 && minutes < 60 && seconds < 60
    return isClock ? this.#daySeconds + hours * 3600 + minutes * 60 + seconds : Number.NaN
  }
}

function endOfNumber(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === MINUS || bytes[at] === DOT || digitAt(bytes, at) >= 0) at++
  return at
}

/** So many digits are exact in a number, and so is their quotient by a power of ten. */
const MOST_DIGITS = 15
const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, power) => 10 ** power)

/** A number as JSON writes it, without an exponent; NaN when it is not that. */
function readNumber(bytes: Buffer, from: number, end: number): number {
  const isNegative = bytes[from] === MINUS
  const first = isNegative ? from + 1 : from
  let digits = 0
  let dot = -1
  for (let at = first; at < end; at++) {
    if (bytes[at] === DOT && dot === -1 && at > first) dot = at
    else digits = digits * 10 + digitAt(bytes, at)
  }
  const isLeadingZero = bytes[first] === ZERO && end - first > 1 && dot !== first + 1
  if (end === first || end - first > MOST_DIGITS || dot === end - 1 || isLeadingZero) return Number.NaN
  const size = dot === -1 ? digits : digits / (POWERS[end - dot - 1] as number)
  return isNegative ? -size : size
}
