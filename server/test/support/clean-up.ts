import { afterAll } from 'vitest'

const pending: (() => Promise<unknown>)[] = []

// Registered while the file is loaded: a hook that is registered by a running test would never be called.
afterAll(async () => {
  for (const work of pending.splice(0).reverse()) await work()
})

/** Done after the file's last test, the newest first. May be called from anywhere. */
export const cleanUp = (work: () => Promise<unknown>): void => void pending.push(work)
