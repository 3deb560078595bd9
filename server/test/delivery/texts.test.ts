import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { render } from '../../src/platform/delivery/texts/render.ts'
import type { TextKind, TextValues } from '../../src/platform/delivery/texts/wording.ts'

const LOCALES = ['en_US', 'es_US'] as const
const TOKEN = 'Zx3_kQ9-'.repeat(5).concat('abc')

const samples: TextValues = {
  invitation: {
    organization: 'Riverside Clinic',
    firstName: 'Ada',
    link: `https://care.example/invitation/${TOKEN}`,
    days: 3,
  },
  'password-reset': { firstName: 'Ada', link: `https://care.example/password/${TOKEN}`, minutes: 60 },
  'mfa-code': { firstName: 'Ada', code: '402913', minutes: 10 },
  'password-changed': { firstName: 'Ada' },
  'second-factor-on': { firstName: 'Ada' },
  'second-factor-off': { firstName: 'Ada' },
  'webhook-failing': { firstName: 'Ada', organization: 'Riverside Clinic', host: 'hooks.example.org' },
  'webhook-gone': { firstName: 'Ada', organization: 'Riverside Clinic', host: 'hooks.example.org' },
}

const all = LOCALES.flatMap((locale) => (Object.keys(samples) as TextKind[]).map((kind) => [kind, locale] as const))

/** What a reader sees of an HTML mail, with every run of white space as one space. */
const seen = (html: string) =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'")
    .replace(/\s+/g, ' ')
    .trim()

// The letters of one SMS of 160 characters; with any other letter it is one of 70.
const GSM = /^[A-Za-z0-9 \r\n@£$¥èéùìòÇØøÅå_ÆæßÉ!"#¤%&'()*+,\-./:;<=>?¡ÄÖÑÜ§¿äöñüà]*$/

describe.each(all)('%s in %s', (kind, locale) => {
  const values = samples[kind]
  const { subject, text, html, sms } = render(kind, locale, values)

  test('holds every value', () => {
    for (const value of Object.values(values)) {
      expect(text).toContain(String(value))
      expect(seen(html)).toContain(String(value))
    }
    expect(`${text}${html}${subject}${sms}`).not.toMatch(/undefined|null|\[object|NaN/)
  })

  test('says in plain text what it says in HTML', () => {
    for (const line of text.split('\n').filter(Boolean)) expect(seen(html)).toContain(line.replace(/:$/, ''))
  })

  test('fits into one SMS that holds the link or the code', () => {
    expect(sms).toMatch(GSM)
    expect(sms.length).toBeLessThanOrEqual(160)
    if ('link' in values) expect(sms).toContain(values.link)
    if ('code' in values) expect(sms).toContain(values.code)
  })

  test('names its language and has a subject of one line', () => {
    expect(html).toContain(`<html lang="${locale.replace('_', '-')}">`)
    expect(subject).toMatch(/^\S.{5,70}$/)
  })
})

test('the two languages differ in every part', () => {
  for (const kind of Object.keys(samples) as TextKind[]) {
    const [english, spanish] = LOCALES.map((locale) => render(kind, locale, samples[kind]))
    for (const part of ['subject', 'text', 'html', 'sms'] as const) expect(english?.[part]).not.toBe(spanish?.[part])
  }
})

test('one day is not days', () => {
  expect(render('invitation', 'en_US', { ...samples.invitation, days: 1 }).text).toContain('works for 1 day.')
  expect(render('invitation', 'es_US', { ...samples.invitation, days: 1 }).text).toContain('durante 1 día.')
})

test('whatever a name or a link holds, it never becomes HTML or a line of its own', () => {
  const anything = fc.string({ unit: 'grapheme', maxLength: 60 })
  const nasty = fc.constantFrom('<script>alert(1)</script>', '" onmouseover="x', "'>", '&lt;', 'a\r\nb', '\u2028')
  const odd = fc.oneof(anything, nasty)
  const count = (html: string) => (html.match(/<[a-z/!]/g) ?? []).length
  fc.assert(
    fc.property(fc.constantFrom(...LOCALES), odd, odd, odd, (locale, organization, firstName, link) => {
      const usual = render('invitation', locale, samples.invitation)
      const unusual = render('invitation', locale, { organization, firstName, link, days: 3 })
      expect(count(unusual.html)).toBe(count(usual.html))
      expect((unusual.html.match(/"/g) ?? []).length).toBe((usual.html.match(/"/g) ?? []).length)
      expect(unusual.text.split('\n')).toHaveLength(usual.text.split('\n').length)
      expect(unusual.subject).not.toMatch(/[\r\n]/)
    }),
  )
  const { html } = render('invitation', 'en_US', { ...samples.invitation, firstName: '<b>"Ada" & \'Eve\'</b>' })
  expect(html).toContain('Hello &lt;b&gt;&quot;Ada&quot; &amp; &#39;Eve&#39;&lt;/b&gt;,')
})

test('a long name is cut to fit the SMS, the link never', () => {
  const organization = 'The Very Long Name of a Health Centre That Goes On and On Beside the River in the East'
  for (const locale of LOCALES) {
    const { sms, text } = render('invitation', locale, { ...samples.invitation, organization })
    expect(sms.length).toBeLessThanOrEqual(160)
    expect(sms).toMatch(/^The Very Long.*\.\.\. /)
    expect(sms).toContain(samples.invitation.link)
    expect(text).toContain(organization)
    const link = `https://care.example/${'x'.repeat(300)}`
    expect(render('invitation', locale, { ...samples.invitation, organization, link }).sms).toContain(link)
  }
})
