// Readings that people of the console see, pushed through the interface.

import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Person } from '../../../server/test/support/service.ts'

/** So many seconds ago, as the interface writes a moment. */
const moment = (secondsAgo: number): string =>
  new Date(Date.now() - secondsAgo * 1000).toISOString().slice(0, 19).replace('T', ' ')

export const DAY = 86_400

export async function pushPressure(
  { almoner }: Person,
  individualId: string,
  readings: { systolic: number; diastolic?: number; secondsAgo?: number }[],
): Promise<void> {
  const data = readings.map(({ systolic, diastolic = 80, secondsAgo = 0 }) => ({
    ...{ type: 'BloodPressure', time: moment(secondsAgo) },
    ...{ systolic, diastolic },
  }))
  await almoner.pushTimeseries({ body: [{ individualId, type: 'BloodPressure', data }] })
}

export async function makeRule({ almoner, individualId }: Person, organizationId: string, more: object = {}) {
  return almoner.createAlertRule({
    body: {
      ...{ organizationId, name: 'High systolic', metricType: 'BloodPressure', field: 'systolic', kind: 'watermark' },
      ...{ direction: 'above', threshold: 160, clearThreshold: 150, severity: 'critical' },
      notify: { individualIds: [individualId], groupIds: [], patient: false, channels: ['in-app'] },
      ...more,
    },
  })
}

/** Goes there as someone does who has no mouse. */
export async function tabTo(page: Page, there: Locator): Promise<void> {
  await there.waitFor()
  for (let presses = 0; presses < 80; presses++) {
    if (await there.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  expect.fail(`The Tab key does not lead to ${there}.`)
}
