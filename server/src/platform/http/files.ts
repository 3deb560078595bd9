// Answers that are files: sent piece by piece, so that a long one needs no more memory than a short one.

import { Readable } from 'node:stream'
import type { FileContent } from '@almoner/contract'

export const fileHeaders = (mediaType: string, { name }: FileContent): Record<string, string> => ({
  'content-type': mediaType,
  'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '-')}"`,
})

/** `ended` is called once, whether the file was sent whole or not. */
export function sending({ content }: FileContent, ended: () => void): Readable {
  const stream = Readable.from(content, { objectMode: false })
  stream.once('close', ended)
  return stream
}
