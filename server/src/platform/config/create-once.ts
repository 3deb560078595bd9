import { randomUUID } from 'node:crypto'
import { link, unlink, writeFile } from 'node:fs/promises'

/** Makes a file that nobody ever sees half-written. False when there is one already, whoever made it. */
export async function createOnce(file: string, content: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, content, { mode: 0o600 })
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await unlink(draft)
  }
}
