// A rule tried on what is stored says what it would have done.

import fc from 'fast-check'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { dryRun } from '../../src/features/alerts/dry-run.ts'
import type { Watched } from '../../src/features/alerts/rule.ts'
import { wholeSight } from '../../src/platform/auth/sight.ts'
import { type Clinic, faultsOf, openClinic, push } from '../metrics/clinic.ts'
import { call, makeOrganization, makePerson } from '../support/service.ts'
import { alertsOf, HIGH_PULSE, makeGroup, makeProvider, makeRule, moment, RULES, restrictProviders } from './ward.ts'

let clinic: Clinic

beforeAll(async () => {
  clinic = await openClinic()
})

const { name: _, severity: __, ...WATCHED } = HIGH_PULSE
const [HOUR, DAY] = [3600, 86_400]

const tryOut = (attributes: object, where = clinic, token = where.admin.token) =>
  call(where.service, `${RULES}dry-run/`, {
    token,
    body: { 'organization-id': where.organizationId, ...WATCHED, ...attributes },
  })
const readings = (values: number[], start: number, step: number) =>
  values.map((value, place) => ({ type: 'Pulse', time: moment(start + place * step), value }))

describe('a dry run', () => {
  test('answers what would have fired and cleared, the newest first, and keeps nothing', async () => {
    const id = await clinic.newPatient()
    await push(clinic, id, readings([110, 90, 120, 130], -10 * DAY, HOUR), 'cuff')
    const { status, body } = await tryOut({ 'individual-id': id })
    expect(status).toBe(201)
    const { alerts, ...figures } = body.data
    expect(alerts.map((one: Record<string, unknown>) => [one.value, one.source, one['cleared-at'] !== null])).toEqual([
      [120, 'cuff', false],
      [110, 'cuff', true],
    ])
    expect(figures).toMatchObject({
      ...{ total: 2, 'individuals-with-alerts': 1, 'individuals-looked-at': 1, 'individuals-in-scope': 1 },
      'is-complete': true,
    })
    expect(await alertsOf(clinic, id)).toEqual([])
  })

  test('looks back as many days as it is asked to', async () => {
    const id = await clinic.newPatient()
    await push(clinic, id, readings([110, 90], -89 * DAY, HOUR))
    await push(clinic, id, readings([120, 90], -1.5 * DAY, HOUR))
    const total = async (days?: number) => {
      const { body } = await tryOut({ 'individual-id': id, ...(days === undefined ? {} : { days }) })
      return body.data.total
    }
    expect([await total(), await total(90), await total(2), await total(1)]).toEqual([2, 2, 1, 0])
    for (const days of [0, 91, 1.5]) {
      const refused = await tryOut({ days })
      expect([refused.status, ...faultsOf(refused).map((fault) => fault.split(' ')[1])]).toEqual([400, '/days'])
    }
  })

  test('names every fault at its place', async () => {
    const answer = await tryOut({ threshold: null, from: 3, 'individual-id': v7(), field: 'mean' })
    expect(answer.status).toBe(400)
    const places = faultsOf(answer).map((fault) => fault.split(' ')[1])
    expect(places.sort()).toEqual(['/field', '/from', '/individual-id', '/threshold'])
  })

  test('finds silence: gaps, and no reading since someone came', async () => {
    const [busy, idle] = [await clinic.newPatient(), await clinic.newPatient()]
    const group = await makeGroup(clinic, 'Silent', { individualIds: [busy, idle] })
    await clinic.service.db
      .updateTable('individuals')
      .set({ createdAt: new Date(Date.now() - 5 * DAY * 1000) })
      .where('id', 'in', [busy, idle])
      .execute()
    await push(clinic, busy, readings([60, 60, 60], -4.9 * DAY, 1.6 * DAY))
    const silence = { kind: 'no-data', direction: null, threshold: null, 'group-id': group }
    const found = async (hours: number) => {
      const { body } = await tryOut({ ...silence, hours })
      const { alerts } = body.data
      return alerts.map((one: Record<string, unknown>) => [one['individual-id'], one['cleared-at'] !== null])
    }
    expect(await found(24 * 6)).toEqual([])
    expect(await found(24 * 4)).toEqual([[idle, false]])
    const short = await found(36)
    expect(short.filter(([id]: [string]) => id === busy)).toEqual([
      [busy, false],
      [busy, true],
      [busy, true],
    ])
  })

  test('lists a thousand and counts all', async () => {
    const id = await clinic.newPatient()
    const values = Array.from({ length: 1001 * 2 }, (_, place) => (place % 2 === 0 ? 110 : 90))
    for (let start = 0; start < values.length; start += 501)
      await push(clinic, id, readings(values.slice(start, start + 501), -20 * DAY + start * 60, 60))
    const { body } = await tryOut({ 'individual-id': id })
    const { alerts, total } = body.data
    expect([alerts.length, total]).toEqual([1000, 1001])
  })

  test('says when there was too much to look at', async () => {
    const own = await openClinic()
    for (let place = 0; place < 3; place++)
      await push(own, await own.newPatient(), readings([110, 90, 110], -DAY, HOUR))
    const scope = {
      organizationId: own.organizationId,
      sight: wholeSight([own.organizationId]),
      days: 90,
      now: new Date(),
    }
    const watched: Watched = {
      ...{ individualId: null, groupId: null, metricType: 'Pulse', field: 'value', threshold: 100 },
      ...({ kind: 'watermark', direction: 'above' } as const),
      ...{ clearThreshold: null, from: null, to: null, period: null, hours: null },
    }
    const tried = async (mostReadings: number) => {
      const { total, individualsLookedAt, individualsInScope, isComplete } = await dryRun(
        own.service.db,
        { ...scope, mostReadings },
        watched,
      )
      return { total, individualsLookedAt, individualsInScope, isComplete }
    }
    const scoped = { individualsInScope: 3 }
    expect(await tried(9)).toEqual({ ...scoped, total: 6, individualsLookedAt: 3, isComplete: true })
    expect(await tried(7)).toEqual({ ...scoped, total: 6, individualsLookedAt: 3, isComplete: true })
    expect(await tried(6)).toEqual({ ...scoped, total: 4, individualsLookedAt: 2, isComplete: false })
  })
})

describe('who tries', () => {
  test('looks at those in sight, and at nobody of another organization', async () => {
    const own = await openClinic()
    await restrictProviders(own)
    const nurse = await makeProvider(own)
    const [seen, hidden] = [await own.newPatient(), await own.newPatient()]
    await makeGroup(own, 'Led', { leader: nurse, individualIds: [seen] })
    for (const id of [seen, hidden]) await push(own, id, readings([110], -HOUR, 1))
    const looked = async (token: string) => {
      const { status, body } = await tryOut({}, own, token)
      return [status, body.data?.total]
    }
    expect(await looked(own.admin.token)).toEqual([201, 2])
    expect(await looked(nurse.token)).toEqual([201, 1])
    expect((await tryOut({ 'individual-id': hidden }, own, nurse.token)).status).toBe(400)
    const elsewhere = await makeOrganization(own.service, 'Elsewhere')
    const outsider = await makePerson(own.service, [{ organizationId: elsewhere, role: 'org-admin' }])
    expect((await looked(outsider.token))[0]).toBe(404)
    const patient = await makePerson(own.service, [{ organizationId: own.organizationId, role: 'patient' }])
    expect((await looked(patient.token))[0]).toBe(403)
  })
})

const terms = fc.oneof(
  fc.record({
    direction: fc.constantFrom('above', 'below'),
    threshold: fc.constantFrom(80, 90, 100),
    back: fc.constantFrom(null, 0, 10),
  }),
  fc.record({ from: fc.constantFrom(70, 80, 90), width: fc.constantFrom(10, 20), period: fc.constantFrom(1, 5, 20) }),
)
const walk = fc.array(
  fc.array(fc.record({ step: fc.integer({ min: 1, max: 300 }), value: fc.constantFrom(70, 80, 90, 100, 110) }), {
    minLength: 1,
    maxLength: 25,
  }),
  { minLength: 1, maxLength: 3 },
)

test('what a dry run finds is what the same readings fire when they come', { timeout: 120_000 }, async () => {
  let count = 0
  const run = async (
    given: typeof terms extends fc.Arbitrary<infer T> ? T : never,
    sources: { step: number; value: number }[][],
  ) => {
    const watched =
      'direction' in given
        ? {
            ...{ kind: 'watermark', direction: given.direction, threshold: given.threshold },
            'clear-threshold':
              given.back === null ? null : given.threshold + (given.direction === 'above' ? -given.back : given.back),
          }
        : {
            ...{ kind: 'range', direction: null, threshold: null },
            ...{ from: given.from, to: given.from + given.width, period: given.period },
          }
    const id = await clinic.newPatient()
    await makeRule(clinic, { ...watched, 'individual-id': id })
    const start = -8 * HOUR
    const all = sources
      .flatMap((points, source) => {
        let at = start + source
        return points.map(({ step, value }) => {
          // No two sources at the same moment: which of the two comes first is chance.
          at += 3 * step
          return { at, value, source: `source ${source}` }
        })
      })
      .sort((a, b) => a.at - b.at)
    const now = Math.floor(Date.now() / 1000)
    for (const { at, value, source } of all)
      await push(clinic, id, [{ type: 'Pulse', time: new Date((now + at) * 1000).toISOString(), value }], source)
    const live = (await alertsOf(clinic, id)).map(({ attributes }) =>
      [attributes['fired-at'], attributes.value, attributes.source, attributes.state === 'cleared'].join(' '),
    )
    const { body } = await tryOut({ ...watched, 'individual-id': id })
    const found = body.data.alerts.map((one: Record<string, unknown>) =>
      [one['fired-at'], one.value, one.source, one['cleared-at'] !== null].join(' '),
    )
    expect(found.sort()).toEqual(live.sort())
    count += live.length
  }
  await fc.assert(fc.asyncProperty(terms, walk, run), { numRuns: 40, endOnFailure: true })
  expect(count).toBeGreaterThan(5)
})
