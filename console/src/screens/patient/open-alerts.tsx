// Alerts of this person that nobody has taken up, or that are not over yet.

import type { AnswerTo } from '@almoner/client'
import { Badge, Button, Group, Modal, Paper, Stack, Text, Textarea } from '@mantine/core'
import { AlertIcon, CheckCircleIcon } from '@primer/octicons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Failure, notifyDone } from '../../frame/failure.tsx'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { almoner } from '../../session/session.ts'
import { useWhatHappened } from '../alerts/what-happened.ts'
import { patient as texts } from './messages.ts'
import classes from './patient.module.css'

export type Alert = AnswerTo<'listAlerts'>['items'][number]

const COLOURS = { info: 'blue', warning: 'yellow', critical: 'red' } as const

export function OpenAlerts({ alerts }: { alerts: Alert[] }) {
  const t = useMessages(texts)
  const formats = useFormats()
  const happened = useWhatHappened()
  const [taken, take] = useState<Alert | null>(null)
  const open = alerts.filter(({ state }) => state !== 'cleared')
  if (open.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label={t.openAlerts} mb="md">
      {open.map((alert) => (
        <Paper key={alert.id} withBorder p="sm" className={classes.alert} data-severity={alert.severity}>
          <Group justify="space-between" gap="sm">
            <Group gap="sm" align="flex-start" wrap="nowrap" flex="1 1 260px">
              <AlertIcon size={18} className={classes.alertIcon} />
              <div>
                <Text size="sm" fw={600}>
                  {alert.ruleName}{' '}
                  <Badge variant="light" color={COLOURS[alert.severity]} tt="none" className={classes.badge}>
                    {t.severities[alert.severity]}
                  </Badge>
                </Text>
                <Text size="sm">{happened(alert)}</Text>
                <Text size="xs" c="dimmed">
                  <time dateTime={alert.firedAt.toISOString()}>{formats.moment(alert.firedAt)}</time>
                  {alert.note && ` · ${alert.note}`}
                </Text>
              </div>
            </Group>
            {alert.state === 'open' ? (
              <Button
                size="xs"
                variant="default"
                onClick={() => take(alert)}
                aria-label={t.acknowledgeThat(alert.ruleName)}
              >
                {t.acknowledge}
              </Button>
            ) : (
              <Text size="xs" c="dimmed" className={classes.verified}>
                <CheckCircleIcon size={14} /> {t.acknowledged}
              </Text>
            )}
          </Group>
        </Paper>
      ))}
      {taken && <Acknowledge alert={taken} onClose={() => take(null)} />}
    </Stack>
  )
}

function Acknowledge({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const t = useMessages(texts)
  const queries = useQueryClient()
  const happened = useWhatHappened()
  const [note, setNote] = useState('')
  const acting = useMutation({
    mutationFn: () => almoner.acknowledgeAlert({ id: alert.id, body: note.trim() ? { note: note.trim() } : {} }),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['listAlerts'] })
      notifyDone(t.isAcknowledged)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    acting.mutate()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.acknowledgeThat(alert.ruleName)}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <form onSubmit={submit}>
        <Text size="sm" mb="sm">
          {happened(alert)}. {t.acknowledgeMeans}
        </Text>
        <Textarea
          label={t.note}
          maxLength={1000}
          autosize
          minRows={2}
          data-autofocus
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        {acting.error && <Failure error={acting.error} />}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={acting.isPending}>
            {t.acknowledge}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
