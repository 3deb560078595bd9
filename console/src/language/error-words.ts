// What the service says went wrong, in the person's language as far as we can. The Spanish of it is loaded for those who
// read it: nobody else needs it.

import type { ErrorEntry } from '@almoner/client'
import { currentLanguage, onLanguage } from './language.ts'

let spanish: typeof import('./spanish-errors.ts') | undefined
onLanguage(async (language) => {
  if (language === 'es') spanish ??= await import('./spanish-errors.ts')
})

type Entry = Pick<ErrorEntry, 'code' | 'detail' | 'meta'>

export const said = (entry: Entry): string =>
  currentLanguage() === 'es' && spanish ? spanish.inSpanish(entry) : entry.detail

/** What is wrong with a value, such as `must not be empty`, as a sentence that stands beside it. */
export const faultSaid = (fault: string): string =>
  (currentLanguage() === 'es' ? spanish?.faultInSpanish(fault) : null) ??
  `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`

/** Of a line of a file, which is kept with the words of the service alone. */
export function lineFaultSaid(code: string, detail: string, column: string | null): string {
  if (currentLanguage() !== 'es' || !spanish) return detail
  const fault = /^The value at \S+ (.+)\.$/.exec(detail)?.[1]
  if (fault) return spanish.faultInSpanish(fault) ?? detail
  const [cells, columns] = detail.match(/\d+/g) ?? []
  return spanish.inSpanish({ code: code as ErrorEntry['code'], detail, meta: { pointer: column, cells, columns } })
}
