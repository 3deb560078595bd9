import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { ColumnsIcon } from '@primer/octicons-react'
import { useMessages } from '../../language/language.ts'
import { columns as allColumns, type Column, printColumns } from './columns.tsx'
import { patients } from './messages.ts'

interface Props {
  columns: Column[]
  onChange: (columns: string | undefined) => void
}

export function ColumnChoice({ columns, onChange }: Props) {
  const t = useMessages(patients)
  return (
    <Popover position="bottom-start" trapFocus shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<ColumnsIcon />} visibleFrom="sm">
          {t.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.columns}>
        <Checkbox.Group value={columns.map(({ name }) => name)} onChange={(names) => onChange(printColumns(names))}>
          <Stack gap={8}>
            {allColumns.map(({ name }) => (
              <Checkbox key={name} size="xs" value={name} label={t.column[name]} disabled={name === 'name'} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Button size="xs" variant="subtle" mt="sm" fullWidth onClick={() => onChange(undefined)}>
          {t.columnsReset}
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
