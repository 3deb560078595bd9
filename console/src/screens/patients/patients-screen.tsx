import { Button, Group, NativeSelect, Paper, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { PlusIcon, SearchIcon, UploadIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Failure } from '../../frame/failure.tsx'
import { useMay, useOrganization } from '../../frame/person.ts'
import { Screen } from '../../frame/screen.tsx'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { ColumnChoice } from './column-choice.tsx'
import { chosenColumns, sortable, sortChoices } from './columns.tsx'
import { ExportButton } from './export-button.tsx'
import { Filters } from './filters.tsx'
import { patients } from './messages.ts'
import { Pages } from './pages.tsx'
import classes from './patients.module.css'
import { PatientsTable } from './patients-table.tsx'
import { patientsRoute } from './route.ts'
import { SavedViews } from './saved-views.tsx'
import { inputOf, type PatientsSearch, pageOf, sizeOf } from './search.ts'

const TYPING_MS = 250

export function PatientsScreen() {
  const t = useMessages(patients)
  const { id: organizationId } = useOrganization()
  const isAdmin = useMay('org-admin')
  const search = patientsRoute.useSearch()
  const navigate = patientsRoute.useNavigate()
  const queries = useQueryClient()

  const columns = chosenColumns(search.columns)
  const fields = [...new Set(columns.flatMap((column) => column.fields))]
  const question = (of: PatientsSearch) => ask('listIndividuals', inputOf(organizationId, of, fields, sortable))
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...question(search),
    placeholderData: keepPreviousData,
  })
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / sizeOf(search)))

  /** Another question begins at its first page. */
  const change = (part: PatientsSearch, replace = false) =>
    navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace })
  const showPage = (page: number) => change({ page: page > 1 ? page : undefined })

  // The next page is there before someone turns to it.
  const nextPage = pageOf(search) + 1
  useEffect(() => {
    if (!isPlaceholderData && data && nextPage <= pages) queries.prefetchQuery(question({ ...search, page: nextPage }))
  })

  return (
    <Screen
      title={t.title}
      actions={
        <>
          <ExportButton state={search.state} />
          {isAdmin && (
            <Button component={Link} to="/patients/import" variant="default" leftSection={<UploadIcon />}>
              {t.import}
            </Button>
          )}
          <Button component={Link} to="/patients/new" leftSection={<PlusIcon />}>
            {t.create}
          </Button>
        </>
      }
    >
      <Group gap="xs" mb="sm">
        <SearchBox text={search.text} onChange={(text) => change({ text }, true)} />
        <Filters search={search} onChange={change} />
        <ColumnChoice columns={columns} onChange={(chosen) => change({ columns: chosen, page: search.page })} />
        <NativeSelect
          hiddenFrom="sm"
          aria-label={t.sortedBy}
          value={search.sort ?? 'lastName'}
          data={sortChoices(columns, t)}
          onChange={({ currentTarget: { value } }) => change({ sort: value === 'lastName' ? undefined : value })}
        />
        <SavedViews search={search} onChoose={(view) => navigate({ search: view })} />
      </Group>
      {error && !data ? (
        <Failure error={error} onRetry={refetch} />
      ) : (
        <Paper withBorder className={classes.sheet}>
          <PatientsTable
            columns={columns}
            page={data}
            isOld={isPlaceholderData}
            search={search}
            onSort={(sort) => change({ sort })}
            onPage={(step) => showPage(Math.min(pages, Math.max(1, pageOf(search) + step)))}
          />
          <Pages
            total={data?.total}
            search={search}
            pages={pages}
            onPage={showPage}
            onSize={(size) => change({ size })}
          />
        </Paper>
      )}
    </Screen>
  )
}

/** Asks when the typing pauses. The slash key leads here from anywhere on the screen. */
function SearchBox({
  text = '',
  onChange,
}: {
  text: string | undefined
  onChange: (text: string | undefined) => void
}) {
  const t = useMessages(patients)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(text)
  const [known, setKnown] = useState(text)
  const tell = useDebouncedCallback((words: string) => onChange(words.trim() || undefined), TYPING_MS)
  useHotkeys([['/', () => input.current?.focus()]])
  // A view or the browser's back button may have changed it.
  if (text !== known) {
    setKnown(text)
    if (text !== typed.trim()) setTyped(text)
  }
  return (
    <TextInput
      ref={input}
      type="search"
      className={classes.search}
      aria-label={t.search}
      aria-keyshortcuts="/"
      placeholder={t.searchHint}
      leftSection={<SearchIcon size={14} />}
      rightSection={<kbd className={classes.key}>/</kbd>}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        tell(currentTarget.value)
      }}
    />
  )
}
