// The store of metrics against a plain map of points, over HTTP, with random histories.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { compact } from '../../src/features/metrics/compaction.ts'
import { bodyOf, history, type Push, type Range, type Step, selectionOf } from '../support/metrics-histories.ts'
import { type Figures, type Item, MetricsModel } from '../support/metrics-model.ts'
import { expectKept, keysOf } from '../support/metrics-store.ts'
import { makePatients, manyNames } from '../support/patients.ts'
import { makeOrganization, makePerson, type Person, startTestService, type TestService } from '../support/service.ts'

let service: TestService
let organizationId: string
let admin: Person

beforeAll(async () => {
  service = await startTestService()
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
})

const makeIndividuals = async (count: number) =>
  (await makePatients(service, organizationId, manyNames(count))).map(({ individualId }) => individualId)

const pushed = (items: Item[]) =>
  admin.almoner.pushTimeseries({ body: items as Parameters<typeof admin.almoner.pushTimeseries>[0]['body'] })

/** The histories of a pair of patients. */
class Walk {
  readonly model = new MetricsModel()
  readonly individualIds: string[]
  steps = 0

  constructor(individualIds: string[]) {
    this.individualIds = individualIds
  }

  async take(step: Step): Promise<void> {
    this.steps++
    if (step.kind === 'push') return this.push(step)
    if (step.kind === 'read') return this.read(step)
    if (step.kind === 'summarize') return this.summarize(step)
    if (step.kind === 'compact') return this.compact(step.series)
    const id = this.individualIds[step.who] as string
    await admin.almoner.eraseMetrics({ id })
    this.model.erase(id)
  }

  async push(step: Push): Promise<void> {
    const items = bodyOf(this.model, this.individualIds, step)
    const keys = await keysOf(service.db, this.individualIds)
    const compactions = keys.slice(0, step.compactions).map((key) => compact(service.db, key))
    const [answer] = await Promise.all([pushed(items), ...compactions])
    const lines = answer.map(({ individualId, type, stored, updated, unchanged }) => ({
      individualId,
      type,
      stored,
      updated,
      unchanged,
    }))
    expect(lines).toEqual(this.model.push(items))
  }

  async compact(place: number): Promise<void> {
    const keys = await keysOf(service.db, this.individualIds)
    const key = keys[place % Math.max(keys.length, 1)]
    if (key) await compact(service.db, key)
  }

  #asked(range: Range) {
    const { individualId, type, from, to, source } = selectionOf(this.model, this.individualIds, range)
    const query = {
      individualId,
      type,
      ...(from === undefined ? {} : { beginDatetime: new Date(from * 1000) }),
      ...(to === undefined ? {} : { endDatetime: new Date(to * 1000) }),
      ...(source ? { filter: { source } } : {}),
    }
    return { query, selection: { individualId, type, from, to, source } }
  }

  async read(step: Extract<Step, { kind: 'read' }>): Promise<void> {
    const { limit, offset, descending, includeDeleted } = step
    const { query, selection } = this.#asked(step)
    const [{ items, total }] = await Promise.all([
      admin.almoner.readTimeseries({
        ...query,
        includeDeleted,
        sort: [{ field: 'time', descending }],
        page: { offset, ...(limit ? { limit } : {}) },
      }),
      step.compacts ? this.compact(step.series) : undefined,
    ])
    const all = this.model.read({ ...selection, includeDeleted })
    expect(total).toBe(all.length)
    const page = (descending ? all.toReversed() : all).slice(offset, offset + (limit ?? 100))
    const shown = items.map((item) => {
      const { 'deleted-at': deletedAt, 'deleted-by': deletedBy, ...point } = item as Record<string, unknown>
      if (deletedAt) expect(deletedBy).toBe(admin.userId)
      return { shown: point, isReplaced: deletedAt !== undefined }
    })
    if (includeDeleted) expectSameUpToOrderOfReplaced(shown, page, all)
    else expect(shown).toEqual(page)
  }

  async summarize(step: Extract<Step, { kind: 'summarize' }>): Promise<void> {
    const { query, selection } = this.#asked(step)
    const { period, timezone } = step
    if (selection.type === 'PotassiumLevel' || selection.type === 'Auscultation') return
    const page = { limit: 1000 }
    const { items, total } = await admin.almoner.listTimeseriesSummaries({ ...query, period, timezone, page })
    const expected = this.model.summaries({ ...selection, period, timezone })
    expect(total).toBe(expected.length)
    expect(items.map(({ start, end, localStart }) => ({ start, end, localStart }))).toEqual(
      expected.slice(0, page.limit).map(({ start, end, localStart }) => ({ start, end, localStart })),
    )
    for (const [place, { fields }] of items.entries()) {
      const wanted = expected[place]?.fields ?? {}
      expect(Object.keys(fields)).toEqual(Object.keys(wanted))
      for (const [name, figures] of Object.entries(wanted)) expectFigures(fields[name], figures)
    }
  }
}

function expectFigures(answered: unknown, { first, last, mean, sum, ...exact }: Figures): void {
  const {
    first: one,
    last: other,
    mean: middle,
    sum: total,
    ...rest
  } = answered as Omit<Figures, 'first' | 'last'> & { first: number; last: number }
  expect(rest).toEqual(exact)
  expect(first).toContain(one)
  expect(last).toContain(other)
  expect(middle).toBeCloseTo(mean, 9)
  if (sum === undefined) expect(total).toBeUndefined()
  else expect(total).toBeCloseTo(sum, 6)
}

type Shown = ReturnType<MetricsModel['read']>[number]
const placeOf = ({ shown, isReplaced }: Shown) => [shown.time, shown.source, isReplaced]

/** What was replaced in the same moment may come in any order. */
function expectSameUpToOrderOfReplaced(shown: Shown[], page: Shown[], all: Shown[]): void {
  expect(shown.map(placeOf)).toEqual(page.map(placeOf))
  expect(shown.filter(({ isReplaced }) => !isReplaced)).toEqual(page.filter(({ isReplaced }) => !isReplaced))
  const left = all.filter(({ isReplaced }) => isReplaced).map(({ shown: point }) => point)
  for (const { shown: point } of shown.filter(({ isReplaced }) => isReplaced)) {
    const found = left.findIndex((one) => isEqual(one, point))
    expect(found, JSON.stringify(point)).toBeGreaterThanOrEqual(0)
    left.splice(found, 1)
  }
}
const sorted = (point: object) => JSON.stringify(Object.entries(point).sort(([a], [b]) => (a < b ? -1 : 1)))
const isEqual = (one: object, other: object) => sorted(one) === sorted(other)

const RUNS = Number(process.env.METRICS_MODEL_RUNS ?? 18)
const LANES = 4

test('whatever is pushed, compacted, read, summarized and erased, every point is there once', {
  timeout: 600_000,
}, async () => {
  let steps = 0
  const run = async (steps_: Step[]) => {
    const walk = new Walk(await makeIndividuals(2))
    try {
      for (const [index, step] of steps_.entries()) {
        await walk.take(step)
        if (index % 4 === 3) await expectKept(service.db, walk.individualIds, walk.model)
      }
      await expectKept(service.db, walk.individualIds, walk.model)
    } finally {
      steps += walk.steps
    }
  }
  await Promise.all(
    Array.from({ length: LANES }, () =>
      fc.assert(fc.asyncProperty(history, run), { numRuns: RUNS, endOnFailure: !process.env.METRICS_MODEL_SHRINK }),
    ),
  )
  expect(steps).toBeGreaterThan(RUNS * LANES * 10)
  if (process.env.METRICS_MODEL_RUNS) console.log(`${steps} steps`)
})

test('summaries reach from the first day there is to the last', async () => {
  // The last period would end in a year of five digits; west of Greenwich the first begins before the year 1.
  for (const [time, timezone] of [
    ['9999-12-31 23:00:00', 'UTC'],
    ['0001-01-01 00:00:00', 'America/New_York'],
  ] as const) {
    const [individualId = ''] = await makeIndividuals(1)
    await pushed([{ individualId, type: 'Pulse', data: [{ type: 'Pulse', time, value: 60 }] }])
    const { total } = await admin.almoner.listTimeseriesSummaries({ individualId, type: 'Pulse', timezone })
    expect(total).toBe(1)
  }
})
