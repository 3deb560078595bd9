// What a test starts is ended after it. Files share a process one after the other, and with it these lists; the hooks
// are registered anew for each (see `clean-up-hooks.ts`).

type Work = () => Promise<unknown>

const afterFile: Work[] = []
const afterTest: Work[] = []

/** Done after the file's last test, the newest first. May be called from anywhere. */
export const cleanUp = (work: Work): void => void afterFile.push(work)

/** Done after the test that runs. */
export const cleanUpTest = (work: Work): void => void afterTest.push(work)

async function done(works: Work[]): Promise<void> {
  for (const work of works.splice(0).reverse()) await work()
}

export const endOfTest = (): Promise<void> => done(afterTest)
export const endOfFile = (): Promise<void> => done(afterFile)
