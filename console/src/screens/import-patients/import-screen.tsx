// Patients of a CSV file: first a preview that stores nothing, then the import itself, then a report.

import { Button, Checkbox, FileInput, Group, List, Progress, Stack, Text } from '@mantine/core'
import { DownloadIcon, UploadIcon } from '@primer/octicons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Failure } from '../../frame/failure.tsx'
import { useOrganization } from '../../frame/person.ts'
import { saveText } from '../../frame/save-file.ts'
import { Screen } from '../../frame/screen.tsx'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { ImportReport, type ImportRun } from './import-report.tsx'
import { importing } from './messages.ts'
import { importPatientsRoute } from './route.ts'

const MOST_BYTES = 10 * 1024 * 1024
const ASKING_MS = 500
const COLUMNS = 'first-name,last-name,birth-date,gender,email,mobile-phone,locale,preferred-name,tz,groups\n'

type Way = 'email' | 'sms'

export function ImportScreen() {
  const t = useMessages(importing)
  const { id } = importPatientsRoute.useSearch()
  const navigate = importPatientsRoute.useNavigate()
  const { id: organizationId } = useOrganization()
  const [csv, setCsv] = useState<string | null>(null)
  const [ways, setWays] = useState<Way[]>([])
  const starting = useMutation({
    mutationFn: ({ text, dryRun }: { text: string; dryRun: boolean }) =>
      almoner.importPatients({ body: { organizationId, csv: text, dryRun, notifications: dryRun ? [] : ways } }),
    onSuccess: (run) => navigate({ search: { id: run.id } }),
  })
  const restart = () => {
    setCsv(null)
    starting.reset()
    navigate({ search: { id: undefined } })
  }
  const preview = (text: string) => {
    setCsv(text)
    starting.mutate({ text, dryRun: true })
  }
  return (
    <Screen title={t.title} narrow>
      {id === undefined ? (
        <Stack gap="md">
          <ChooseFile onText={preview} isBusy={starting.isPending} />
          {starting.isError && <Failure error={starting.error} />}
        </Stack>
      ) : (
        <Stack gap="md">
          <Run key={id} id={id}>
            {(run) => (
              <>
                <ImportReport run={run} />
                {run.dryRun && csv !== null && run.createdCount > 0 && (
                  <Start
                    run={run}
                    ways={ways}
                    onWays={setWays}
                    isBusy={starting.isPending}
                    onStart={() => starting.mutate({ text: csv, dryRun: false })}
                  />
                )}
                {starting.isError && <Failure error={starting.error} />}
                <Group>
                  {!run.dryRun && (
                    <Button component={Link} to="/patients">
                      {t.toList}
                    </Button>
                  )}
                  <Button variant="default" onClick={restart}>
                    {t.another}
                  </Button>
                </Group>
              </>
            )}
          </Run>
        </Stack>
      )}
    </Screen>
  )
}

function ChooseFile({ onText, isBusy }: { onText: (text: string) => void; isBusy: boolean }) {
  const t = useMessages(importing)
  const [fault, setFault] = useState<string | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    setFault(chosen && chosen.size > MOST_BYTES ? t.tooLarge : null)
  }
  const read = async () => {
    if (!file) return
    try {
      onText(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()))
    } catch {
      setFault(t.notText)
    }
  }
  return (
    <>
      <Text>{t.hint}</Text>
      <List size="sm" spacing={4}>
        <List.Item>{t.required}</List.Item>
        <List.Item>{t.optional}</List.Item>
        <List.Item>{t.limits}</List.Item>
      </List>
      <Button
        variant="subtle"
        size="compact-sm"
        w="fit-content"
        leftSection={<DownloadIcon />}
        onClick={() => saveText('patients.csv', COLUMNS)}
      >
        {t.template}
      </Button>
      <FileInput
        label={t.file}
        placeholder={t.choose}
        accept=".csv,.tsv,.txt,text/csv"
        leftSection={<UploadIcon />}
        value={file}
        error={fault}
        onChange={choose}
      />
      <Text size="sm" c="dimmed">
        {t.previewHint}
      </Text>
      <Button w="fit-content" disabled={!file || fault !== null} loading={isBusy} onClick={read}>
        {t.preview}
      </Button>
    </>
  )
}

/** Follows a run until it is done. */
function Run({ id, children }: { id: string; children: (run: ImportRun) => React.ReactNode }) {
  const t = useMessages(importing)
  const formats = useFormats()
  const queries = useQueryClient()
  const { data: run, error } = useQuery({
    ...ask('getPatientImport', { id }),
    refetchInterval: ({ state }) => (isDone(state.data) ? false : ASKING_MS),
  })
  const isFinished = isDone(run)
  const task = useQuery({
    ...ask('getTask', { id: run?.taskId ?? '' }),
    enabled: run !== undefined && !isFinished,
    refetchInterval: isFinished ? false : ASKING_MS,
  })
  useEffect(() => {
    if (isFinished && run?.dryRun === false) queries.invalidateQueries({ queryKey: ['listIndividuals'] })
  }, [isFinished, run, queries])
  if (error) return <Failure error={error} />
  if (run && isFinished) return children(run)
  const [done, total] = [task.data?.done ?? 0, run?.lineCount ?? 0]
  return (
    <Stack gap="xs" role="status">
      <Text>{t.working}</Text>
      <Progress value={total > 0 ? (done / total) * 100 : 0} aria-label={t.working} />
      <Text size="sm" c="dimmed">
        {total > 0 ? t.lines(formats.number(done), formats.number(total)) : '\u00a0'}
      </Text>
    </Stack>
  )
}

const isDone = (run: ImportRun | undefined): boolean => run?.state === 'completed' || run?.state === 'failed'

interface StartProps {
  run: ImportRun
  ways: Way[]
  onWays: (ways: Way[]) => void
  isBusy: boolean
  onStart: () => void
}

function Start({ run, ways, onWays, isBusy, onStart }: StartProps) {
  const t = useMessages(importing)
  const formats = useFormats()
  return (
    <Stack gap="sm">
      <Checkbox.Group label={t.invite} value={ways} onChange={(chosen) => onWays(chosen as Way[])}>
        <Group mt={6}>
          <Checkbox value="email" label={t.byEmail} />
          <Checkbox value="sms" label={t.bySms} />
        </Group>
      </Checkbox.Group>
      <Button w="fit-content" loading={isBusy} onClick={onStart}>
        {run.createdCount === 1 ? t.startOne : t.start(formats.number(run.createdCount))}
      </Button>
    </Stack>
  )
}
