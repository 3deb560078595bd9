import { SEVERITIES } from '@almoner/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LONGEST_SMS, MOST_LINES, messageOf } from '../../src/features/notifications/messages.ts'
import { MOST_MESSAGES, planMessages, WINDOW_MS } from '../../src/features/notifications/storm.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const before = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)

const notice = (more: object = {}) => ({
  organizationId: 'a',
  severity: 'warning' as 'critical' | 'warning' | 'info',
  createdAt: NOW,
  isGathered: false,
  kind: 'alert.fired',
  path: null as string | null,
  ...more,
})
const many = (count: number, more: object = {}) => Array.from({ length: count }, () => notice(more))

describe('a plan', () => {
  test.each([
    [4, 4, 0],
    [5, 5, 0],
    [6, 5, 1],
    [200, 5, 195],
  ])('of %i notices sends %i by themselves and holds %i back for ten minutes', (count, sent, held) => {
    const plan = planMessages(many(count), [], NOW)
    expect([plan.messages.length, plan.held.length]).toEqual([sent, held])
    for (const message of plan.messages) expect(message).toHaveLength(1)
    if (held > 0) expect(plan.heldUntil.getTime()).toBe(NOW.getTime() + WINDOW_MS)
  })

  test('counts what went out within ten minutes before, and holds back until the oldest of that is past', () => {
    const recent = [before(9), before(3), before(2), before(1)]
    expect(planMessages(many(1), recent, NOW).held).toHaveLength(0)
    const { messages, held, heldUntil } = planMessages(many(2), recent, NOW)
    expect([messages.length, held.length, heldUntil]).toEqual([1, 1, new Date(NOW.getTime() + 60_000)])
  })

  test('sends what was held back as one message, of each organization by itself', () => {
    const waiting = [...many(30, { isGathered: true }), ...many(7, { isGathered: true, organizationId: 'b' })]
    const { messages, held } = planMessages(
      waiting,
      many(MOST_MESSAGES).map(() => before(1)),
      NOW,
    )
    expect(messages.map(({ length }) => length)).toEqual([30, 7])
    expect(held).toEqual([])
  })

  test('has the most severe first, and among those the oldest', () => {
    const critical = notice({ severity: 'critical', createdAt: before(1) })
    const waiting = [...many(5, { severity: 'info', createdAt: before(5) }), notice({ createdAt: before(2) }), critical]
    const { messages, held } = planMessages(waiting, [], NOW)
    expect(
      messages
        .slice(0, 2)
        .flat()
        .map(({ severity }) => severity),
    ).toEqual(['critical', 'warning'])
    expect(held.map(({ severity }) => severity)).toEqual(['info', 'info'])
  })

  test('never loses or doubles a notice, and never sends more than five by themselves within ten minutes', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: 80 })
    fc.assert(
      fc.property(arrivals, (minutes) => {
        let waiting: { item: ReturnType<typeof notice> & { number: number }; due: number }[] = []
        const sent: { time: number; numbers: number[] }[] = []
        for (let minute = 0; minute <= 140; minute++) {
          const time = NOW.getTime() + minute * 60_000
          for (const [number, arrival] of minutes.entries())
            if (arrival === minute)
              waiting.push({ item: { ...notice({ createdAt: new Date(time) }), number }, due: time })
          const due = waiting.filter((one) => one.due <= time).map(({ item }) => item)
          const recent = sent.filter((one) => one.time > time - WINDOW_MS).map((one) => new Date(one.time))
          const plan = planMessages(due, recent, new Date(time))
          for (const message of plan.messages) sent.push({ time, numbers: message.map(({ number }) => number) })
          waiting = [
            ...waiting.filter((one) => one.due > time),
            ...plan.held.map((item) => ({ item: { ...item, isGathered: true }, due: plan.heldUntil.getTime() })),
          ]
          expect(sent.filter((one) => one.time > time - WINDOW_MS).length).toBeLessThanOrEqual(MOST_MESSAGES)
        }
        expect(sent.flatMap(({ numbers }) => numbers).toSorted((a, b) => a - b)).toEqual([...minutes.keys()])
      }),
    )
  })
})

describe('a message', () => {
  const person = {
    firstName: 'Ada',
    organization: 'Riverside Clinic',
    locale: 'en_US' as const,
    tz: 'America/New_York',
  }
  const inSpanish = { ...person, locale: 'es_US' as const }
  const URL_ = 'https://care.example'
  const sms = (notices: ReturnType<typeof notice>[], to: typeof person | typeof inSpanish = person, url = URL_) =>
    messageOf('sms', to, notices, url).text

  test('of one notice leads to it', () => {
    const critical = notice({ severity: 'critical', path: '/alerts/17' })
    expect(sms([critical])).toBe('1 critical alert at Riverside Clinic. Sign in: https://care.example/alerts/17')
    const mail = messageOf('email', person, [critical], URL_)
    expect(mail.subject).toBe('1 critical alert at Riverside Clinic')
    expect(mail.text).toContain('Sign in:\nhttps://care.example/alerts/17')
    expect(mail.text).not.toContain('- ')
  })

  test('of several says how many of what, the critical ones first', () => {
    const two = many(2, { severity: 'critical', path: '/alerts/17' })
    expect(sms(two)).toBe('2 critical alerts at Riverside Clinic. Sign in: https://care.example/')
    expect(sms([...two, ...many(3)])).toBe(
      '2 critical alerts and 3 more at Riverside Clinic. Sign in: https://care.example/',
    )
    expect(sms([...many(1), notice({ kind: 'message.received' })])).toBe(
      '2 notifications at Riverside Clinic. Sign in: https://care.example/',
    )
    expect(sms(many(2, { kind: 'worklist.due' }))).toMatch(/^2 tasks at/)
    expect(sms([notice({ kind: 'something.new' })])).toMatch(/^1 notification at/)
  })

  test('comes in Spanish, and as an SMS in letters that cost no more', () => {
    const two = many(2, { severity: 'critical' })
    expect(sms([...two, ...many(1)], inSpanish)).toBe(
      '2 alertas criticas y 1 mas en Riverside Clinic. Entre en https://care.example/',
    )
    expect(messageOf('email', inSpanish, two, URL_).subject).toBe('2 alertas críticas en Riverside Clinic')
    expect(messageOf('email', inSpanish, two, URL_).text).toMatch(/Hola, Ada:[\s\S]*- Alerta crítica, 1 mar/)
  })

  test.each([
    [2, 2, null],
    [MOST_LINES, MOST_LINES, null],
    [MOST_LINES + 1, MOST_LINES, '- and 1 more'],
    [MOST_LINES + 37, MOST_LINES, '- and 37 more'],
  ])('of %i notices lists %i, and then %s', (count, listed, rest) => {
    const { text, html } = messageOf('email', person, many(count), URL_)
    const lines = text.split('\n').filter((line) => line.startsWith('- '))
    expect(lines.slice(0, listed)).toEqual(Array(listed).fill('- Alert, Mar 1, 7:00 AM EST'))
    expect(lines[listed] ?? null).toBe(rest)
    expect(html?.match(/<li>/g)).toHaveLength(lines.length)
  })

  test('never is longer than an SMS may be, and never HTML of anyone else', () => {
    const names = fc.oneof(fc.string({ maxLength: 300 }), fc.constant('<b>"Clinic"</b>\n'.repeat(40)))
    const urls = fc.constantFrom(URL_, `https://${'a'.repeat(60)}.example/`, `https://x.example:8443`)
    const paths = fc.option(fc.integer({ min: 1, max: 400 }).map((length) => `/${'p'.repeat(length)}`))
    const sorts = fc.record({ severity: fc.constantFrom(...SEVERITIES), path: paths })
    fc.assert(
      fc.property(
        names,
        urls,
        fc.array(sorts, { minLength: 1, maxLength: 200 }),
        fc.boolean(),
        (organization, url, all, es) => {
          const to = { ...(es ? inSpanish : person), organization }
          const notices = all.map((one) => notice(one))
          expect(messageOf('sms', to, notices, url).text.length).toBeLessThanOrEqual(LONGEST_SMS)
          expect(messageOf('email', to, notices, url).html).not.toContain('<b>')
          expect(messageOf('email', to, notices, url).subject).not.toMatch(/[\r\n]/)
        },
      ),
    )
    const path = (length: number) => `/${'p'.repeat(length)}`
    const room = LONGEST_SMS - sms([notice({ path: path(0) })]).length
    // A long name is cut to let the link stay, so the room is taken by a name that cannot be cut.
    const short = { ...person, organization: 'Clinic' }
    const more = room + 'Riverside Clinic'.length - 'Clinic'.length
    expect(sms([notice({ path: path(more) })], short)).toHaveLength(LONGEST_SMS)
    expect(sms([notice({ path: path(more + 1) })], short)).toBe('1 alert at Clinic. Sign in: https://care.example/')
  })
})
