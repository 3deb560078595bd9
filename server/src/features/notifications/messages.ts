// From notices to a message.

import type { Severity } from '@almoner/contract'
import type { Channel } from '../../platform/delivery/outbox.ts'
import { layOut, onOneLine } from '../../platform/delivery/texts/render.ts'
import type { Recipient } from './queries/recipients.ts'
import { wallClock } from './timing.ts'
import { FAMILIES, type Family, type MessageValues, noticeLanguages } from './wordings.ts'

/** Two messages of the gateway's; what is longer may not arrive. */
export const LONGEST_SMS = 320
export const MOST_LINES = 20

interface Told {
  kind: string
  severity: Severity
  path: string | null
  createdAt: Date
}

/** The notices have the most severe first. */
export function messageOf(
  channel: Channel,
  recipient: Pick<Recipient, 'firstName' | 'organization' | 'locale' | 'tz'>,
  notices: Told[],
  publicUrl: string,
): { channel: Channel; subject?: string; text: string; html?: string } {
  const { locale } = recipient
  const values = valuesOf(recipient, notices)
  const home = new URL('/', publicUrl).href
  const [{ path } = { path: null }] = notices.length === 1 ? notices : []
  const wordedWith = (link: string) => layOut(noticeLanguages[locale].wording({ ...values, link }), locale)
  const { subject, text, html } = wordedWith(path ? new URL(path, publicUrl).href : home)
  if (channel === 'email') return { channel, subject, text, html }
  const links = [...(path ? [new URL(path, publicUrl).href] : []), home, '']
  const fitting = links.map((link) => wordedWith(link).sms.trim()).find(({ length }) => length <= LONGEST_SMS)
  return { channel, text: fitting ?? '' }
}

function valuesOf(recipient: Pick<Recipient, 'firstName' | 'organization' | 'locale' | 'tz'>, notices: Told[]) {
  const { firstName, organization, locale, tz } = recipient
  const isCritical = notices[0]?.severity === 'critical'
  const first = notices.filter(({ severity }) => (severity === 'critical') === isCritical)
  const families = new Set(first.map(({ kind }) => familyOf(kind)))
  const [family = 'notification'] = families.size === 1 ? families : []
  const shown = notices.length > 1 ? notices.slice(0, MOST_LINES) : []
  const { tag } = noticeLanguages[locale]
  return {
    ...onOneLine({ firstName, organization }),
    top: { family, isCritical, count: first.length },
    others: notices.length - first.length,
    lines: shown.map(({ kind, severity, createdAt }) => ({
      family: familyOf(kind),
      isCritical: severity === 'critical',
      time: wallClock(createdAt, tag, tz),
    })),
    more: notices.length > 1 ? notices.length - shown.length : 0,
  } satisfies Omit<MessageValues, 'link'>
}

function familyOf(kind: string): Family {
  const [first] = kind.split('.')
  return FAMILIES.find((family) => family === first) ?? 'notification'
}
