// The evaluation of rules over HTTP against a slow and obvious model, with random histories. The clock of the service is
// set by the test; timers go on as ever.

import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Happened, type ModelAlert, type Played, play, type Reading, type Terms } from '../support/alerts-model.ts'
import { makePatients, manyNames } from '../support/patients.ts'
import { makeOrganization, makePerson, type Person, startTestService, type TestService } from '../support/service.ts'

const TYPE = 'Pulse'
const SOURCES = ['cuff', 'watch', 'api']
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]
const START = Date.parse('2026-06-01T12:00:00.250Z') / 1000

let service: TestService
let organizationId: string
let admin: Person
let groups: { above: string; own: string }

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  await sql`update session_tokens set expires_at = '2100-01-01'`.execute(service.db)
  const above = await admin.almoner.createGroup({ body: { name: 'Above', organizationId } })
  const own = await admin.almoner.createGroup({ body: { name: 'Own', organizationId } })
  await admin.almoner.moveGroup({ id: own.id, body: { toParentGroupId: above.id } })
  groups = { above: above.id, own: own.id }
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterAll(() => void vi.useRealTimers())

type Where = 'now' | 'next' | 'today' | 'edge' | 'old' | 'ahead' | 'wrong clock' | 'same' | 'corrected'

interface PlannedReading {
  where: Where
  place: number
  value: number
}

type Step = { after: number } & (
  | { what: 'push'; series: { source: number; readings: PlannedReading[] }[]; isApart: boolean }
  | { what: 'change'; rule: number; how: 'terms' | 'enabled' | 'name' | 'delete'; terms: Terms }
  | { what: 'acknowledge' | 'clear'; rule: number }
)

const value = fc.integer({ min: 0, max: 9 }).map((tens) => 60 + 10 * tens)
const watermark = fc
  .record({
    direction: fc.constantFrom('above' as const, 'below' as const),
    threshold: value,
    gap: fc.constantFrom(null, 0, 10, 30),
  })
  .map(
    ({ direction, threshold, gap }): Terms => ({
      kind: 'watermark',
      direction,
      threshold,
      clearThreshold: gap === null ? null : direction === 'above' ? threshold - gap : threshold + gap,
    }),
  )
const range = fc
  .record({ from: value, width: fc.constantFrom(10, 30, 60), period: fc.constantFrom(1, 10, 60, 180, 1500) })
  .map(({ from, width, period }): Terms => ({ kind: 'range', from, to: from + width, period }))
const terms = fc.oneof(watermark, range)

const reading = fc.record({
  where: fc.oneof(
    { weight: 10, arbitrary: fc.constant<Where>('now') },
    { weight: 5, arbitrary: fc.constantFrom<Where>('next', 'today', 'same', 'corrected') },
    { weight: 2, arbitrary: fc.constantFrom<Where>('edge', 'old', 'ahead', 'wrong clock') },
  ),
  place: fc.nat({ max: 10_000 }),
  value,
})
const after = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 90 * MINUTE }) },
  { weight: 2, arbitrary: fc.integer({ min: HOUR, max: 60 * HOUR }) },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      after,
      what: fc.constant('push' as const),
      series: fc.uniqueArray(
        fc.record({ source: fc.nat({ max: 2 }), readings: fc.array(reading, { minLength: 1, maxLength: 6 }) }),
        { minLength: 1, maxLength: 2, selector: ({ source }) => source },
      ),
      isApart: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      after,
      what: fc.constant('change' as const),
      rule: fc.nat({ max: 3 }),
      how: fc.constantFrom('terms' as const, 'terms' as const, 'enabled' as const, 'name' as const, 'delete' as const),
      terms,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      after,
      what: fc.constantFrom('acknowledge' as const, 'clear' as const),
      rule: fc.nat({ max: 3 }),
    }),
  },
)
const rule = fc.record({ terms, target: fc.constantFrom('individual', 'own', 'above', 'everyone') })
const history = fc.record({
  rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
  steps: fc.array(step, { minLength: 5, maxLength: 30, size: 'max' }),
})

/** What a rule of these terms is on the wire; every other term is taken away. */
const wireTerms = (one: Terms) => ({
  kind: one.kind,
  direction: one.kind === 'watermark' ? one.direction : null,
  threshold: one.kind === 'watermark' ? one.threshold : null,
  clearThreshold: one.kind === 'watermark' ? one.clearThreshold : null,
  from: one.kind === 'range' ? one.from : null,
  to: one.kind === 'range' ? one.to : null,
  period: one.kind === 'range' ? one.period : null,
})

interface RuleNow {
  id: string
  terms: Terms
  isEnabled: boolean
  isDeleted: boolean
}

class Walk {
  /** Pushes of the same moment may be written in any order, or together: every history that is possible so far. */
  histories: Happened[][] = [[]]
  readonly rules: RuleNow[] = []
  readonly sent = new Map<string, Map<number, number>>()
  now = START
  hasRange = false
  alerts = 0

  readonly individualId: string

  constructor(individualId: string) {
    this.individualId = individualId
  }

  #happens(one: Happened): void {
    for (const history of this.histories) history.push(one)
  }

  #advance(seconds: number): void {
    this.now += seconds
    vi.setSystemTime(this.now * 1000)
  }

  async begin(rules: { terms: Terms; target: string }[]): Promise<void> {
    this.#advance(0)
    for (const [number, { terms, target }] of rules.entries()) {
      const whom = {
        ...(target === 'individual' ? { individualId: this.individualId } : {}),
        ...(target === 'own' ? { groupId: groups.own } : target === 'above' ? { groupId: groups.above } : {}),
      }
      const { id } = await admin.almoner.createAlertRule({
        body: {
          organizationId,
          name: `Rule ${number}`,
          metricType: TYPE,
          severity: 'info',
          ...wireTerms(terms),
          ...whom,
        },
      })
      this.rules.push({ id, terms, isEnabled: true, isDeleted: false })
      this.#happens({ now: this.now, what: 'rule', rule: number, terms, isEnabled: true })
    }
  }

  async end(): Promise<void> {
    for (const { id, isDeleted } of this.rules) if (!isDeleted) await admin.almoner.deleteAlertRule({ id })
  }

  async take(step: Step): Promise<void> {
    this.#advance(step.after)
    if (step.what === 'push') return this.#push(step)
    const number = step.rule % this.rules.length
    const rule = this.rules[number] as RuleNow
    if (step.what === 'change') return this.#change(number, rule, step)
    await this.#handle(step.what, number, rule)
  }

  /** Where there are ranges, what is of a wrong clock stays far ahead: in a run it would count when its time has come. */
  #timeOf({ where, place }: PlannedReading, source: string): number {
    const now = Math.floor(this.now)
    const known = [...(this.sent.get(source)?.keys() ?? [])]
    if ((where === 'same' || where === 'corrected') && known.length > 0) return known[place % known.length] as number
    const past = known.filter((time) => time < now)
    if (where === 'next' && past.length > 0) return Math.min(now, Math.max(...past) + 1 + (place % HOUR))
    if (where === 'edge') return now - DAY + (place % 3)
    if (where === 'old') return now - DAY - (place % (2 * DAY))
    if (where === 'today') return now - (place % DAY)
    if (where === 'ahead') return now + HOUR - (place % 2) * (place % HOUR)
    if (where === 'wrong clock') return this.hasRange ? now + 400 * DAY + place : now + HOUR + 1 + (place % (3 * HOUR))
    return now - (place % (10 * MINUTE))
  }

  async #push({ series, isApart }: Extract<Step, { what: 'push' }>): Promise<void> {
    const arrivals = series.map(({ source, readings }) => {
      const name = SOURCES[source] as string
      const points = readings.map((planned): Reading => {
        const time = this.#timeOf(planned, name)
        const former = planned.where === 'same' ? this.sent.get(name)?.get(time) : undefined
        return { time, value: former ?? planned.value }
      })
      return { source: name, readings: points }
    })
    for (const { source, readings } of arrivals) {
      const known = this.sent.get(source) ?? new Map()
      for (const { time, value } of readings) known.set(time, value)
      this.sent.set(source, known)
    }
    const items = arrivals.map(({ source, readings }) => ({
      ...{ individualId: this.individualId, type: TYPE, source },
      data: readings.map(({ time, value }) => ({ type: TYPE, time: new Date(time * 1000).toISOString(), value })),
    }))
    const pushes = isApart ? items.map((item) => [item]) : [items]
    await Promise.all(pushes.map((body) => admin.almoner.pushTimeseries({ body })))
    const { now } = this
    const together: Happened[] = [{ now, what: 'push', series: arrivals }]
    const inTurn: Happened[] = arrivals.map((one) => ({ now, what: 'push', series: [one] }))
    const ways = isApart && arrivals.length > 1 ? [together, inTurn, inTurn.toReversed()] : [together]
    this.histories = this.histories.flatMap((history) => ways.map((way) => [...history, ...way]))
  }

  async #change(number: number, rule: RuleNow, { how, terms }: Extract<Step, { what: 'change' }>): Promise<void> {
    if (rule.isDeleted) return
    const { id } = rule
    if (how === 'delete') {
      await admin.almoner.deleteAlertRule({ id })
      rule.isDeleted = true
      return this.#happens({ now: this.now, what: 'rule', rule: number, terms: null, isEnabled: false })
    }
    if (how === 'name') return void (await admin.almoner.modifyAlertRule({ id, body: { name: 'Renamed' } }))
    if (how === 'enabled') rule.isEnabled = !rule.isEnabled
    const isSame = how === 'terms' && JSON.stringify(terms) === JSON.stringify(rule.terms)
    if (how === 'terms') rule.terms = terms
    const body = how === 'enabled' ? { enabled: rule.isEnabled } : wireTerms(terms)
    await admin.almoner.modifyAlertRule({ id, body })
    if (isSame) return
    this.#happens({ now: this.now, what: 'rule', rule: number, terms: rule.terms, isEnabled: rule.isEnabled })
  }

  async #handle(what: 'acknowledge' | 'clear', number: number, rule: RuleNow): Promise<void> {
    const { items } = await admin.almoner.listAlerts({
      filter: { ruleId: rule.id, individualId: this.individualId, state: ['open', 'acknowledged'] },
    })
    expect(items.length).toBeLessThanOrEqual(1)
    const [alert] = items
    if (!alert || (what === 'acknowledge' && alert.state === 'acknowledged')) return
    if (what === 'clear') await admin.almoner.clearAlert({ id: alert.id, body: {} })
    else await admin.almoner.acknowledgeAlert({ id: alert.id, body: {} })
    this.#happens({ now: this.now, what, rule: number })
  }

  async check(): Promise<void> {
    const ids = this.rules.map(({ id }) => id)
    const { items, total } = await admin.almoner.listAlerts({
      filter: { individualId: this.individualId },
      page: { limit: 1000 },
    })
    this.alerts = total
    const shown = items.map(
      ({ ruleId, state, firedAt, value, source, clearReason }): ModelAlert => ({
        rule: ids.indexOf(ruleId),
        state,
        firedAt: firedAt.getTime() / 1000,
        value: value as number,
        source: source as string,
        clearReason,
      }),
    )
    const timeOf = new Map(items.map(({ id, firedAt }) => [id, firedAt.getTime() / 1000]))
    const { rows } = await sql<{ kind: string; data: Record<string, string> }>`select kind, data from events
      where individual_id = ${this.individualId} and kind like 'metric.alert-%' order by id`.execute(service.db)
    const told = new Map<number, string[]>()
    for (const { kind, data } of rows) {
      const words = [kind.replace('metric.alert-', ''), timeOf.get(data.alertId as string), data.value ?? data.reason]
      const number = ids.indexOf(data.ruleId as string)
      told.set(number, [...(told.get(number) ?? []), words.filter((word) => word !== undefined).join(' ')])
    }
    const real = printed({ alerts: shown, told })
    const possible = this.histories.filter((history) => printed(play(history)) === real)
    if (possible.length === 0) expect(real).toBe(printed(play(this.histories[0] as Happened[])))
    // Histories that came to the same stay apart only as long as there are few.
    this.histories = possible.slice(0, 27)
  }
}

const printed = ({ alerts, told }: Played): string =>
  [
    ...alerts.map((one) => JSON.stringify(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))).sort(),
    ...[...told].sort(([a], [b]) => a - b).map(([number, words]) => `${number}: ${words.join(', ')}`),
  ].join('\n')

const RUNS = Number(process.env.ALERTS_MODEL_RUNS ?? 60)

test('whatever comes, in whatever order, exactly the alerts of the rules are there', { timeout: 600_000 }, async () => {
  let alerts = 0
  const patients = await makePatients(service, organizationId, manyNames(RUNS + 400))
  await sql`insert into group_individuals (group_id, individual_id, added_at)
    select ${groups.own}, id, now() from unnest(${patients.map(({ individualId }) => individualId)}::uuid[]) id`.execute(
    service.db,
  )
  const run = async ({ rules, steps }: { rules: Parameters<Walk['begin']>[0]; steps: Step[] }) => {
    const walk = new Walk(patients.pop()?.individualId as string)
    try {
      const planned = [...rules, ...steps.filter((step) => step.what === 'change')]
      walk.hasRange = planned.some(({ terms }) => terms.kind === 'range')
      await walk.begin(rules)
      for (const step of steps) {
        await walk.take(step)
        await walk.check()
      }
    } finally {
      alerts += walk.alerts
      await walk.end()
    }
  }
  await fc.assert(fc.asyncProperty(history, run), {
    numRuns: RUNS,
    endOnFailure: !process.env.ALERTS_MODEL_SHRINK,
  })
  expect(alerts).toBeGreaterThan(RUNS * 2)
  if (process.env.ALERTS_MODEL_RUNS) console.log(`${alerts} alerts`)
})
