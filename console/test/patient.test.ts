import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeGroup, makeProvider, makeRule, moment, pulse } from '../../server/test/alerts/ward.ts'
import { type Clinic, openClinic } from '../../server/test/metrics/clinic.ts'
import type { Person } from '../../server/test/support/service.ts'
import { expectAccessible, expectNoFaults, heading, inBrowser, openAs, SIZES } from './support/browser.ts'
import { pulseByMinute, pushAll, pushDiary } from './support/readings.ts'

const HIGH = { name: 'High pressure', 'metric-type': 'BloodPressure', field: 'systolic', threshold: 150 }
const NEW_YORK = 'America/New_York'

let clinic: Clinic
let provider: Person
/** Someone with readings of many kinds and an alert that nobody has taken up. */
let diary: string

beforeAll(async () => {
  clinic = await openClinic()
  provider = await makeProvider(clinic)
  diary = await clinic.newPatient()
  await pushDiary(clinic, diary)
  await alarm(diary)
  await makeGroup(clinic, 'Heart failure', { individualIds: [diary] })
})

async function alarm(individualId: string): Promise<void> {
  await makeRule(clinic, { ...HIGH, 'individual-id': individualId, severity: 'critical' })
  const reading = { type: 'BloodPressure', time: moment(-60), systolic: 186, diastolic: 99 }
  await pushAll(clinic, individualId, 'cuff 17', [reading])
}

const panel = (page: Page, type: string) => page.locator(`section[data-type=${type}]`)
const drawnBy = (page: Page, type: string, resolution: string) =>
  page.locator(`section[data-type=${type}][data-resolution=${resolution}]`).waitFor()
const chart = (page: Page, name: string) => page.getByRole('group', { name: `Chart of ${name}` })
const rangeOf = (page: Page) => {
  const { searchParams } = new URL(page.url())
  return { from: Number(searchParams.get('from')), to: Number(searchParams.get('to')) }
}

/** The address says what is seen, once it is still. */
async function moved(page: Page, move: () => Promise<unknown>) {
  const before = page.url()
  await move()
  await page.waitForURL((url) => url.href !== before)
  return rangeOf(page)
}

/** What has the focus, by its name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null
    return element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? ''
  })

async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    if (name.test(await focused(page))) return
    await page.keyboard.press(key)
  }
  throw new Error(`Nothing named ${name} gets the focus.`)
}

inBrowser('the page of a patient', () => {
  describe.each(Object.keys(SIZES) as (keyof typeof SIZES)[])('on a %s', (size) => {
    test('shows who they are, what is open and what was measured', async () => {
      const page = await openAs(clinic.service, provider, { size, path: `/patients/${diary}` })
      await heading(page, /Pat Lee/)
      const identity = page.getByRole('region', { name: 'Identity and contact' })
      await identity.getByText(/Jan 1, 1960 \(\d\d years\)/).waitFor()
      await identity.getByRole('link', { name: 'Heart failure' }).waitFor()
      await page.getByText('Blood pressure systolic 186 mmHg, above 150').waitFor()
      const latest = page.getByRole('list', { name: 'Latest readings' })
      await latest.getByRole('button', { name: /Blood pressure 186\/99 mmHg Crisis/ }).waitFor()
      await drawnBy(page, 'BloodPressure', 'readings')
      await drawnBy(page, 'BloodGlucose', 'readings')
      for (const name of ['Steps', 'Sleep', 'Medication taken']) await latest.getByRole('button', { name }).click()
      await drawnBy(page, 'Steps', 'day')
      await chart(page, 'Sleep').waitFor()
      await expectAccessible(page)
      await page.getByText('Table', { exact: true }).click()
      await page.getByRole('row', { name: /186.*99.*Crisis.*Alert.*cuff 17/ }).waitFor()
      await expectAccessible(page)
      expectNoFaults(page)
    })
  })

  describe('by the keyboard alone', () => {
    const openSmall = async (path = '') => {
      const id = await clinic.newPatient()
      for (const type of ['Pulse', 'Steps'])
        await pushAll(clinic, id, 'watch', [{ type, time: moment(-7200), value: 70 }])
      await alarm(id)
      return openAs(clinic.service, clinic.admin, { path: `/patients/${id}${path}`, expected: /status of 400/ })
    }

    test('a metric is chosen, time is moved through, and the table is opened', async () => {
      const page = await openSmall()
      await drawnBy(page, 'BloodPressure', 'readings')
      await tabTo(page, /^Steps/)
      await page.keyboard.press('Enter')
      await chart(page, 'Steps').waitFor()
      await tabTo(page, /^Chart of Blood pressure$/)
      const closer = await moved(page, () => page.keyboard.press('+'))
      expect(closer.to - closer.from).toBeLessThan(25 * 86_400)
      const earlier = await moved(page, () => page.keyboard.press('ArrowLeft'))
      expect(earlier.from).toBeLessThan(closer.from)
      expect(earlier.to - earlier.from).toBe(closer.to - closer.from)
      const newest = await moved(page, () => page.keyboard.press('End'))
      expect(newest.to).toBeGreaterThan(Date.now() / 1000)
      await tabTo(page, /^Chart$/, 'Shift+Tab')
      await page.keyboard.press('ArrowRight')
      await page.getByRole('table', { name: 'Blood pressure' }).waitFor()
      expectNoFaults(page)
    })

    test('a reading is added, seen and corrected', async () => {
      const page = await openSmall('?view=table')
      await page.getByRole('row', { name: /186.*99/ }).waitFor()
      await tabTo(page, /^Add a reading$/)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Add a reading by hand' }).waitFor()
      await tabTo(page, /^Metric$/)
      await page.keyboard.type('Blood pr')
      await tabTo(page, /^Systolic/)
      await page.keyboard.type('999')
      await tabTo(page, /^Diastolic/)
      await page.keyboard.type('81')
      await page.keyboard.press('Enter')
      // The service says what is wrong, and it is shown at its place.
      await page.getByText(/^Must be .*500\.$/).waitFor()
      await tabTo(page, /^Systolic/, 'Shift+Tab')
      await page.keyboard.press('Control+a')
      await page.keyboard.type('119')
      await page.keyboard.press('Enter')
      await page.getByRole('row', { name: /119.*81.*manual/ }).waitFor()

      await tabTo(page, /^Correct the reading/)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Correct a reading' }).waitFor()
      await tabTo(page, /^Systolic/)
      await page.keyboard.press('Control+a')
      await page.keyboard.type('121')
      await page.keyboard.press('Enter')
      await page.getByRole('row', { name: /121.*81.*manual/ }).waitFor()
      expect(await page.getByRole('row', { name: /119.*81/ }).count()).toBe(0)
      // What it said before is there for administrators.
      await page.getByRole('switch', { name: /^With what readings said before/ }).press('Space')
      await page.getByRole('row', { name: /119.*81.*changed by Ada Person/ }).waitFor()
      await tabTo(page, /^Correct the reading/)
      await page.keyboard.press('Enter')
      await page.getByText(/Systolic 119 mmHg, Diastolic 81 mmHg.*changed by Ada Person/).waitFor()
      await expectAccessible(page)
      expectNoFaults(page)
    })

    test('an alert is taken up', async () => {
      const page = await openSmall()
      await page.getByText('Blood pressure systolic 186 mmHg, above 150').waitFor()
      await tabTo(page, /^Acknowledge “High pressure”$/)
      await page.keyboard.press('Enter')
      await tabTo(page, /^Note/)
      await page.keyboard.type('Called her.')
      await tabTo(page, /^Acknowledge$/)
      await page.keyboard.press('Enter')
      await page.getByText('Acknowledged', { exact: true }).waitFor()
      await page.getByText(/Called her\./).waitFor()
      expectNoFaults(page)
    })
  })

  test('takes new contact data, and says at their fields what is wrong with them', async () => {
    const id = await clinic.newPatient()
    const page = await openAs(clinic.service, provider, { path: `/patients/${id}`, expected: /status of 400/ })
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit the patient' })
    await dialog.getByLabel('Birth date').fill('2199-01-01')
    await dialog.getByLabel('Mobile phone').fill('12')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const isAtFault = (name: string) => dialog.getByLabel(name).and(page.locator('[aria-invalid=true]')).waitFor()
    await isAtFault('Birth date')
    await isAtFault('Mobile phone')
    await expectAccessible(page)
    await dialog.getByLabel('Birth date').fill('1961-02-03')
    await dialog.getByLabel('Mobile phone').fill('+1 202 555 0143')
    await dialog.getByLabel('Preferred name').fill('Patty')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The changes are saved.').waitFor()
    await page.getByRole('link', { name: '+12025550143' }).waitFor()
    await page.getByText(/Feb 3, 1961/).waitFor()
    const { preferredName, birthDate } = await clinic.admin.almoner.getPatient({ id })
    expect([preferredName, birthDate]).toEqual(['Patty', '1961-02-03'])
    expectNoFaults(page)
  })

  test('archives and restores when that was confirmed, for administrators', async () => {
    const id = await clinic.newPatient()
    const page = await openAs(clinic.service, clinic.admin, { path: `/patients/${id}` })
    const act = async (action: string) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: action }).click()
      await page.getByRole('dialog', { name: new RegExp(`${action} Pat Lee`) }).waitFor()
    }
    await act('Archive')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect((await clinic.admin.almoner.getIndividual({ id })).state).toBe('init')
    await act('Archive')
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
    await page.getByText('Archived', { exact: true }).waitFor()
    await act('Restore')
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Not registered yet').waitFor()
    expectNoFaults(page)
    const other = await openAs(clinic.service, provider, { path: `/patients/${id}` })
    await other.getByRole('button', { name: 'Edit' }).waitFor()
    expect(await other.getByRole('button', { name: 'More actions' }).count()).toBe(0)
  })

  test('shows a new alert and its reading by itself', async () => {
    const id = await clinic.newPatient()
    await makeRule(clinic, { 'individual-id': id })
    await pulse(clinic, id, 70, -3600)
    const page = await openAs(clinic.service, provider, { path: `/patients/${id}` })
    await page.getByRole('button', { name: /Pulse 70 bpm/ }).waitFor()
    await page.waitForLoadState('load')
    await pulse(clinic, id, 131, -5)
    await page.getByText('Pulse 131 bpm, above 100').waitFor()
    await page.getByRole('button', { name: /Pulse 131 bpm/ }).waitFor()
    expectNoFaults(page)
  })

  test('says how readings come when there are none, and that there is nobody at an address', async () => {
    const id = await clinic.newPatient()
    const page = await openAs(clinic.service, provider, { path: `/patients/${id}`, expected: /status of 404/ })
    await page.getByText('No readings yet').waitFor()
    await page.getByText(/ask an administrator to connect a device/).waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('link', { name: 'Connect a device' }).count()).toBe(0)
    const other = await openAs(clinic.service, clinic.admin, { path: `/patients/${id}` })
    await other.getByRole('link', { name: 'Connect a device' }).waitFor()
    await other.getByRole('group', { name: 'Command that pushes a reading' }).getByText(id).waitFor()
    await expectAccessible(other)
    expectNoFaults(other)
    await page.goto(new URL(`/patients/${clinic.organizationId}`, clinic.service.url).href)
    await heading(page, 'This page does not exist')
    expectNoFaults(page)
  })

  test('speaks Spanish', async () => {
    const person = await makeProvider(clinic)
    await person.almoner.modifyProfile({ body: { locale: 'es_US' } })
    const page = await openAs(clinic.service, person, { path: `/patients/${diary}?metrics=BloodPressure` })
    await page.getByRole('group', { name: 'Gráfico de Presión arterial' }).waitFor()
    await page.getByRole('button', { name: /Presión arterial 186\/99 mmHg Crisis/ }).waitFor()
    expectNoFaults(page)
  })
})

inBrowser('the chart', () => {
  test('shows times by the clock of the patient, or by mine', async () => {
    const id = await clinic.newPatient()
    await clinic.admin.almoner.modifyPatient({ id, body: { tz: NEW_YORK } })
    await pushAll(clinic, id, 'scale', [{ type: 'BodyMass', time: '2026-01-20 12:00:00', value: 71.5 }])
    // Readings long ago are shown without being looked for.
    const page = await openAs(clinic.service, provider, { path: `/patients/${id}?view=table` })
    await page.getByRole('columnheader', { name: 'Time (America/New York)' }).waitFor()
    await page.getByRole('row', { name: /Jan 20, 2026, 7:00:00 AM.*71\.5.*scale/ }).waitFor()
    const mine = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
    await page.getByRole('combobox', { name: 'Clock' }).selectOption('mine')
    await page.getByRole('columnheader', { name: `Time (${mine.replaceAll('_', ' ')})` }).waitFor()
    expectNoFaults(page)
  })

  test('tells sources apart, and can leave one out', async () => {
    const page = await openAs(clinic.service, provider, { path: `/patients/${diary}?metrics=BloodPressure` })
    await drawnBy(page, 'BloodPressure', 'readings')
    const words = panel(page, 'BloodPressure').locator('[data-side]')
    const at = async (part: number) => {
      const box = (await chart(page, 'Blood pressure').boundingBox()) ?? { x: 0, y: 0, width: 0 }
      await page.mouse.move(box.x + 58 + (box.width - 66) * part, box.y + 60)
    }
    // The newest reading and its alert are near the right edge.
    await at(30 / 31)
    await words.getByText(/Systolic 186 mmHg · Diastolic 99 mmHg \(cuff 17\)/).waitFor()
    await words.getByText(/High pressure: Blood pressure systolic 186/).waitFor()
    await page.getByRole('checkbox', { name: 'cuff 17' }).uncheck()
    await at(29.9 / 31)
    await words.getByText(/High pressure/).waitFor()
    expect(await words.textContent()).not.toContain('cuff 17')
    expectNoFaults(page)
  })

  test('is moved by mouse and wheel', async () => {
    const page = await openAs(clinic.service, provider, { path: `/patients/${diary}?metrics=BloodPressure` })
    await drawnBy(page, 'BloodPressure', 'readings')
    const box = (await chart(page, 'Blood pressure').boundingBox()) ?? { x: 0, y: 0, width: 0 }
    const [x, y] = [box.x + box.width / 2, box.y + 60]
    const start = await moved(page, () => page.getByRole('button', { name: '7 d' }).click())
    expect(start.to - start.from).toBe(7 * 86_400)
    const dragged = await moved(page, async () => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 200, y, { steps: 4 })
      await page.mouse.up()
    })
    expect(dragged.to).toBeLessThan(start.to)
    const zoomed = await moved(page, async () => {
      await page.keyboard.down('Control')
      await page.mouse.wheel(0, -300)
      await page.keyboard.up('Control')
    })
    expect(zoomed.to - zoomed.from).toBeLessThan(5 * 86_400)
    // The address leads back to what was seen.
    await page.reload()
    await drawnBy(page, 'BloodPressure', 'readings')
    expect(rangeOf(page)).toEqual(zoomed)
    expectNoFaults(page)
  })

  test('draws many readings by what can be seen of them, and asks for nothing twice', async () => {
    const id = await clinic.newPatient()
    await pushAll(clinic, id, 'watch', pulseByMinute(60))
    const page = await openAs(clinic.service, provider, { path: `/patients/${id}?metrics=Pulse` })
    const see = async (span: string, resolution: string) => {
      await moved(page, () => page.getByRole('button', { name: span, exact: true }).click())
      await drawnBy(page, 'Pulse', resolution)
    }
    await see('24 h', 'readings')
    await see('7 d', 'hour')
    await see('All', 'day')
    await pan(page)
    // What is over does not change; the newest is asked for every while.
    const asked: URL[] = []
    page.on('request', (request) => asked.push(new URL(request.url())))
    const median = await pan(page)
    console.log(`Panning ${60 * 1440} readings: a frame takes ${median.toFixed(1)} ms (median).`)
    const isOver = ({ searchParams }: URL) => Date.parse(`${searchParams.get('end-datetime')}Z`) < Date.now()
    expect(asked.filter(isOver)).toEqual([])
    expectNoFaults(page)
  })
})

/** To and fro by the wheel, one step in each frame: how long frames took in the middle, in milliseconds. */
async function pan(page: Page): Promise<number> {
  const deltas = await chart(page, 'Pulse').evaluate(
    (target) =>
      new Promise<number[]>((resolve) => {
        const found: number[] = []
        let last = performance.now()
        const step = (now: number) => {
          found.push(now - last)
          last = now
          const deltaX = found.length < 90 ? -6 : 6
          target.dispatchEvent(new WheelEvent('wheel', { deltaX, bubbles: true, cancelable: true }))
          if (found.length < 180) requestAnimationFrame(step)
          else resolve(found)
        }
        requestAnimationFrame(step)
      }),
  )
  return deltas.toSorted((one, other) => one - other)[90] as number
}
