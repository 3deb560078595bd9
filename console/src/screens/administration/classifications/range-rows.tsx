import { ActionIcon, NumberInput, Select, Table, Text, TextInput } from '@mantine/core'
import { TrashIcon } from '@primer/octicons-react'
import { useMessages } from '../../../language/language.ts'
import { useMetricWords } from '../../patient/metric-words.ts'
import { TableRegion } from '../parts/table-region.tsx'
import classes from './classifications.module.css'
import { sets } from './messages.ts'
import type { Range } from './range-bar.tsx'

const TONES = ['good', 'watch', 'bad', 'danger'] as const

/** A range as it is typed: its key stays when rows come and go. */
export type Row = Range & { key: number }

interface Props {
  rows: Row[]
  contexts: readonly string[]
  /** By their places, such as `ranges.2.to`. */
  faults: Record<string, string>
  onChange: (rows: Row[]) => void
}

const numberOf = (value: number | string) => (value === '' || value === '-' ? null : Number(value))

export function RangeRows({ rows, contexts, faults, onChange }: Props) {
  const t = useMessages(sets)
  const words = useMetricWords()
  const change = (key: number, part: Partial<Range>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  // The service counts from nought and names a place; people count rows from one.
  const placed = (fault: string | undefined) =>
    fault?.replace(/at \/ranges\/(\d+)/, (_, place: string) => t.atRow(Number(place) + 1))
  const columns = [t.label, t.from, t.to, ...(contexts.length > 0 ? [t.context] : []), t.tone, '']
  return (
    <TableRegion label={t.ranges} columns={columns} minWidth={contexts.length > 0 ? 680 : 540}>
      {rows.map((row, place) => {
        const at = (field: string) => placed(faults[`ranges.${place}.${field}`])
        const whole = placed(faults[`ranges.${place}`])
        return (
          <Table.Tr key={row.key} className={classes.rows ?? ''}>
            <Table.Td miw={110}>
              <TextInput
                size="xs"
                aria-label={t.labelOf(place + 1)}
                value={row.label}
                error={at('label') ?? whole}
                onChange={({ currentTarget }) => change(row.key, { label: currentTarget.value })}
              />
            </Table.Td>
            <Table.Td w={120}>
              <NumberInput
                size="xs"
                hideControls
                aria-label={t.fromOf(place + 1)}
                placeholder={t.noEnd}
                value={row.from ?? ''}
                error={at('from') ?? (whole ? true : undefined)}
                onChange={(value) => change(row.key, { from: numberOf(value) })}
              />
            </Table.Td>
            <Table.Td w={120}>
              <NumberInput
                size="xs"
                hideControls
                aria-label={t.toOf(place + 1)}
                placeholder={t.noEnd}
                value={row.to ?? ''}
                error={at('to') ?? (whole ? true : undefined)}
                onChange={(value) => change(row.key, { to: numberOf(value) })}
              />
            </Table.Td>
            {contexts.length > 0 && (
              <Table.Td w={160}>
                <Select
                  size="xs"
                  clearable
                  aria-label={t.contextOf(place + 1)}
                  placeholder={t.anyContext}
                  data={contexts.map((value) => ({ value, label: words.word(value) }))}
                  value={row.context}
                  error={at('context')}
                  onChange={(context) => change(row.key, { context })}
                />
              </Table.Td>
            )}
            <Table.Td w={120}>
              <Select
                size="xs"
                allowDeselect={false}
                aria-label={t.toneOf(place + 1)}
                data={TONES.map((value) => ({ value, label: t.tones[value] }))}
                value={row.tone}
                error={at('tone')}
                onChange={(tone) => tone && change(row.key, { tone: tone as Range['tone'] })}
              />
            </Table.Td>
            <Table.Td w={40}>
              <ActionIcon
                variant="subtle"
                color="gray"
                c="dimmed"
                aria-label={t.removeRow(place + 1)}
                onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
              >
                <TrashIcon />
              </ActionIcon>
            </Table.Td>
          </Table.Tr>
        )
      })}
    </TableRegion>
  )
}

/** What cannot be changed, to read. */
export function ReadRows({ ranges }: { ranges: Range[] }) {
  const t = useMessages(sets)
  const words = useMetricWords()
  const hasContexts = ranges.some(({ context }) => context)
  const columns = [t.label, t.from, t.to, ...(hasContexts ? [t.context] : []), t.tone]
  return (
    <TableRegion label={t.ranges} columns={columns} minWidth={480}>
      {ranges.map(({ label, from, to, context, tone }) => (
        <Table.Tr key={`${context} ${from}`}>
          <Table.Td>
            <Text size="sm">{words.word(label)}</Text>
          </Table.Td>
          <Table.Td>{from ?? t.noEnd}</Table.Td>
          <Table.Td>{to ?? t.noEnd}</Table.Td>
          {hasContexts && <Table.Td>{context ? words.word(context) : t.anyContext}</Table.Td>}
          <Table.Td>{t.tones[tone]}</Table.Td>
        </Table.Tr>
      ))}
    </TableRegion>
  )
}
