import type { AnswerTo } from '@almoner/client'

type FileContent = AnswerTo<'exportPatients'>

/** Saves what the service sends among the downloads. */
export async function saveFile({ name, content }: FileContent): Promise<void> {
  const parts: BlobPart[] = []
  // Read by hand: not every browser walks a stream by itself.
  const reader = (content as unknown as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value)
  save(name, new Blob(parts))
}

export const saveText = (name: string, text: string): void => save(name, new Blob([text], { type: 'text/csv' }))

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
