import type { Page } from '@almoner/client'
import { Box, Skeleton, Stack, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { ChevronDownIcon, ChevronUpIcon } from '@primer/octicons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { type Column, type Individual, nameOf, pathOf } from './columns.tsx'
import { patients } from './messages.ts'
import classes from './patients.module.css'
import { PatientsList } from './patients-list.tsx'
import { filterCount, type PatientsSearch, sizeOf } from './search.ts'

interface Props {
  columns: Column[]
  /** Undefined while the first one is on its way. */
  page: Page<Individual> | undefined
  /** Whether it answers the question before. */
  isOld: boolean
  search: PatientsSearch
  onSort: (sort: string | undefined) => void
  onPage: (step: -1 | 1) => void
}

export function PatientsTable({ columns, page, isOld, search, onSort, onPage }: Props) {
  const t = useMessages(patients)
  const formats = useFormats()
  const navigate = useNavigate()
  const place = useRef<HTMLDivElement>(null)
  const isPaging = useRef(false)
  const turn: Props['onPage'] = (step) => {
    isPaging.current = true
    onPage(step)
  }
  useEffect(() => {
    // Whoever turned the page by a key goes on from its first row.
    if (!isPaging.current || isOld || !page) return
    isPaging.current = false
    place.current?.querySelector<HTMLElement>('[data-row]')?.focus()
  }, [page, isOld])
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  if (page?.items.length === 0 && !isOld) return <Nobody search={search} />
  if (isNarrow) return <PatientsList columns={columns} page={page} isOld={isOld} search={search} />
  return (
    <Box
      ref={place}
      className={classes.scroll}
      data-old={isOld || undefined}
      aria-busy={!page || isOld}
      onKeyDown={(event) => moveByKeys(event, turn)}
    >
      <Table
        stickyHeader
        stickyHeaderOffset={0}
        highlightOnHover
        className={classes.table}
        aria-describedby="patients-keys"
      >
        <Table.Thead className={classes.head}>
          <Table.Tr>
            {columns.map((column) => (
              <HeadCell key={column.name} column={column} sort={search.sort} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {page
            ? page.items.map((individual) => (
                <Table.Tr
                  key={individual.id}
                  className={classes.row}
                  onClick={(event) => isPlainClick(event) && navigate({ to: pathOf(individual) })}
                >
                  {columns.map(({ name, isNumber, show }) => (
                    <Table.Td key={name} className={isNumber ? classes.number : undefined}>
                      {name === 'name' ? (
                        <Link to={pathOf(individual)} className={classes.name} data-row>
                          {nameOf(individual)}
                        </Link>
                      ) : (
                        show(individual, { t, formats })
                      )}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))
            : Array.from({ length: Math.min(sizeOf(search), 15) }, (_, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: places for rows that are not there yet
                <Table.Tr key={row}>
                  {columns.map(({ name }) => (
                    <Table.Td key={name}>
                      <Skeleton height={12} my={5} width={name === 'name' ? '70%' : '50%'} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
        </Table.Tbody>
      </Table>
      <VisuallyHidden id="patients-keys">{t.keys}</VisuallyHidden>
    </Box>
  )
}

/** Not a click on the link itself, and not one that selects text or opens a tab. */
const isPlainClick = (event: React.MouseEvent) =>
  !(event.target as Element).closest('a') &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.shiftKey &&
  window.getSelection()?.isCollapsed !== false

function HeadCell({ column, sort, onSort }: { column: Column; sort: string | undefined; onSort: Props['onSort'] }) {
  const t = useMessages(patients)
  const [field] = column.fields
  const by = sort?.replace(/^-/, '') ?? 'lastName'
  const isSorted = by === field
  const isDescending = isSorted && (sort?.startsWith('-') ?? false)
  const toggle = () => {
    const next = isSorted && !isDescending ? `-${field}` : field
    onSort(next === 'lastName' ? undefined : next)
  }
  const label = t.column[column.name]
  const Arrow = isDescending ? ChevronDownIcon : ChevronUpIcon
  return (
    <Table.Th
      className={column.isNumber ? classes.number : undefined}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      <UnstyledButton className={classes.sort} onClick={toggle} title={t.sortBy(label)}>
        {label}
        <span className={classes.arrow} data-on={isSorted || undefined}>
          <Arrow size={14} />
        </span>
      </UnstyledButton>
    </Table.Th>
  )
}

function Nobody({ search }: { search: PatientsSearch }) {
  const t = useMessages(patients)
  const isFiltered = search.text !== undefined || filterCount(search) > 0
  return (
    <Stack gap={4} align="center" py={64} px="md" role="status">
      <Text fw={600}>{isFiltered ? t.noneFound : t.none}</Text>
      <Text c="dimmed" size="sm" ta="center">
        {isFiltered ? t.noneFoundHint : t.noneHint}
      </Text>
    </Stack>
  )
}

/** The arrow keys go from row to row, Page up and Page down from page to page; Enter is the link's own. */
function moveByKeys(event: KeyboardEvent<HTMLElement>, onPage: Props['onPage']): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (event.key === 'PageDown' || event.key === 'PageUp') onPage(event.key === 'PageDown' ? 1 : -1)
  else if (target !== undefined && at >= 0) rows[Math.max(0, Math.min(rows.length - 1, target))]?.focus()
  else return
  event.preventDefault()
}
