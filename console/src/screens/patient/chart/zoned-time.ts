// Clocks of time zones. A chart asks for the same few moments in every frame, so what was found is kept.

const MINUTES_KEPT = 20_000
const printers = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, number>()
/** No zone changes its clocks in the middle of a quarter of an hour. */
const QUARTER = 900

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** So many seconds the clock of a zone is before that of UTC. */
function offsetAt(zone: string, seconds: number): number {
  const key = `${zone} ${Math.floor(seconds / QUARTER)}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  let printer = printers.get(zone)
  if (!printer) {
    printer = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    printers.set(zone, printer)
  }
  const name = printer.formatToParts(seconds * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = 0, minutes = 0, rest = 0] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? []
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(rest))
  if (offsets.size > MINUTES_KEPT) offsets.clear()
  offsets.set(key, offset)
  return offset
}

/** What the clock shows, as the seconds of the same reading in UTC. */
export const toLocal = (zone: string, seconds: number): number => seconds + offsetAt(zone, seconds)

/** The moment at which the clock shows this. Of a time that is left out or comes twice, one of those it may be. */
export const fromLocal = (zone: string, local: number): number => {
  const guess = local - offsetAt(zone, local)
  return local - offsetAt(zone, guess)
}

const two = (number: number) => String(number).padStart(2, '0')

/** `+01:00` */
export function printOffset(zone: string, seconds: number): string {
  const minutes = Math.round(offsetAt(zone, seconds) / 60)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

/** `YYYY-MM-DDThh:mm:ss` by the clock of the zone, as an input of the browser has it. */
export const toInput = (zone: string, seconds: number): string =>
  new Date(toLocal(zone, seconds) * 1000).toISOString().slice(0, 19)

/** NaN when it is no time. */
export const fromInput = (zone: string, written: string): number => {
  const local = Date.parse(`${written}Z`) / 1000
  return Number.isNaN(local) ? local : fromLocal(zone, local)
}
