import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileContent } from '@almoner/contract'
import type { Almoner } from '../index.ts'
import type { ExportCommand } from './command-line.ts'
import { organizationNamed } from './signing-in.ts'

export async function exportPatients(almoner: Almoner, { organization, states, output }: ExportCommand): Promise<void> {
  const organizationId = await organizationNamed(almoner, organization)
  const filter = states.length > 0 ? { state: states } : {}
  const { content } = await almoner.exportPatients({ organizationId, filter })
  if (output) await writeFile(output, content)
  else await pipeline(Readable.from(content), process.stdout, { end: false })
}

/** The file is there when it is whole; people's records are for its owner's eyes. */
async function writeFile(path: string, content: FileContent['content']): Promise<void> {
  const unfinished = `${path}.part`
  try {
    await pipeline(Readable.from(content), createWriteStream(unfinished, { mode: 0o600 }))
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
