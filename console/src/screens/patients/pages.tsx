import { ActionIcon, Group, NativeSelect, Text } from '@mantine/core'
import { ChevronLeftIcon, ChevronRightIcon } from '@primer/octicons-react'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { patients } from './messages.ts'
import classes from './patients.module.css'
import { PAGE_SIZES, type PatientsSearch, pageOf, sizeOf } from './search.ts'

interface Props {
  total: number | undefined
  pages: number
  search: PatientsSearch
  onPage: (page: number) => void
  onSize: (size: number) => void
}

export function Pages({ total, pages, search, onPage, onSize }: Props) {
  const t = useMessages(patients)
  const formats = useFormats()
  const page = Math.min(pageOf(search), pages)
  return (
    <Group justify="space-between" className={classes.foot} gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {total === undefined ? '\u00a0' : total === 1 ? t.one : t.count(formats.number(total))}
      </Text>
      <Group gap="xs">
        <NativeSelect
          size="xs"
          aria-label={t.perPage}
          value={sizeOf(search)}
          data={PAGE_SIZES.map(String)}
          onChange={({ currentTarget }) => onSize(Number(currentTarget.value))}
        />
        <ActionIcon
          variant="default"
          size="md"
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
          aria-label={t.previous}
        >
          <ChevronLeftIcon />
        </ActionIcon>
        <Text size="sm">{t.page(page, pages)}</Text>
        <ActionIcon
          variant="default"
          size="md"
          disabled={page >= pages}
          onClick={() => onPage(page + 1)}
          aria-label={t.next}
        >
          <ChevronRightIcon />
        </ActionIcon>
      </Group>
    </Group>
  )
}
