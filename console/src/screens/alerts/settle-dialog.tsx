// Acknowledging one alert or several, or clearing one: with a note where there is something to say.

import { Button, Group, Modal, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure, notifyDone, notifyFailure } from '../../frame/failure.tsx'
import { useMessages } from '../../language/language.ts'
import { almoner } from '../../session/session.ts'
import type { Alert } from './alert-search.ts'
import { alerts } from './messages.ts'
import { useWhatHappened } from './what-happened.ts'
import { keepChanged } from './worklist.ts'

export interface Settling {
  how: 'acknowledge' | 'clear'
  alerts: Alert[]
}

interface Props {
  settling: Settling | null
  onClose: (isDone: boolean) => void
}

const AT_ONCE = 5
const LONGEST_NOTE = 1000

export function SettleDialog({ settling, onClose }: Props) {
  const t = useMessages(alerts)
  const title = settling?.how === 'clear' ? t.clearThis : t.acknowledgeThese(settling?.alerts.length ?? 0)
  return (
    <Modal
      opened={settling !== null}
      onClose={() => onClose(false)}
      title={title}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {settling && <Form settling={settling} onClose={onClose} />}
    </Modal>
  )
}

function Form({ settling, onClose }: { settling: Settling; onClose: Props['onClose'] }) {
  const { how, alerts: some } = settling
  const t = useMessages(alerts)
  const words = useWhatHappened()
  const queries = useQueryClient()
  const [note, setNote] = useState('')
  const settle = useMutation({
    mutationFn: async () => {
      const body = note.trim() === '' ? {} : { note: note.trim() }
      const call = how === 'clear' ? almoner.clearAlert : almoner.acknowledgeAlert
      const failed: unknown[] = []
      let done = 0
      for (let start = 0; start < some.length; start += AT_ONCE) {
        const results = await Promise.allSettled(some.slice(start, start + AT_ONCE).map(({ id }) => call({ id, body })))
        for (const result of results) {
          if (result.status === 'rejected') failed.push(result.reason)
          else {
            done++
            keepChanged(result.value)
          }
        }
      }
      if (done === 0) throw failed[0]
      return { done, failed }
    },
    onSuccess: ({ done, failed }) => {
      queries.invalidateQueries({ queryKey: ['getPopulationSummary'] })
      notifyDone(how === 'clear' ? t.clearedNow : t.acknowledgedNow(done))
      // Someone else was faster with some of them.
      if (failed[0]) notifyFailure(failed[0])
      onClose(true)
    },
  })
  const [first] = some
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        settle.mutate()
      }}
    >
      {some.length === 1 && first && (
        <Text fw={600} mb={4}>
          {first.individual.firstName} {first.individual.lastName}: {words(first)}
        </Text>
      )}
      <Text size="sm" c="dimmed" mb="sm">
        {how === 'clear' ? t.clearHint : t.acknowledgeHint}
      </Text>
      <Textarea
        label={t.note}
        description={t.noteHint}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) settle.mutate()
        }}
        maxLength={LONGEST_NOTE}
        autosize
        minRows={2}
        maxRows={8}
        data-autofocus
      />
      {settle.error && <Failure error={settle.error} />}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => onClose(false)}>
          {t.cancel}
        </Button>
        <Button type="submit" loading={settle.isPending}>
          {how === 'clear' ? t.clear : t.acknowledge}
        </Button>
      </Group>
    </form>
  )
}
