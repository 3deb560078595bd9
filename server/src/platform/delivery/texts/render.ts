// From a wording to the forms it is sent in. The plain text says the same as the HTML.

import { english } from './english.ts'
import { spanish } from './spanish.ts'
import type { Language, TextKind, TextValues, Wording } from './wording.ts'

export const languages = { en_US: english, es_US: spanish } as const

export interface RenderedText {
  subject: string
  text: string
  html: string
  sms: string
}

export function render<Kind extends TextKind>(
  kind: Kind,
  locale: keyof typeof languages,
  values: TextValues[Kind],
): RenderedText {
  return layOut(languages[locale].wordings[kind](onOneLine(values)), locale)
}

/** For the texts that a feature words itself. Other people's input in them goes through `onOneLine` first. */
export function layOut(wording: Wording, locale: keyof typeof languages): RenderedText {
  const language: Language = languages[locale]
  return {
    subject: wording.subject,
    text: plainText(wording, language),
    html: html(wording, language),
    sms: wording.sms,
  }
}

/** Names are other people's input: one with line breaks in it could pass for a paragraph of ours. */
export function onOneLine<Values extends object>(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replace(/[\s\p{Cc}]+/gu, ' ').trim() : value,
  ])
  return Object.fromEntries(entries) as Values
}

function plainText({ greeting, before, list, action, code, after }: Wording, { signature }: Language): string {
  const items = list ? [list.map((item) => `- ${item}`).join('\n')] : []
  const middle = action ? [`${action.label}:\n${action.link}`] : code ? [code] : []
  return `${[greeting, ...before, ...items, ...middle, ...after, signature].join('\n\n')}\n`
}

// Styles stand in the elements, because mail programs drop style sheets. White on this green has a contrast of 7 to 1.
const PAGE = 'margin:0;padding:24px;background:#ffffff;color:#1f2933;font:16px/1.5 Helvetica,Arial,sans-serif'
const COLUMN = 'max-width:560px;margin:0 auto'
const PARAGRAPH = 'margin:0 0 16px'
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:6px;background:#1b5e57;color:#ffffff;font-weight:bold;text-decoration:none'
const ADDRESS = 'color:#1b5e57;word-break:break-all'
const CODE = 'margin:0 0 16px;font-size:28px;font-weight:bold;letter-spacing:4px'

function html(
  { subject, greeting, before, list, action, code, after }: Wording,
  { tag, copyLink, signature }: Language,
): string {
  const paragraph = (text: string) => `<p style="${PARAGRAPH}">${escapeHtml(text)}</p>`
  const middle: string[] = []
  if (list) {
    const items = list.map((item) => `<li>${escapeHtml(item)}</li>`)
    middle.push(`<ul style="${PARAGRAPH}">\n${items.join('\n')}\n</ul>`)
  }
  if (action) {
    const link = escapeHtml(action.link)
    middle.push(
      `<p style="${PARAGRAPH}"><a href="${link}" style="${BUTTON}">${escapeHtml(action.label)}</a></p>`,
      `<p style="${PARAGRAPH}">${escapeHtml(copyLink)}<br><a href="${link}" style="${ADDRESS}">${link}</a></p>`,
    )
  }
  if (code) middle.push(`<p style="${CODE}">${escapeHtml(code)}</p>`)
  return `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(subject)}</title>
</head>
<body style="${PAGE}">
<div role="article" lang="${tag}" style="${COLUMN}">
${[paragraph(greeting), ...before.map(paragraph), ...middle, ...after.map(paragraph), paragraph(signature)].join('\n')}
</div>
</body>
</html>
`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
