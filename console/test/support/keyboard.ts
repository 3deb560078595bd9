// What someone does who has no mouse.

import type { Locator, Page } from 'playwright-core'

const MOST_TABS = 80

/** Presses Tab until something has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor()
  for (let tabs = 0; tabs <= MOST_TABS; tabs++) {
    if (await target.first().evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The focus does not come to ${target} by Tab.`)
}

/** Goes to a button or a link and presses Enter. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Goes to a field and types. */
export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text)
}
