// What the messages say, in each language. They say how many there are of what, and where: whom it is about and what was
// measured is read after signing in, because a mail or a text may lie open before anyone.

import type { Locale } from '@almoner/contract'
import { fitted, type Wording } from '../../platform/delivery/texts/wording.ts'

/** What a notice is, in a word: the first part of its kind. */
export const FAMILIES = ['alert', 'worklist', 'message', 'notification'] as const
export type Family = (typeof FAMILIES)[number]

/** Several of one sort. */
interface Sort {
  family: Family
  isCritical: boolean
}

export interface MessageValues {
  firstName: string
  organization: string
  link: string
  /** The most severe, which the message begins with. */
  top: Sort & { count: number }
  /** How many there are besides. */
  others: number
  /** What is told one by one; empty when there is only one. */
  lines: (Sort & { time: string })[]
  /** How many are not told one by one. */
  more: number
}

export interface NoticeLanguage {
  tag: string
  wording(values: MessageValues): Wording
}

type Nouns = Record<Family, { one: string; many: string; critical: [one: string, many: string] }>

const ENGLISH: Nouns = {
  alert: { one: 'alert', many: 'alerts', critical: ['critical alert', 'critical alerts'] },
  worklist: { one: 'task', many: 'tasks', critical: ['critical task', 'critical tasks'] },
  message: { one: 'message', many: 'messages', critical: ['critical message', 'critical messages'] },
  notification: {
    one: 'notification',
    many: 'notifications',
    critical: ['critical notification', 'critical notifications'],
  },
}

const SPANISH: Nouns = {
  alert: { one: 'alerta', many: 'alertas', critical: ['alerta crítica', 'alertas críticas'] },
  worklist: { one: 'tarea', many: 'tareas', critical: ['tarea crítica', 'tareas críticas'] },
  message: { one: 'mensaje', many: 'mensajes', critical: ['mensaje crítico', 'mensajes críticos'] },
  notification: { one: 'aviso', many: 'avisos', critical: ['aviso crítico', 'avisos críticos'] },
}

function named(nouns: Nouns, { family, isCritical }: Sort, count = 1): string {
  const { one, many, critical } = nouns[family]
  const [single, several] = isCritical ? critical : [one, many]
  return count === 1 ? single : several
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const listed = (nouns: Nouns, { lines, more }: MessageValues, andMore: (count: number) => string) =>
  lines.length > 0
    ? {
        list: [
          ...lines.map((line) => `${capital(named(nouns, line))}, ${line.time}`),
          ...(more > 0 ? [andMore(more)] : []),
        ],
      }
    : {}

const english: NoticeLanguage = {
  tag: 'en-US',
  wording(values) {
    const { firstName, organization, link, top, others } = values
    const what = `${top.count} ${named(ENGLISH, top, top.count)}${others > 0 ? ` and ${others} more` : ''}`
    return {
      subject: `${what} at ${organization}`,
      greeting: `Hello ${firstName},`,
      before: [`There is something for you to see: ${what} at ${organization}.`],
      ...listed(ENGLISH, values, (count) => `and ${count} more`),
      action: { label: 'Sign in', link },
      after: [
        'To protect privacy this message names no one and tells nothing that was measured. You see that after signing in.',
        'In your notification settings you choose what is sent to you, and when.',
      ],
      sms: fitted(organization, (name) => `${what} at ${name}.${link && ` Sign in: ${link}`}`),
    }
  },
}

/** The GSM alphabet of an SMS has none of these letters; with a single one its length would be cut to 70. */
const withoutAccents = (text: string): string => text.replaceAll('í', 'i').replaceAll('á', 'a')

const spanish: NoticeLanguage = {
  tag: 'es-US',
  wording(values) {
    const { firstName, organization, link, top, others } = values
    const what = `${top.count} ${named(SPANISH, top, top.count)}${others > 0 ? ` y ${others} más` : ''}`
    return {
      subject: `${what} en ${organization}`,
      greeting: `Hola, ${firstName}:`,
      before: [`Hay algo para usted: ${what} en ${organization}.`],
      ...listed(SPANISH, values, (count) => `y ${count} más`),
      action: { label: 'Iniciar sesión', link },
      after: [
        'Para proteger la privacidad, este mensaje no nombra a nadie ni dice nada de lo que se ha medido. Lo verá al iniciar sesión.',
        'En los ajustes de avisos puede elegir qué se le envía y cuándo.',
      ],
      sms: fitted(organization, (name) => `${withoutAccents(what)} en ${name}.${link && ` Entre en ${link}`}`),
    }
  },
}

export const noticeLanguages: Record<Locale, NoticeLanguage> = { en_US: english, es_US: spanish }
