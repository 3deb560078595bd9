import type { Row } from './browsing.ts'

type Answer = { kind: 'go'; to: number } | { kind: 'open' } | { kind: 'fold' } | { kind: 'choose' }

/** What a key does in the tree, on the row at a place. */
export function keyed(key: string, rows: Row[], at: number, letters: string): Answer | null {
  const row = rows[at]
  if (!row) return null
  const go = (to: number): Answer => ({ kind: 'go', to: Math.max(0, Math.min(rows.length - 1, to)) })
  if (key === 'ArrowDown') return go(at + 1)
  if (key === 'ArrowUp') return go(at - 1)
  if (key === 'Home') return go(0)
  if (key === 'End') return go(rows.length - 1)
  if (key === 'Enter' || key === ' ') return { kind: 'choose' }
  if (key === 'ArrowRight') {
    if (!row.canOpen) return null
    return row.isOpen ? go(at + 1) : { kind: 'open' }
  }
  if (key === 'ArrowLeft') {
    if (row.isOpen) return { kind: 'fold' }
    const above = rows.findIndex(({ group }) => group.id === row.parentId)
    return above < 0 ? null : go(above)
  }
  if (key.length !== 1) return null
  const isNamed = ({ group }: Row) => group.name.toLowerCase().startsWith(letters)
  // More letters may fit the row they began with; one letter leads to the next row.
  const from = letters.length > 1 ? at : at + 1
  const found = [...rows.keys()].map((step) => (from + step) % rows.length).find((place) => isNamed(rows[place] as Row))
  return found === undefined ? null : go(found)
}
