import { randomUUID } from 'node:crypto'
import { link, open, unlink } from 'node:fs/promises'

/** Makes a file that nobody ever sees half-written. False when there is one already, whoever made it. */
export async function createOnce(file: string, content: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    // On the disk before it has its name, so that a loss of power leaves no empty file by that name.
    await handle.sync()
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await handle.close()
    await unlink(draft)
  }
}
