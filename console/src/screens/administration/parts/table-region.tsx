// A table that a phone scrolls sideways, in a region that has a name and can be reached by the keyboard.

import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './parts.module.css'

interface Props {
  label: string
  /** The headings; an empty one stands over buttons. */
  columns: string[]
  /** What the table needs to be read without squeezing, in pixels. */
  minWidth?: number
  children: ReactNode
}

export function TableRegion({ label, columns, minWidth = 640, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it with the arrow keys
    <section aria-label={label} tabIndex={0} className={classes.region}>
      <Table miw={minWidth} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column, place) =>
              column ? (
                <Table.Th key={column} scope="col">
                  {column}
                </Table.Th>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: headings do not move
                <Table.Td key={place} />
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </section>
  )
}

/** In the place of a list that has nothing yet: says what to do. */
export function Empty({ children }: { children: ReactNode }) {
  return <div className={classes.empty}>{children}</div>
}
