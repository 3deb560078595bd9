import type { AnswerTo } from '@almoner/client'
import { Alert, Anchor, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Failure } from '../../frame/failure.tsx'
import { lineFaultSaid } from '../../language/error-words.ts'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { importing } from './messages.ts'

export type ImportRun = AnswerTo<'getPatientImport'>
type Line = AnswerTo<'listPatientImportLines'>['items'][number]

const MOST = 200

export function ImportReport({ run }: { run: ImportRun }) {
  const t = useMessages(importing)
  const formats = useFormats()
  const title = run.state === 'failed' ? t.failedTitle : run.dryRun ? t.previewTitle : t.doneTitle
  return (
    <Stack gap="md">
      <Title order={2}>{title}</Title>
      <SimpleGrid cols={{ base: 1, xs: 3 }} role="status">
        <Figure value={formats.number(run.createdCount)} label={run.dryRun ? t.would : t.created} />
        <Figure value={formats.number(run.refusedCount)} label={t.refused} />
        <Figure value={formats.number(run.warningCount)} label={t.warned} />
      </SimpleGrid>
      {run.dryRun && run.createdCount === 0 && <Alert color="yellow">{t.nothing}</Alert>}
      {run.refusedCount > 0 && <Refused run={run} />}
      {run.warningCount > 0 && <Warned run={run} />}
    </Stack>
  )
}

function Figure({ value, label }: { value: string; label: string }) {
  return (
    <Paper withBorder p="sm">
      <Text fz={24} fw={600} lh={1.2}>
        {value}
      </Text>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
    </Paper>
  )
}

function Refused({ run }: { run: ImportRun }) {
  const t = useMessages(importing)
  const question = ask('listPatientImportLines', {
    importId: run.id,
    filter: { outcome: 'refused' },
    page: { limit: MOST },
  })
  const rows = (line: Line) =>
    line.faults.map(({ code, column, detail }) => (
      <Table.Tr key={`${line.id} ${column} ${detail}`}>
        <Table.Td>{line.line}</Table.Td>
        <Table.Td>{column ?? t.wholeLine}</Table.Td>
        <Table.Td>{lineFaultSaid(code, detail, column)}</Table.Td>
      </Table.Tr>
    ))
  return <Lines title={t.refusedLines} hint={t.otherLines} question={question} rows={rows} />
}

function Warned({ run }: { run: ImportRun }) {
  const t = useMessages(importing)
  const outcome = run.dryRun ? ('would-create' as const) : ('created' as const)
  const question = ask('listPatientImportLines', { importId: run.id, filter: { outcome }, page: { limit: 1000 } })
  const rows = (line: Line) =>
    line.warnings.map(({ detail, individualIds }) => (
      <Table.Tr key={`${line.id} ${detail}`}>
        <Table.Td>{line.line}</Table.Td>
        <Table.Td />
        <Table.Td>
          {t.alike}{' '}
          {individualIds.map((id, place) => (
            <Anchor key={id} component={Link} to={`/patients/${id}`} target="_blank" size="sm">
              {place + 1}{' '}
            </Anchor>
          ))}
        </Table.Td>
      </Table.Tr>
    ))
  return <Lines title={t.warnedLines} question={question} rows={rows} />
}

interface LinesProps {
  title: string
  hint?: string
  question: ReturnType<typeof ask<'listPatientImportLines'>>
  rows: (line: Line) => ReactNode[]
}

function Lines({ title, hint, question, rows }: LinesProps) {
  const t = useMessages(importing)
  const formats = useFormats()
  const { data, error, refetch } = useQuery(question)
  if (error) return <Failure error={error} onRetry={refetch} />
  const left = (data?.total ?? 0) - (data?.items.length ?? 0)
  return (
    <Stack gap={4}>
      <Title order={3}>{title}</Title>
      {hint && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
      <Table.ScrollContainer minWidth={360}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.line}</Table.Th>
              <Table.Th>{t.column}</Table.Th>
              <Table.Th>{t.why}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{data?.items.flatMap(rows)}</Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {left > 0 && (
        <Text size="sm" c="dimmed">
          {t.more(formats.number(left))}
        </Text>
      )}
    </Stack>
  )
}
