// When something may be sent: quiet hours and digests, by the clock on the person's wall. That clock is put forward and
// back: then an hour of the wall is missing, or there twice.

import type { Severity } from '@almoner/contract'
import { isTimeZone } from '@almoner/contract'
import type { NotificationChoices } from '@almoner/contract/notifications/notification-preferences'
import { LRUCache } from 'lru-cache'
import { Temporal } from 'temporal-polyfill'

type QuietHours = NonNullable<NotificationChoices['quietHours']>
type Timing = Pick<NotificationChoices, 'quietHours' | 'criticalAtOnce' | 'digest' | 'digestTime'>

const known = new LRUCache<string, boolean>({ max: 1000 })

/** A zone that is missing, or that this service does not know, must not keep anyone from being told. */
function zoneOf(tz: string | null): string {
  if (tz === null) return 'UTC'
  let isKnown = known.get(tz)
  if (isKnown === undefined) {
    isKnown = isTimeZone(tz)
    known.set(tz, isKnown)
  }
  return isKnown ? tz : 'UTC'
}

const onTheWall = (moment: Date, tz: string | null): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zoneOf(tz))

const dateOf = (moment: Temporal.ZonedDateTime): Date => new Date(moment.epochMilliseconds)

/** When the quiet hours end in which the moment lies; the moment itself when it lies in none. */
export function afterQuietHours(moment: Date, { from, to }: QuietHours, tz: string | null): Date {
  const local = onTheWall(moment, tz)
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' })
  const isQuiet = from < to ? from <= time && time < to : from <= time || time < to
  if (!isQuiet) return moment
  const end = local
    .toPlainDate()
    .add({ days: time < to ? 0 : 1 })
    .toPlainDateTime(Temporal.PlainTime.from(to))
  // Where the clock shows that time twice, the first may have passed.
  const next = (['earlier', 'later'] as const)
    .map((disambiguation) => end.toZonedDateTime(local.timeZoneId, { disambiguation }).epochMilliseconds)
    .find((candidate) => candidate > moment.getTime())
  // A change of clocks before then may end the quiet hours, and may begin new ones.
  const change = local.getTimeZoneTransition('next')?.epochMilliseconds
  return afterQuietHours(new Date(Math.min(next ?? Infinity, change ?? Infinity)), { from, to }, tz)
}

/** When the clock next shows that time, or would if it were not put forward past it. */
export function nextTimeOfDay(moment: Date, time: string, tz: string | null): Date {
  const local = onTheWall(moment, tz)
  const on = (days: number) =>
    local
      .toPlainDate()
      .add({ days })
      .toZonedDateTime({ timeZone: local.timeZoneId, plainTime: Temporal.PlainTime.from(time) })
  const today = on(0)
  return dateOf(today.epochMilliseconds > local.epochMilliseconds ? today : on(1))
}

const nextHour = (moment: Date, tz: string | null): Date =>
  dateOf(onTheWall(moment, tz).round({ smallestUnit: 'hour', roundingMode: 'floor' }).add({ hours: 1 }))

const isAtOnce = ({ criticalAtOnce }: Timing, severity: Severity) => criticalAtOnce && severity === 'critical'

/** When something may be sent at the earliest, as far as quiet hours go. */
export function outsideQuietHours(moment: Date, timing: Timing, severity: Severity, tz: string | null): Date {
  const { quietHours } = timing
  return quietHours && !isAtOnce(timing, severity) ? afterQuietHours(moment, quietHours, tz) : moment
}

/** When something that comes up now is to be sent: at once, with the next digest, or when the quiet hours are over. */
export function dueTime(now: Date, timing: Timing, severity: Severity, tz: string | null): Date {
  const { digest, digestTime } = timing
  if (isAtOnce(timing, severity)) return now
  const due = digest === 'daily' ? nextTimeOfDay(now, digestTime, tz) : digest === 'hourly' ? nextHour(now, tz) : now
  return outsideQuietHours(due, timing, severity, tz)
}

/** As the person reads it, with the zone it is in. */
export function wallClock(moment: Date, tag: string, tz: string | null): string {
  const format = new Intl.DateTimeFormat(tag, {
    timeZone: zoneOf(tz),
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  // Thin spaces and the like are shown as boxes by some mail programs.
  return format.format(moment).replace(/\s/g, ' ')
}
