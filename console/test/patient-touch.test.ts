import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeProvider } from '../../server/test/alerts/ward.ts'
import { type Clinic, openClinic } from '../../server/test/metrics/clinic.ts'
import type { Person } from '../../server/test/support/service.ts'
import { expectNoFaults, inBrowser, openAs } from './support/browser.ts'
import { pulseByMinute, pushAll } from './support/readings.ts'

const DAY = 86_400

let clinic: Clinic
let provider: Person
let patient: string

beforeAll(async () => {
  clinic = await openClinic()
  provider = await makeProvider(clinic)
  patient = await clinic.newPatient()
  await pushAll(clinic, patient, 'watch', pulseByMinute(3))
})

type Point = { x: number; y: number }

/** Fingers that go from one place to another, step by step, as a touch screen reports them. */
async function touch(page: Page, fingers: { from: Point; to: Point }[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const steps = 12
  for (let step = 0; step <= steps; step++) {
    const touchPoints = fingers.map(({ from, to }, id) => ({
      id,
      x: from.x + ((to.x - from.x) * step) / steps,
      y: from.y + ((to.y - from.y) * step) / steps,
    }))
    await session.send('Input.dispatchTouchEvent', { type: step === 0 ? 'touchStart' : 'touchMove', touchPoints })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

async function openChart() {
  const page = await openAs(clinic.service, provider, {
    size: 'phone',
    hasTouch: true,
    path: `/patients/${patient}?metrics=Pulse,Steps,BloodPressure,BodyMass`,
  })
  await page.locator('section[data-type=Pulse][data-resolution]').waitFor()
  const area = page.getByRole('group', { name: 'Chart of Pulse' })
  // In the middle of a page that is long enough to be scrolled either way.
  await area.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const box = (await area.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const point = (part: number, down = 0): Point => ({ x: box.x + box.width * part, y: box.y + box.height / 2 + down })
  return { page, point }
}

/** What is seen, once it is another than before. */
async function seen(page: Page, act: () => Promise<unknown>) {
  const before = page.url()
  await act()
  await page.waitForURL((url) => url.href !== before)
  const { searchParams } = new URL(page.url())
  return { from: Number(searchParams.get('from')), to: Number(searchParams.get('to')) }
}

inBrowser('the chart of a patient under fingers', () => {
  test('one finger moves through time and the page stays', async () => {
    const { page, point } = await openChart()
    const start = await seen(page, () => page.getByRole('button', { name: '24 h' }).click())
    const top = await page.evaluate(() => scrollY)
    const dragged = await seen(page, () => touch(page, [{ from: point(0.4), to: point(0.8) }]))
    expect(dragged.to).toBeLessThan(start.to - DAY * 0.2)
    expect(Math.abs(dragged.to - dragged.from - (start.to - start.from))).toBeLessThan(2)
    expect(await page.evaluate(() => scrollY)).toBe(top)
    expectNoFaults(page)
  })

  test('two fingers zoom, and what is below them stays there', async () => {
    const { page, point } = await openChart()
    const start = await seen(page, () => page.getByRole('button', { name: '24 h' }).click())
    const apart = [
      { from: point(0.5), to: point(0.35) },
      { from: point(0.7), to: point(0.85) },
    ]
    const closer = await seen(page, () => touch(page, apart))
    const span = start.to - start.from
    expect(closer.to - closer.from).toBeLessThan(span * 0.6)
    expect(closer.from).toBeGreaterThan(start.from)
    expect(closer.to).toBeLessThan(start.to)
    // The page itself is not made larger.
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1)
    const together = apart.map(({ from, to }) => ({ from: to, to: from }))
    const back = await seen(page, () => touch(page, together))
    expect(back.to - back.from).toBeGreaterThan(span * 0.8)
    expectNoFaults(page)
  })

  test('a finger that goes up scrolls the page and leaves the time as it is', async () => {
    const { page, point } = await openChart()
    const start = await seen(page, () => page.getByRole('button', { name: '24 h' }).click())
    const top = await page.evaluate(() => scrollY)
    await touch(page, [{ from: point(0.5, 60), to: point(0.5, -140) }])
    await page.waitForFunction((before) => scrollY > before + 60, top)
    const { searchParams } = new URL(page.url())
    expect({ from: Number(searchParams.get('from')), to: Number(searchParams.get('to')) }).toEqual(start)
    expectNoFaults(page)
  })
})
